import { toWellFormed } from '../transcript/well-formed.ts'
import { classifyFrame } from './classify-error.ts'
import type { Fields } from './fields.ts'
import { isFields } from './fields.ts'
import { secretsOf } from './secrets-of.ts'
import type { Model } from './types.ts'
import { ProviderError } from './types.ts'

/** What all wires do with the pieces of an answer, whatever these look like. */

const BROKE_OFF = 'The provider’s answer broke off before its end'
const HTML_PAGE = 'The provider answered with an HTML page'

/** The error of an answer that ended before its end. */
export function brokeOff(): ProviderError {
  return new ProviderError('truncated', BROKE_OFF)
}

/**
 * One `data` text as an object. Throws ProviderError for `{error}`, a JSON string, a line of text, a page. What a flat
 * error is, each wire knows by what it would look for instead.
 */
export function readFrame(data: string, model: Model): Fields {
  return checkFrame(parseFrame(data, model), model)
}

/** One `data` text as whatever JSON it is. Throws ProviderError for what is no JSON. */
export function parseFrame(data: string, model: Model): unknown {
  try {
    return JSON.parse(data)
  } catch {
    // A piece of JSON was cut off; it may hold the answer's text, so it is not shown.
    if (/^\s*[{[]/.test(data)) throw brokeOff()
    // Proxies put plain text or a page into a 200; a lone line of it is their error message.
    throw classifyFrame(/^\s*</.test(data) ? HTML_PAGE : data, secretsOf(model))
  }
}

/** The value when it is an object that reports no error. Throws ProviderError for every other. */
export function checkFrame(value: unknown, model: Model): Fields {
  if (!isFields(value)) throw classifyFrame(value, secretsOf(model))
  const { error } = value
  if (isFields(error) || (typeof error === 'string' && error !== '')) {
    throw classifyFrame(value, secretsOf(model))
  }
  return value
}

/** True for `{message}`, `{detail}`, `{msg}` or `{errors}` alone, as servers and proxies report an error without a wrapper. */
export function isFlatError(frame: Fields): boolean {
  const said = frame['message'] ?? frame['detail'] ?? frame['msg']
  return (
    typeof said === 'string' || Array.isArray(frame['detail']) || Array.isArray(frame['errors'])
  )
}

/** Arguments that are no JSON object are kept as they came, under `raw`, so that nothing is lost or made up. */
export function parseArguments(json: string): Fields {
  if (json.trim() === '') return {}
  try {
    const { value } = toWellFormed(JSON.parse(json))
    return isFields(value) ? value : { raw: json.toWellFormed() }
  } catch {
    return { raw: json.toWellFormed() }
  }
}

/** Pieces of text as one, without halves of characters. */
export function joinText(parts: readonly string[]): string {
  return parts.join('').toWellFormed()
}
