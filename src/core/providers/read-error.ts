/** What a provider says when it fails, out of any shape of body seen so far. */
export interface Said {
  readonly message: string | null
  /** `code` and `type`, whichever are there, joined by a space */
  readonly code: string
  /** three digits when `code` is an HTTP status */
  readonly status: number | null
  readonly param: string | null
  /** the provider names what its moderation objected to */
  readonly moderated: boolean
}

type Fields = Readonly<Record<string, unknown>>

const NOTHING: Said = { message: null, code: '', status: null, param: null, moderated: false }
const PAGE = 'The provider answered with an HTML page'

/** Reads the body of a failed answer: JSON in any shape, a page, plain text or nothing. */
export function readErrorBody(body: string): Said {
  const text = body.trim()
  if (text === '') return NOTHING
  try {
    return readErrorValue(JSON.parse(text))
  } catch {
    return { ...NOTHING, message: /^<(?:!|\?xml|html|head|body)/i.test(text) ? PAGE : text }
  }
}

/** Finds message, code and param: wrapped, doubly wrapped, flat, in an array, a bare string. */
export function readErrorValue(value: unknown, depth = 0): Said {
  if (typeof value === 'string') return { ...NOTHING, message: value }
  if (depth > 4) return NOTHING
  if (Array.isArray(value)) return readErrorValue(value[0], depth + 1)
  if (!isFields(value)) return NOTHING
  if (isFields(value['error'])) return readErrorValue(value['error'], depth + 1)
  if (Array.isArray(value['errors'])) return readErrorValue(value['errors'], depth + 1)
  // FastAPI (vLLM, NVIDIA): [{ loc: ['body', 'tool_choice'], msg }]
  if (Array.isArray(value['detail'])) return readDetail(value['detail'][0])
  const said = readFlat(value)
  // OpenRouter says `Provider returned error` and hides what the provider said.
  const metadata = isFields(value['metadata']) ? value['metadata'] : {}
  const moderated = said.moderated || Array.isArray(metadata['reasons'])
  if (typeof metadata['raw'] !== 'string') return { ...said, moderated }
  const inner = readRaw(metadata['raw'], depth + 1)
  return {
    message: inner.message ?? said.message,
    code: `${said.code} ${inner.code}`.trim(),
    status: said.status ?? inner.status,
    param: said.param ?? inner.param,
    moderated: moderated || inner.moderated,
  }
}

function readFlat(value: Fields): Said {
  const message = [value['message'], value['error'], value['detail']].find(
    (said) => typeof said === 'string',
  )
  const inner = isFields(value['innererror']) ? value['innererror']['code'] : undefined
  const codes = [value['code'], value['type'], inner].filter(
    (said) => typeof said === 'string' || typeof said === 'number',
  )
  const status = codes.map(Number).find((code) => code >= 400 && code < 600)
  return {
    message: typeof message === 'string' ? message : null,
    code: codes.join(' '),
    status: status !== undefined && Number.isInteger(status) ? status : null,
    param: typeof value['param'] === 'string' ? value['param'] : null,
    moderated: inner === 'ResponsibleAIPolicyViolation',
  }
}

function readDetail(value: unknown): Said {
  if (!isFields(value)) return readErrorValue(value, 4)
  const place = Array.isArray(value['loc']) ? value['loc'].filter((step) => step !== 'body') : []
  return {
    ...NOTHING,
    message: typeof value['msg'] === 'string' ? [...place, value['msg']].join(' ') : null,
    param: place.length > 0 ? place.join('.') : null,
  }
}

function readRaw(raw: string, depth: number): Said {
  try {
    return readErrorValue(JSON.parse(raw), depth)
  } catch {
    return raw.trim() === '' || raw.trim().startsWith('<') ? NOTHING : { ...NOTHING, message: raw }
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
