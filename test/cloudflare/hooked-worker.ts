import { createBaton } from '../../src/cloudflare/baton.ts'
import { hooks } from '../fixtures/hooks.ts'
import { tools } from '../fixtures/tools.ts'

const baton = createBaton({ hooks, tools })

export const SessionObject = baton.SessionObject

// workerd finds a Worker's handlers by its default export.
// oxlint-disable-next-line import/no-default-export
export default { fetch: baton.fetch }
