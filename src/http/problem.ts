import type { BatonErrorCode, ErrorData } from '../core/errors.ts'
import { toErrorData } from '../core/errors.ts'

/** Status and title of every code; the record is exhaustive, so a new code does not compile without its line. */
export const PROBLEMS: Readonly<Record<BatonErrorCode, readonly [status: number, title: string]>> =
  {
    bad_request: [400, 'Bad request'],
    unauthorized: [401, 'Unauthorized'],
    forbidden: [403, 'Forbidden'],
    not_found: [404, 'Not found'],
    no_handoff: [404, 'No handoff'],
    method_not_allowed: [405, 'Method not allowed'],
    session_busy: [409, 'Session busy'],
    vibe_mode: [409, 'Vibe mode is active'],
    nothing_to_hand_off: [409, 'Nothing to hand off'],
    handoff_in_progress: [409, 'Handoff in progress'],
    handoff_cancelled: [409, 'Handoff cancelled'],
    handoff_aborted: [409, 'Handoff aborted'],
    handoff_committing: [409, 'Handoff is committing'],
    switch_vetoed: [409, 'Switch vetoed'],
    conflict: [409, 'Conflict'],
    payload_too_large: [413, 'Payload too large'],
    unsupported_media_type: [415, 'Unsupported media type'],
    invalid: [422, 'Invalid request'],
    idempotency_mismatch: [422, 'Idempotency key mismatch'],
    no_model: [422, 'No model'],
    no_api_key: [422, 'No API key'],
    context_overflow: [422, 'Context overflow'],
    provider_rate_limited: [429, 'Provider rate limit'],
    rate_limited: [429, 'Rate limited'],
    internal: [500, 'Internal error'],
    provider_error: [502, 'Provider error'],
    empty_document: [502, 'Empty document'],
    truncated_document: [502, 'Truncated document'],
    commit_pending: [503, 'Commit pending'],
    unavailable: [503, 'Unavailable'],
    provider_timeout: [504, 'Provider timeout'],
  }

/** Anything thrown as RFC 9457; what is not a BatonError says nothing of itself. */
export function toProblem(
  thrown: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return problemOf(toErrorData(thrown), headers)
}

/** An error's data as RFC 9457. */
export function problemOf(
  { code, detail, ...more }: ErrorData,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const [status, title] = PROBLEMS[code]
  const { issues, providerStatus, retryAfter, location } = more
  return new Response(
    JSON.stringify({ type: 'about:blank', title, status, code, detail, issues, providerStatus }),
    {
      status,
      headers: {
        'content-type': 'application/problem+json',
        ...(code === 'unauthorized' ? { 'www-authenticate': 'Bearer' } : {}),
        ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
        ...(location === undefined ? {} : { location }),
        ...headers,
      },
    },
  )
}
