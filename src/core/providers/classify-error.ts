import type { ProviderErrorClass } from './types.ts'
import { ProviderError } from './types.ts'

/** Pure: status, headers and body of a failed answer → ProviderError. */

const MAX_MESSAGE = 500

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
]
/** Budgets per minute and entitlements speak of tokens and length too, and are no overflow. */
const NOT_OVERFLOW =
  /tokens? per minute|\bTPM\b|per[- ]minute|too many tokens|extra usage is required/i

export interface FailedAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
  readonly apiKey: string | null
}

/** A non-2xx answer. The message is the provider's own words, shortened, without the key. */
export function classifyError({ status, headers, body, apiKey }: FailedAnswer): ProviderError {
  const said = readError(body)
  const message = clean(said.message ?? `HTTP ${status}`, apiKey)
  return new ProviderError(classOf(status, message, said.code), message, {
    status,
    retryAfterMs: readRetryAfter(headers, message),
    param: said.param,
  })
}

/** An error object inside an answer with status 200. */
export function classifyFrame(error: unknown, apiKey: string | null): ProviderError {
  const said = readErrorValue(error)
  const message = clean(said.message ?? 'Unknown error', apiKey)
  const status = Number(said.code)
  const known = Number.isInteger(status) && status >= 400 && status < 600 ? status : 0
  return new ProviderError(classOf(known, message, said.code), message, {
    status: known === 0 ? null : known,
    param: said.param,
    retryAfterMs: readRetryAfter(new Headers(), message),
  })
}

interface Said {
  readonly message: string | null
  readonly code: string | null
  readonly param: string | null
}

function classOf(status: number, message: string, code: string | null): ProviderErrorClass {
  if (status < 500 && isOverflow(message, code)) return 'overflow'
  if (code === 'content_filter' || code === 'content_policy_violation') return 'content_blocked'
  if (status === 401 || status === 403) return 'auth'
  if (code === 'insufficient_quota' || code === 'invalid_api_key') return 'auth'
  if (status === 413) return /rate_limit/.test(code ?? '') ? 'refused' : 'payload_too_large'
  if (status === 429 || /rate.?limit/i.test(code ?? '')) return 'rate_limit'
  if (status === 500 && /pars.{0,20}tool|tool.{0,20}pars/i.test(message)) return 'refused'
  if (status === 408 || status >= 500 || /overloaded/i.test(`${code} ${message}`))
    return 'overloaded'
  return status === 0 ? 'overloaded' : 'refused'
}

function isOverflow(message: string, code: string | null): boolean {
  if (NOT_OVERFLOW.test(message)) return false
  return (
    code === 'context_length_exceeded' ||
    code === 'exceed_context_size_error' ||
    OVERFLOW.some((pattern) => pattern.test(message))
  )
}

function readError(body: string): Said {
  const text = body.trim()
  try {
    return readErrorValue(JSON.parse(text))
  } catch {
    if (text === '') return { message: null, code: null, param: null }
    const html = /^<(?:!doctype|html|head|body)/i.test(text)
    return {
      message: html ? 'The provider answered with an HTML page' : text,
      code: null,
      param: null,
    }
  }
}

/** Finds message, code and param in any of the shapes seen: wrapped, doubly wrapped, flat, in an array, a bare string. */
function readErrorValue(value: unknown, depth = 0): Said {
  if (typeof value === 'string') return { message: value, code: null, param: null }
  if (Array.isArray(value)) return readErrorValue(value[0], depth + 1)
  if (typeof value !== 'object' || value === null || depth > 4) {
    return { message: null, code: null, param: null }
  }
  const fields = value as Record<string, unknown>
  if (typeof fields['error'] === 'object' && fields['error'] !== null) {
    return readErrorValue(fields['error'], depth + 1)
  }
  if (Array.isArray(fields['errors'])) return readErrorValue(fields['errors'], depth + 1)
  const message = [fields['message'], fields['error'], fields['detail']].find(
    (said) => typeof said === 'string',
  )
  const code = [fields['code'], fields['type']].find(
    (said) => typeof said === 'string' || typeof said === 'number',
  )
  return {
    message: typeof message === 'string' ? message : null,
    code: code === undefined ? null : String(code),
    param: typeof fields['param'] === 'string' ? fields['param'] : null,
  }
}

/** Milliseconds; the largest of what headers and text say. */
function readRetryAfter(headers: Headers, message: string): number | null {
  const hints = [
    Number(headers.get('retry-after-ms') ?? Number.NaN),
    retryAfterHeader(headers.get('retry-after')),
    Number(
      /(?:try again|retry) (?:in|after) (\d+(?:\.\d+)?) ?s/i.exec(message)?.[1] ?? Number.NaN,
    ) * 1000,
    Number(
      /(?:try again|retry) (?:in|after) (\d+(?:\.\d+)?) ?ms/i.exec(message)?.[1] ?? Number.NaN,
    ),
  ].filter((hint) => Number.isFinite(hint) && hint >= 0)
  return hints.length === 0 ? null : Math.max(...hints)
}

function retryAfterHeader(value: string | null): number {
  if (value === null || value === '') return Number.NaN
  const seconds = Number(value)
  return Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now()
}

function clean(message: string, apiKey: string | null): string {
  const shown = apiKey ? message.replaceAll(apiKey, '[key]') : message
  const text = shown.toWellFormed().trim()
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE).toWellFormed()}…` : text
}
