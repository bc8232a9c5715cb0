import { createBaton } from './baton.ts'

const baton = createBaton()

export const SessionObject = baton.SessionObject

export default { fetch: baton.fetch }
