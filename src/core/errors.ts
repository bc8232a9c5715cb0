/** Every refusal and failure that Baton names to the outside. The list is closed: HTTP maps each code once. */
export type BatonErrorCode =
  | 'bad_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'no_handoff'
  | 'method_not_allowed'
  | 'session_busy'
  | 'vibe_mode'
  | 'nothing_to_hand_off'
  | 'handoff_in_progress'
  | 'handoff_cancelled'
  | 'handoff_aborted'
  | 'handoff_committing'
  | 'switch_vetoed'
  | 'no_model'
  | 'no_api_key'
  | 'provider_error'
  | 'provider_timeout'
  | 'empty_document'
  | 'truncated_document'
  | 'context_overflow'
  | 'provider_rate_limited'
  | 'commit_pending'
  | 'conflict'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'invalid'
  | 'idempotency_mismatch'
  | 'rate_limited'
  | 'internal'
  | 'unavailable'

/** One place of a request that does not fit; `path` is dotted, empty for the body itself. */
export interface Issue {
  readonly path: string
  readonly message: string
}

/** What an error says besides its code. Everything here may be shown to the caller. */
export interface ErrorDetails {
  readonly issues?: readonly Issue[]
  /** HTTP status of the provider's answer */
  readonly providerStatus?: number
  /** seconds until a retry makes sense */
  readonly retryAfter?: number
  /** path of the resource that tells how it went on */
  readonly location?: string
}

/** An error as plain data: the form in which it crosses a Durable Object's boundary. */
export interface ErrorData extends ErrorDetails {
  readonly code: BatonErrorCode
  readonly detail: string
}

/** The only error class that Baton throws on purpose. `message` is fit to show to a person. */
export class BatonError extends Error {
  override readonly name = 'BatonError'
  readonly code: BatonErrorCode
  readonly details: ErrorDetails

  constructor(code: BatonErrorCode, detail: string, details: ErrorDetails = {}) {
    super(detail)
    this.code = code
    this.details = details
  }
}

const MAX_ISSUES = 20

/** 422 with the places that do not fit, the first twenty of them. */
export function invalid(issues: readonly Issue[]): BatonError {
  const [first] = issues
  const where = first === undefined || first.path === '' ? 'The body' : first.path
  return new BatonError('invalid', `${where}: ${first?.message ?? 'does not fit'}`, {
    issues: issues.slice(0, MAX_ISSUES),
  })
}

/** True by shape, so that it also holds for an error that crossed an object boundary. */
export function isBatonError(value: unknown): value is BatonError {
  return value instanceof Error && value.name === 'BatonError' && 'code' in value
}

/** Turns anything thrown into data. What is no BatonError, and wraps none, becomes `internal` and says nothing of its cause. */
export function toErrorData(thrown: unknown): ErrorData {
  for (const error of causes(thrown)) {
    if (isBatonError(error)) return { code: error.code, detail: error.message, ...error.details }
  }
  return { code: 'internal', detail: 'Something went wrong on our side' }
}

/** An error and what caused it, outermost first. Not endless: a cause may be a circle. */
export function causes(thrown: unknown): readonly Error[] {
  const found: Error[] = []
  for (let error = thrown; error instanceof Error && !found.includes(error); error = error.cause) {
    found.push(error)
  }
  return found
}

/** The inverse of `toErrorData`. */
export function fromErrorData({ code, detail, ...details }: ErrorData): BatonError {
  return new BatonError(code, detail, details)
}

/** How a call answers across an object boundary, where thrown classes do not survive. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: ErrorData }
