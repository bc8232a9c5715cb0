import type { Context } from 'hono'
import { Hono } from 'hono'
import { BatonError, toErrorData } from '../core/errors.ts'
import { ID_PATTERN } from '../core/id.ts'
import { nameOf } from '../core/session/boundary.ts'
import { notFound } from '../core/session/ledger.ts'
import { authenticate } from './authenticate.ts'
import { CHAT_OPERATIONS } from './chat.ts'
import { COMMAND_OPERATIONS } from './commands.ts'
import { createCors } from './cors.ts'
import { docsPage } from './docs.ts'
import { HANDOFF_OPERATIONS } from './handoffs.ts'
import { logEvent } from './log.ts'
import { createDocument } from './openapi.ts'
import { MODEL_OPERATIONS } from './models.ts'
import type { HttpPorts, Operation } from './operation.ts'
import { createCall, json } from './operation.ts'
import { toProblem } from './problem.ts'
import { drain } from './read-body.ts'
import { SESSION_OPERATIONS } from './sessions.ts'
import { TURN_OPERATIONS } from './turns.ts'

/** Every call of the contract; routes and the OpenAPI document both come from here. */
export const OPERATIONS: readonly Operation[] = [
  ...SESSION_OPERATIONS,
  ...HANDOFF_OPERATIONS,
  ...TURN_OPERATIONS,
  ...COMMAND_OPERATIONS,
  ...MODEL_OPERATIONS,
  ...CHAT_OPERATIONS,
]

/** The whole HTTP surface over a runtime's ports. */
export function createApp(ports: HttpPorts): Hono {
  const app = new Hono()
  app.use(async (c, next) => {
    await next()
    await drain(c.req.raw)
    // A HEAD is answered like its GET, but nobody will read the body: a stream has to be let go.
    if (c.req.method === 'HEAD') await c.res.body?.cancel()
    c.res.headers.set('x-content-type-options', 'nosniff')
    if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store')
  })
  if (ports.corsOrigins.length > 0) app.use(createCors(ports.corsOrigins))
  app.get('/healthz', () => json({ ok: true, version: ports.version }))
  app.get('/openapi.json', () => json(createDocument(OPERATIONS, ports.version)))
  app.get('/docs', () => docsPage(createDocument(OPERATIONS, ports.version)))
  app.get('/', (c) => c.redirect('/docs'))
  const paths = new Map<string, Operation[]>([
    ['/', []],
    ['/healthz', []],
    ['/openapi.json', []],
    ['/docs', []],
  ])
  for (const operation of OPERATIONS) {
    paths.set(operation.path, [...(paths.get(operation.path) ?? []), operation])
  }
  // Fixed paths before those with parameters: /v1/sessions/import is not a session.
  const ordered = [...paths].toSorted(
    ([a], [b]) => Number(a.includes('{')) - Number(b.includes('{')),
  )
  for (const [path, operations] of ordered) {
    const route = path.replaceAll(/\{(\w+)\}/g, ':$1')
    for (const operation of operations) {
      app.on(operation.method, route, (c) => run(c, operation, ports))
    }
    const allow = allowed(operations)
    app.options(route, () => new Response(null, { status: 204, headers: { allow } }))
    app.all(route, () =>
      toProblem(new BatonError('method_not_allowed', `This path takes ${allow}`), { allow }),
    )
  }
  app.notFound(() => toProblem(new BatonError('not_found', 'There is nothing at this path')))
  app.onError((thrown) => {
    logInternal(thrown)
    return toProblem(thrown)
  })
  return app
}

/** Three moves: who asks, what for, and the operation's own answer. */
async function run(c: Context, operation: Operation, ports: HttpPorts): Promise<Response> {
  const request = c.req.raw
  try {
    const tenant = await authenticate(request, ports)
    const params = c.req.param() as Record<string, string>
    for (const id of Object.values(params)) if (!ID_PATTERN.test(id)) throw notFound()
    return await operation.handle(createCall(operation, { request, ports, tenant, params }))
  } catch (thrown) {
    if (operation.errors === undefined) throw thrown
    logInternal(thrown)
    return operation.errors.respond(thrown)
  }
}

function logInternal(thrown: unknown): void {
  if (toErrorData(thrown).code !== 'internal') return
  logEvent({ name: 'internal_error', code: nameOf(thrown) })
}

function allowed(operations: readonly Operation[]): string {
  const methods = operations.length === 0 ? ['GET'] : operations.map(({ method }) => method)
  const head = methods.includes('GET' as never) ? ['HEAD'] : []
  return [...new Set([...methods, ...head, 'OPTIONS'])].join(', ')
}
