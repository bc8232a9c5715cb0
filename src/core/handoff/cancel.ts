import type { ErrorData } from '../errors.ts'
import type { CancelRequest } from './machine.ts'

/**
 * Why a handoff was aborted, in the words that its caller gets. Pure.
 * The abort reason decides, never the error that a provider threw because of it (C1, C4).
 */

const CANCELLED = 'Handoff cancelled'
const UNREASONED = 'Handoff aborted by session'

export interface Abort {
  /** `cancelled`: a person gave up waiting; `failed`: something else ended it */
  readonly status: 'cancelled' | 'failed'
  readonly error: ErrorData
}

/** Reads an abort reason as a caller's AbortSignal carries it. */
export function readAbort(reason: unknown): Abort {
  if (isUserAbort(reason)) {
    return { status: 'cancelled', error: { code: 'handoff_cancelled', detail: CANCELLED } }
  }
  return { status: 'failed', error: { code: 'handoff_aborted', detail: reasonText(reason) } }
}

/** The abort reason that a durable cancel request stands for: what `AbortController.abort` gets. */
export function toAbortReason(cancel: CancelRequest): unknown {
  return cancel.given ? new AbortReason(cancel.reason) : undefined
}

/** Carries a caller's reason verbatim. An Error, because some runtimes reject a fetch with a bare reason as it is. */
export class AbortReason extends Error {
  override readonly name = 'AbortReason'
  readonly reason: unknown

  constructor(reason: unknown) {
    super(typeof reason === 'string' ? reason : '')
    this.reason = reason
  }
}

/** Only the DOMException that `abort()` without a reason makes; an Error merely named AbortError is a failure (C1). */
function isUserAbort(reason: unknown): boolean {
  return reason === undefined || (reason instanceof DOMException && reason.name === 'AbortError')
}

function reasonText(reason: unknown): string {
  if (reason instanceof AbortReason) return reasonText(reason.reason ?? null)
  if (typeof reason === 'string' && reason !== '') return reason
  if ((reason instanceof Error || reason instanceof DOMException) && reason.message !== '') {
    return reason.message
  }
  return UNREASONED
}
