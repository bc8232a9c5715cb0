import type { Result } from '../errors.ts'
import { toErrorData } from '../errors.ts'
import type { SessionPorts } from './ports.ts'

/** Runs a call of the session's handle: what was thrown becomes data. Never rejects. */
export type Answer = <T>(work: () => T | Promise<T>) => Promise<Result<T>>

/** The boundary of one session. What nobody expected is logged by its name only: its words may be a user's. */
export function createBoundary({ id, log }: Pick<SessionPorts, 'id' | 'log'>): Answer {
  return async (work) => {
    try {
      return { ok: true, value: await work() }
    } catch (thrown) {
      const error = toErrorData(thrown)
      if (error.code === 'internal') {
        log({ name: 'internal_error', session: id, code: nameOf(thrown) })
      }
      return { ok: false, error }
    }
  }
}

/** What may be told of anything thrown. */
export function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : typeof thrown
}
