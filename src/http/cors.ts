import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'

/** Lets pages of these origins call; `*` any. The headers that clients read are exposed. */
export function createCors(origins: readonly string[]): MiddlewareHandler {
  return cors({
    origin: origins.includes('*') ? '*' : [...origins],
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposeHeaders: ['location', 'retry-after', 'x-vercel-ai-ui-message-stream', 'x-session-id'],
    maxAge: 600,
  })
}
