import type { Hints } from './read-hints.ts'
import { joinHints, NO_HINTS, readHints } from './read-hints.ts'

/** What a provider says when it fails, out of any shape of body seen so far. */
export interface Said {
  readonly message: string | null
  /** `code`, `type`, `status` and what else names the kind of error, joined by spaces */
  readonly code: string
  /** three digits when one of these is an HTTP status */
  readonly status: number | null
  readonly param: string | null
  /** the provider names what its moderation objected to */
  readonly moderated: boolean
  /** what the body says about asking again */
  readonly hints: Hints
}

type Fields = Readonly<Record<string, unknown>>

const NOTHING: Said = {
  message: null,
  code: '',
  status: null,
  param: null,
  moderated: false,
  hints: NO_HINTS,
}
const PAGE = 'The provider answered with an HTML page'
const DEEPEST = 6
/** Proxies answer with the status in words: `429 Too Many Requests`, `error code: 524`. */
const STATUS_LINE = /^(?:(?:[Ee]rror(?: code)?:?|HTTP(?:\/[\d.]+)?) )?([45]\d\d)(?=:| [A-Z]|$)/

/** Reads the body of a failed answer: JSON in any shape, a page, plain text or nothing. */
export function readErrorBody(body: string): Said {
  const text = body.trim()
  if (text === '') return NOTHING
  try {
    return readErrorValue(JSON.parse(text))
  } catch {
    return readErrorValue(/^<[!?a-z]/i.test(text) ? PAGE : text)
  }
}

/** Finds message, code and param: wrapped, doubly wrapped, flat, in an array, a bare string. */
export function readErrorValue(value: unknown, depth = 0): Said {
  if (typeof value === 'string') {
    const status = STATUS_LINE.exec(value)?.[1]
    return { ...NOTHING, message: value, status: status === undefined ? null : Number(status) }
  }
  if (depth > DEEPEST) return NOTHING
  if (Array.isArray(value)) return readErrorValue(value[0], depth + 1)
  if (!isFields(value)) return NOTHING
  // FastAPI (vLLM, NVIDIA): { loc: ['body', 'tool_choice'], msg }
  if (Array.isArray(value['loc'])) return readDetail(value['loc'], value['msg'])
  const said = readFlat(value)
  // What is wrapped says it better than its wrapping.
  const inner = innerOf(value)
  if (inner !== undefined) return join(readErrorValue(inner, depth + 1), said)
  // OpenRouter says `Provider returned error` and hides what the provider said.
  const metadata = isFields(value['metadata']) ? value['metadata'] : {}
  return join(readRaw(metadata['raw'], depth + 1), said)
}

/** `response` is where a Responses stream that failed has its error. */
function innerOf(value: Fields): unknown {
  const response = isFields(value['response']) ? value['response']['error'] : undefined
  return [value['error'], value['errors'], response, value['detail'], value['message']].find(
    (part) => isFields(part) || (Array.isArray(part) && part.length > 0),
  )
}

function join(inner: Said, outer: Said): Said {
  return {
    message: inner.message ?? outer.message,
    code: `${outer.code} ${inner.code}`.trim(),
    status: outer.status ?? inner.status,
    param: outer.param ?? inner.param,
    moderated: outer.moderated || inner.moderated,
    hints: joinHints(outer.hints, inner.hints),
  }
}

function readFlat(value: Fields): Said {
  const texts = [value['message'], value['error'], value['detail'], value['msg']]
  const message = texts.find((said) => typeof said === 'string' && said.trim() !== '')
  const innerCode = isFields(value['innererror']) ? value['innererror']['code'] : undefined
  const metadata = isFields(value['metadata']) ? value['metadata'] : {}
  const details = Array.isArray(value['details']) ? value['details'].filter(isFields) : []
  const codes = [
    value['code'],
    value['type'],
    value['status'],
    innerCode,
    metadata['error_type'],
    // Google: { '@type': '…ErrorInfo', reason: 'API_KEY_INVALID' }
    ...details.map((detail) => detail['reason']),
  ].filter((said) => typeof said === 'string' || typeof said === 'number')
  const status = codes.map(Number).find((code) => code >= 400 && code < 600)
  return {
    message: typeof message === 'string' ? message : null,
    code: codes.join(' '),
    status: status !== undefined && Number.isInteger(status) ? status : null,
    param: typeof value['param'] === 'string' ? value['param'] : null,
    moderated: innerCode === 'ResponsibleAIPolicyViolation' || Array.isArray(metadata['reasons']),
    hints: readHints(value),
  }
}

function readDetail(loc: readonly unknown[], msg: unknown): Said {
  const place = loc.filter((step) => step !== 'body')
  return {
    ...NOTHING,
    message: typeof msg === 'string' ? [...place, msg].join(' ') : null,
    param: place.length > 0 ? place.join('.') : null,
  }
}

function readRaw(raw: unknown, depth: number): Said {
  if (typeof raw !== 'string') return isFields(raw) ? readErrorValue(raw, depth) : NOTHING
  try {
    return readErrorValue(JSON.parse(raw), depth)
  } catch {
    return raw.trim() === '' || raw.trim().startsWith('<') ? NOTHING : { ...NOTHING, message: raw }
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
