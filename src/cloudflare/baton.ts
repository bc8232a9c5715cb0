import { BatonError } from '../core/errors.ts'
import type { Hooks } from '../core/ports.ts'
import type { OpenSession, SessionHandle } from '../core/session/handle.ts'
import { createApp } from '../http/app.ts'
import { createConfig } from '../http/config.ts'
import { logEvent } from '../http/log.ts'
import { toProblem } from '../http/problem.ts'
import { VERSION } from '../http/version.ts'
import { createD1Catalog } from './d1-catalog.ts'
import type { BatonEnv } from './env.ts'
import { variables } from './env.ts'
import type { SessionObjectClass } from './session-object.ts'
import { createSessionObject, objectName } from './session-object.ts'

export interface BatonOptions {
  readonly hooks?: Hooks
}

/** A Worker: export `fetch` as its handler and `SessionObject` as its Durable Object class. */
export interface Baton {
  fetch(request: Request, env: BatonEnv): Promise<Response>
  readonly SessionObject: SessionObjectClass
}

/** Baton on Cloudflare, with code hooks of the embedding program. Bindings come with each request. */
export function createBaton(options: BatonOptions = {}): Baton {
  // One app per environment object: the runtime gives an isolate the same one every time.
  const apps = new WeakMap<BatonEnv, ReturnType<typeof createApp>>()

  function appOf(env: BatonEnv): ReturnType<typeof createApp> {
    const known = apps.get(env)
    if (known !== undefined) return known
    const app = createApp({
      ...createConfig(variables(env)),
      open: createOpen(env),
      catalog: createD1Catalog(env.CATALOG),
      version: VERSION,
    })
    apps.set(env, app)
    return app
  }

  return {
    async fetch(request, env) {
      let app: ReturnType<typeof createApp>
      try {
        app = appOf(env)
      } catch (thrown) {
        return misconfigured(thrown)
      }
      return app.fetch(request)
    },
    SessionObject: createSessionObject(options.hooks ?? {}),
  }
}

/** The operator reads which variable cannot be used (never its value); a caller only that the server cannot work. */
function misconfigured(thrown: unknown): Response {
  const why = thrown instanceof Error ? thrown.message : 'A variable cannot be used'
  logEvent({ name: 'misconfigured', why })
  return toProblem(new BatonError('unavailable', 'The server is misconfigured; its log says why'))
}

/** A fresh stub for every call: one that saw an exception stays broken. */
function createOpen(env: BatonEnv): OpenSession {
  return (tenant, id) => {
    const name = objectName(tenant, id)
    return new Proxy({} as SessionHandle, {
      get(_target, method: string | symbol) {
        // A handle is no promise, though it would answer to every name.
        if (typeof method === 'symbol' || method === 'then') return undefined
        return async (...args: readonly unknown[]) => {
          const stub = env.SESSIONS.getByName(name) as unknown as Record<
            string,
            (...args: readonly unknown[]) => Promise<unknown>
          >
          try {
            return await stub[method]?.(...args)
          } catch (thrown) {
            throw lostCall(thrown, { session: id, method })
          }
        }
      },
    })
  }
}

/** What the runtime puts on an error that came from or through a Durable Object. */
interface StubError {
  readonly remote?: boolean
  readonly retryable?: boolean
  readonly overloaded?: boolean
  readonly durableObjectReset?: boolean
}

/** Expected failures are values, so the runtime threw: reset, overloaded, connection lost; or the object has a bug. */
function lostCall(
  thrown: unknown,
  { session, method }: { readonly session: string; readonly method: string },
): BatonError {
  const flags = (thrown instanceof Error ? thrown : {}) as StubError
  const reset = flags.durableObjectReset === true
  const overloaded = flags.overloaded === true
  const code = thrown instanceof Error ? thrown.name : typeof thrown
  logEvent({ name: 'object_call_failed', session, method, code, reset, overloaded })
  if (flags.remote === true && !reset && !overloaded && flags.retryable !== true) {
    return new BatonError('internal', 'Something went wrong on our side')
  }
  return overloaded
    ? new BatonError('unavailable', 'The session is overloaded; try again later')
    : new BatonError('unavailable', 'The session was interrupted; try again in a moment')
}
