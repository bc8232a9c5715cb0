import { BatonError } from '../core/errors.ts'
import type { OpenSession, SessionHandle } from '../core/session/handle.ts'
import { logEvent } from '../http/log.ts'
import type { BatonEnv } from './env.ts'
import { objectName } from './object-name.ts'

/** A fresh stub for every call: one that saw an exception stays broken. */
export function createOpen(env: BatonEnv): OpenSession {
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
