import { BatonError } from '../errors.ts'
import type { Idempotency } from './handle.ts'
import type { SessionPorts } from './ports.ts'

/** Milliseconds that an Idempotency-Key is kept. */
export const KEPT_MS = 24 * 60 * 60 * 1000

/** Drops keys that are older than the contract keeps them. */
export function forgetOld({ journal, now }: Pick<SessionPorts, 'journal' | 'now'>): void {
  journal.forgetIdempotency(now() - KEPT_MS)
}

/** The requests with a key that are being answered now, by route and key. */
export type RunningRequests = Map<
  string,
  { readonly fingerprint: string; readonly done: Promise<unknown> }
>

/**
 * Does the work once per key: a repetition gets the stored answer, one that comes while the first still runs joins
 * it, and one with another body is refused. A refusal is not remembered, so that it can be tried again.
 */
export async function answerOnce<T>(
  ports: Pick<SessionPorts, 'journal' | 'now'>,
  running: RunningRequests,
  request: { readonly route: string; readonly idempotency: Idempotency | null },
  work: () => T | Promise<T>,
): Promise<T> {
  const { route, idempotency } = request
  if (idempotency === null) return work()
  const { key, fingerprint } = idempotency
  // A route has no space in it, so this names one key of one route whatever the key looks like.
  const name = `${route} ${key}`
  const first = running.get(name)
  if (first !== undefined) {
    if (first.fingerprint !== fingerprint) throw mismatch()
    return first.done as Promise<T>
  }
  const { journal, now } = ports
  forgetOld(ports)
  const row = journal.idempotency(route, key)
  if (row !== null && row.fingerprint !== fingerprint) throw mismatch()
  if (row?.answer != null) return JSON.parse(row.answer) as T
  const done = (async () => work())().then((value) => {
    journal.putIdempotency({
      route,
      key,
      fingerprint,
      handoffId: null,
      answer: JSON.stringify(value),
      createdAt: now(),
    })
    return value
  })
  running.set(name, { fingerprint, done })
  try {
    return await done
  } finally {
    running.delete(name)
  }
}

/** What a caller gets who sends an Idempotency-Key with another body. */
export function mismatch(): BatonError {
  return new BatonError(
    'idempotency_mismatch',
    'This Idempotency-Key was used with another request',
  )
}
