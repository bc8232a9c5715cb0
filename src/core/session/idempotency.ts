import type { DigestedStream } from '../digest-stream.ts'
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

/** Remembers the answer and gives it back. The work calls it in the transaction that makes the answer true, so that no crash comes between. */
export type Keep<T> = (answer: T) => T

/**
 * Does the work once per key: a repetition gets the kept answer, one that comes while the first still runs joins it,
 * and one with another body is refused. A refusal is not kept, so that it can be tried again, corrected too.
 */
export async function answerOnce<T>(
  ports: Pick<SessionPorts, 'journal' | 'now'>,
  running: RunningRequests,
  request: { readonly route: string; readonly idempotency: Idempotency | null },
  work: (keep: Keep<T>) => T | Promise<T>,
): Promise<T> {
  const { route, idempotency } = request
  if (idempotency === null) return work((answer) => answer)
  const { key, fingerprint } = idempotency
  const first = running.get(nameOf(route, key))
  if (first !== undefined) {
    if (first.fingerprint !== fingerprint) throw mismatch()
    return first.done as Promise<T>
  }
  forgetOld(ports)
  const row = ports.journal.idempotency(route, key)
  if (row !== null && row.fingerprint !== fingerprint) throw mismatch()
  if (row?.answer != null) return JSON.parse(row.answer) as T
  const asked = { route, key, fingerprint }
  const done = (async () => work((answer) => remember(ports, asked, answer)))()
  return registered(running, asked, done)
}

/**
 * The same for a body that is read as it comes and whose digest is known at its end only: `ready` reads up to there. A repetition that comes
 * while the first still runs waits before it reads: when the first fails, its upload cut off say, this one counts.
 */
export async function answerStreamOnce<T>(
  ports: Pick<SessionPorts, 'journal' | 'now'>,
  running: RunningRequests,
  request: { readonly route: string; readonly key: string; readonly body: DigestedStream },
  work: (ready: () => Promise<Keep<T>>) => Promise<T>,
): Promise<T> {
  const { route, key, body } = request
  for (let first; (first = running.get(nameOf(route, key)));) {
    await first.done.catch(() => undefined)
  }
  forgetOld(ports)
  const row = ports.journal.idempotency(route, key)
  if (row?.answer != null) {
    if ((await body.digest()) !== row.fingerprint) throw mismatch()
    return JSON.parse(row.answer) as T
  }
  const done = work(async () => {
    const fingerprint = await body.digest()
    return (answer) => remember(ports, { route, key, fingerprint }, answer)
  })
  return registered(running, { route, key, fingerprint: '' }, done)
}

interface Asked extends Idempotency {
  readonly route: string
}

async function registered<T>(
  running: RunningRequests,
  { route, key, fingerprint }: Asked,
  done: Promise<T>,
): Promise<T> {
  const name = nameOf(route, key)
  running.set(name, { fingerprint, done })
  try {
    return await done
  } finally {
    running.delete(name)
  }
}

function remember<T>(
  { journal, now }: Pick<SessionPorts, 'journal' | 'now'>,
  asked: Asked,
  answer: T,
): T {
  const kept = { handoffId: null, answer: JSON.stringify(answer), createdAt: now() }
  journal.putIdempotency({ ...asked, ...kept })
  return answer
}

/** A route has no space in it, so this names one key of one route whatever the key looks like. */
function nameOf(route: string, key: string): string {
  return `${route} ${key}`
}

/** What a caller gets who sends an Idempotency-Key with another body. */
export function mismatch(): BatonError {
  return new BatonError(
    'idempotency_mismatch',
    'This Idempotency-Key was used with another request',
  )
}
