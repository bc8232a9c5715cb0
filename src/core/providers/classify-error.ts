import { cleanMessage } from './clean-message.ts'
import { exceedsBudget, isOverflow } from './is-overflow.ts'
import type { Said } from './read-error.ts'
import { readErrorBody, readErrorValue } from './read-error.ts'
import { readRetryAfter } from './read-retry-after.ts'
import type { ProviderErrorClass } from './types.ts'
import { ProviderError } from './types.ts'

/** Pure, with `now` given: status, headers and body of a failed answer → ProviderError. */

/** Characters of a message that are looked at; a stream's event may have millions. */
const MAX_READ = 64_000

/** Nothing to wait for. Not `billing` or `quota` alone: ordinary rate limits advertise that page and use that word. */
const SPENT =
  /insufficient_quota|exceeded_current_quota|billing_error|budget_exceeded|budget has been exceeded|extra usage is required|spend(?:ing)?[ _-](?:limit|cap)|(?:specified|monthly) (?:API )?usage limit|credit balance|out of credits|insufficient (?:credits|balance|funds)|daily free allocation/i
/** Gemini and xAI refuse a key with 400. */
const BAD_KEY =
  /invalid_api_key|api_key_invalid|api key (?:is )?(?:not valid|invalid|expired)|(?:invalid|incorrect) api key/i
const AUTH_CODE =
  /authentication_error|permission_error|insufficient_quota|unauthenticated|permission_denied/i
const BLOCKED_CODE = /content_filter|content_policy_violation|ResponsibleAIPolicyViolation/i
const BLOCKED =
  /blocked by content filter|content management policy|violat\w{0,4} .{0,40}(?:usage|content) (?:polic|guideline)/i
/** Codes in a 200's error frame that say the request itself was wrong. */
const DETERMINISTIC =
  /\binvalid_|bad_?request|unsupported|not_?found|unprocessable|validation_error|failed_precondition/i
const LIMITED = /rate.?limit|resource_exhausted|throttl|too_many_requests/i
/** Frames without a code, in words. */
const LIMITED_WORDS = /rate limit|too many requests|too many tokens(?:,| per)/i

export interface FailedAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
  /** what must not be shown; see secretsOf */
  readonly secrets: readonly string[]
  /** milliseconds since 1970; the real clock's when left out */
  readonly now?: number
}

/** A non-2xx answer. The message is the provider's own words, shortened, without the key. */
export function classifyError({
  status,
  headers,
  body,
  secrets,
  now,
}: FailedAnswer): ProviderError {
  const said = readErrorBody(body)
  // Cerebras and others refuse a prompt that is too long with a status and not a word.
  const silent = body.trim() === '' && (status === 400 || status === 413)
  const message = said.message || `HTTP ${status}`
  const cls = silent ? 'overflow' : classOf(status, message.slice(0, MAX_READ), said)
  // A conflict or a call that came too early is a refusal unless the provider says that it passes.
  const passes = headers.get('x-should-retry') === 'true' && (status === 409 || status === 425)
  return toError(passes ? 'overloaded' : cls, status, message, said, headers, secrets, now)
}

/** An error object inside an answer with status 200. `now` as in FailedAnswer. */
export function classifyFrame(
  error: unknown,
  secrets: readonly string[],
  now?: number,
): ProviderError {
  const said = readErrorValue(error)
  const message = said.message || 'Unknown error'
  const cls = classOf(said.status ?? 0, message.slice(0, MAX_READ), said)
  return toError(cls, said.status, message, said, new Headers(), secrets, now)
}

function toError(
  cls: ProviderErrorClass,
  status: number | null,
  whole: string,
  { param, hints }: Said,
  headers: Headers,
  secrets: readonly string[],
  now = Date.now(),
): ProviderError {
  const message = whole.slice(0, MAX_READ)
  const limited = cls === 'rate_limit'
  return new ProviderError(cls, cleanMessage(message, secrets), {
    status,
    param,
    retryAfterMs: readRetryAfter({ headers, message, hints, limited }, now),
  })
}

/** `status` 0: there was none, the error came inside a 200. */
function classOf(status: number, message: string, { code, moderated }: Said): ProviderErrorClass {
  const framed = status === 0
  const text = `${code} ${message}`
  if (isOverflow(status, message, code)) return 'overflow'
  if (moderated || BLOCKED_CODE.test(code)) return 'content_blocked'
  if ((framed || status === 400 || status === 403) && BLOCKED.test(message)) {
    return 'content_blocked'
  }
  if (status === 401 || status === 403) return 'auth'
  if (status < 500 && BAD_KEY.test(text)) return 'auth'
  if (AUTH_CODE.test(code)) return 'auth'
  // Groq's 413 is a budget per minute that this one request exceeds: neither bytes nor waiting.
  if (status < 500 && exceedsBudget(status, message)) return 'refused'
  if (status === 413) return LIMITED.test(code) ? 'refused' : 'payload_too_large'
  if (status < 429 && /request_too_large/.test(code)) return 'payload_too_large'
  if ((framed || status === 429) && SPENT.test(text)) return 'refused'
  if (status === 429 || (framed && (LIMITED.test(code) || LIMITED_WORDS.test(message)))) {
    return 'rate_limit'
  }
  // llama.cpp: the model wrote a tool call that is no JSON; it would again.
  if (status === 500 && /pars.{0,20}tool|tool.{0,20}pars/i.test(message)) return 'refused'
  if (framed) return DETERMINISTIC.test(code) ? 'refused' : 'overloaded'
  return status === 408 || (status >= 500 && status !== 501) ? 'overloaded' : 'refused'
}
