import { cleanMessage } from './clean-message.ts'
import type { Said } from './read-error.ts'
import { readErrorBody, readErrorValue } from './read-error.ts'
import { readRetryAfter } from './read-retry-after.ts'
import type { ProviderErrorClass } from './types.ts'
import { ProviderError } from './types.ts'

/** Pure: status, headers and body of a failed answer → ProviderError. */

/** Texts of many vendors for a prompt that exceeds the model's window; collected from their answers. */
const OVERFLOW = [
  /prompt is too long/i,
  /exceeds? (?:the|this) (?:model'?s? )?(?:maximum )?(?:context|available context)/i,
  /context[ _-]?(?:length|window)[ _-]?(?:is )?exceed/i,
  /exceeds? the context window/i,
  /context window (?:of this model|exceeds|limit)/i,
  /maximum context length/i,
  /maximum prompt length/i,
  /model'?s context length/i,
  /input is too long/i,
  /input length .{0,40}exceed/i,
  /input tokens? (?:count )?.{0,40}exceed/i,
  /exceeds? the available context size/i,
  /reduce the length of the messages/i,
  /exceeded model token limit/i,
  /prompt too long|prompt exceeds max length/i,
  /prompt token count of \d+ exceeds/i,
  /range of input length should be/i,
  /too large for model with \d+ maximum context length/i,
  /tokens to keep from the initial prompt is greater than the context length/i,
  /exceeded this model context window/i,
  /input token count .{0,40}exceeds/i,
  /ContextWindowExceeded/i,
]
/** llama.cpp of old says it with 500, and nothing else does. */
const OVERFLOW_500 = /too large to process.{0,80}batch size/i
/** Budgets per minute and entitlements speak of tokens and length too, and are no overflow. */
const NOT_OVERFLOW =
  /tokens? per minute|\bTPM\b|per[- ]minute|too many tokens|extra usage is required/i
/** A 429 that no waiting helps. Not `billing` alone: ordinary rate limits advertise that page. */
const SPENT = /insufficient_quota|billing_error|extra usage is required/i
/** Gemini and xAI refuse a key with 400. */
const BAD_KEY =
  /invalid_api_key|api key (?:is )?(?:not valid|invalid)|(?:invalid|incorrect) api key/i
/** Codes in a 200's error frame that say the request itself was wrong. */
const DETERMINISTIC =
  /invalid_request|invalid_parameter|invalid_argument|invalid_value|bad_?request|unsupported|not_found/i

export interface FailedAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
  /** what must not be shown; see secretsOf */
  readonly secrets: readonly string[]
}

/** A non-2xx answer. The message is the provider's own words, shortened, without the key. */
export function classifyError({ status, headers, body, secrets }: FailedAnswer): ProviderError {
  const said = readErrorBody(body)
  // Cerebras and others refuse a prompt that is too long with a status and not a word.
  const silent = body.trim() === '' && (status === 400 || status === 413)
  const message = said.message ?? `HTTP ${status}`
  return new ProviderError(
    silent ? 'overflow' : classOf(status, message, said),
    cleanMessage(message, secrets),
    {
      status,
      retryAfterMs: readRetryAfter(headers, message, Date.now()),
      param: said.param,
    },
  )
}

/** An error object inside an answer with status 200. */
export function classifyFrame(error: unknown, secrets: readonly string[]): ProviderError {
  const said = readErrorValue(error)
  const message = said.message || 'Unknown error'
  return new ProviderError(
    classOf(said.status ?? 0, message, said),
    cleanMessage(message, secrets),
    {
      status: said.status,
      param: said.param,
      retryAfterMs: readRetryAfter(new Headers(), message, Date.now()),
    },
  )
}

/** `status` 0: there was none, the error came inside a 200. */
function classOf(status: number, message: string, { code, moderated }: Said): ProviderErrorClass {
  if (isOverflow(status, message, code)) return 'overflow'
  if (moderated || /content_filter|content_policy_violation/.test(code)) return 'content_blocked'
  if (status === 401 || status === 403) return 'auth'
  if (status < 500 && BAD_KEY.test(`${code} ${message}`)) return 'auth'
  if (/authentication_error|permission_error|insufficient_quota/.test(code)) return 'auth'
  // Groq's 413 is a budget per minute that this one request exceeds: neither bytes nor waiting.
  if (status === 413) {
    return /rate_limit/.test(code) || NOT_OVERFLOW.test(message) ? 'refused' : 'payload_too_large'
  }
  if (status < 429 && /request_too_large/.test(code)) return 'payload_too_large'
  if (status === 429 && SPENT.test(`${code} ${message}`)) return 'refused'
  if (status === 429 || /rate.?limit/i.test(code)) return 'rate_limit'
  // llama.cpp: the model wrote a tool call that is no JSON; it would again.
  if (status === 500 && /pars.{0,20}tool|tool.{0,20}pars/i.test(message)) return 'refused'
  if (status === 408 || status >= 500 || /overloaded/i.test(`${code} ${message}`)) {
    return 'overloaded'
  }
  return status === 0 && !DETERMINISTIC.test(code) ? 'overloaded' : 'refused'
}

function isOverflow(status: number, message: string, code: string): boolean {
  if (status >= 500) return OVERFLOW_500.test(message)
  if (NOT_OVERFLOW.test(message)) return false
  return (
    /context_length_exceeded|exceed_context_size_error|model_context_window_exceeded/.test(code) ||
    OVERFLOW.some((pattern) => pattern.test(message))
  )
}
