import { BatonError, causes } from '../core/errors.ts'

/**
 * Errors that D1 itself calls transient, by their texts; it gives no codes.
 * https://developers.cloudflare.com/d1/best-practices/retry-queries/
 */
const TRANSIENT = [
  'Network connection lost',
  'storage caused object to be reset',
  'reset because its code was updated',
  'Cannot resolve D1 DB due to transient issue on remote node',
  'Internal error while starting up D1 DB storage',
  'Can\u2019t read from request stream because client disconnected',
  "Can't read from request stream because client disconnected",
  'database is locked',
]

/** The driver's own text. Drizzle's message around it carries parameter values and is never looked at by a person. */
export function driverText(thrown: unknown): string {
  return causes(thrown).at(-1)?.message ?? String(thrown)
}

/** True when the same statement may well succeed in a moment. */
export function isTransient(thrown: unknown): boolean {
  const text = driverText(thrown)
  return TRANSIENT.some((known) => text.includes(known))
}

/** What everybody outside of this room gets, whatever went wrong in the database. */
export function toUnavailable(): BatonError {
  return new BatonError('unavailable', 'The catalog is out of reach; try again in a moment')
}

const WAITS_MS = [50, 200, 800]

/** Runs an idempotent statement, again when the error is transient. Throws BatonError `unavailable` in the end. */
export async function withRetries<T>(
  run: () => Promise<T>,
  sleep: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await run()
    } catch (thrown) {
      const wait = WAITS_MS[attempt]
      if (wait === undefined || !isTransient(thrown)) throw toUnavailable()
      await sleep(wait)
    }
  }
}
