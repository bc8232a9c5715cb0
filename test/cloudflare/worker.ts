import { DurableObject } from 'cloudflare:workers'

/** Stands in for the real object where a test needs storage and nothing else. */
export class SessionObject extends DurableObject {}

// workerd finds a Worker's handlers by its default export.
// oxlint-disable-next-line import/no-default-export
export default {
  fetch: () => new Response(null, { status: 404 }),
}
