/** A provider's own words, made fit to show: no keys in any spelling, no stack, not too long. */

const MAX_MESSAGE = 500
const KEY = '[key]'
/** Shorter secrets are words (`none`, `ollama`): removed where they stand alone, not out of the middle of others. */
const SHORT = 8

/** A word that may be a key: `*`, `•`, `…` and three dots stand for what was left out of it. */
const WORD = /[\w*•…-]+(?:\.{3}[\w*•…-]*)?/g
const MASK = /(?:\*{2,}|•+|…|\.{3})+/
const STARS = /\*{2,}|•{2,}/
const VENDOR = /^(?:(?:sk|pk|key|gsk|xai)[-_]|AIza)[\w-]{2}/
/** A whole key, if not ours: that of whoever runs the proxy. */
const WHOLE_KEY = /^(?:sk-[\w-]{16}|(?:gsk_|xai-)\w{20}|AIza[\w-]{30})/
const IN_URL = /([?&;](?:key|api[_-]?key|(?:access[_-]?)?token)=)[^&\s"'<>]+/gi

const STACK_LINE = /^\s+at |^\s*Traceback \(|^\s*File "/

/** Pure: removes `secrets`, and what looks like a key, then the stack, and shortens to 500 characters. */
export function cleanMessage(message: string, secrets: readonly string[]): string {
  const text = withoutStack(withoutKeys(message, secrets)).toWellFormed().trim()
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE - 1).toWellFormed()}…` : text
}

function withoutKeys(message: string, secrets: readonly string[]): string {
  // The longest first: one secret may begin with another.
  const forms = secrets.flatMap(formsOf).sort((a, b) => b.length - a.length)
  const shown = forms.reduce((text, form) => text.replaceAll(toPattern(form), KEY), message)
  return shown
    .replace(IN_URL, `$1${KEY}`)
    .replace(WORD, (word) => (isKey(word, secrets) ? KEY : word))
}

/** A secret as URLs, JSON and base64 spell it. */
function formsOf(secret: string): readonly string[] {
  const whole = secret.toWellFormed()
  if (whole.trim() === '') return []
  const inUrl = encodeURIComponent(whole)
  const inJson = JSON.stringify(whole).slice(1, -1)
  return [
    ...new Set([
      whole,
      inUrl,
      inUrl.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
      inJson,
      inJson.replaceAll('/', '\\/'),
      ...(whole.length < SHORT ? [] : inBase64(whole)),
    ]),
  ]
}

/** In base64 it looks different by where in the encoded text it stands (`user:key`): its middle, for each of three. */
function inBase64(secret: string): readonly string[] {
  const bytes = String.fromCharCode(...new TextEncoder().encode(secret))
  return [0, 1, 2].flatMap((before) => {
    const encoded = btoa('\0'.repeat(before) + bytes)
    const first = Math.ceil((before * 8) / 6)
    const middle = encoded.slice(first, Math.floor(((before + bytes.length) * 8) / 6))
    return [middle, middle.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

function toPattern(form: string): RegExp {
  const exact = form.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return new RegExp(form.length < SHORT ? `(?<![\\w-])${exact}(?![\\w-])` : exact, 'g')
}

/** `sk-ab****yz`, `****yz`: what providers show of the key they were given. */
function isKey(word: string, secrets: readonly string[]): boolean {
  if (WHOLE_KEY.test(word)) return true
  if (!MASK.test(word)) return false
  const stars = STARS.test(word)
  if (stars && VENDOR.test(word)) return true
  const parts = word.split(MASK)
  const start = parts.at(0) ?? ''
  const end = parts.at(-1) ?? ''
  return secrets.some(
    (secret) =>
      secret.length >= SHORT &&
      ((stars && word.startsWith(secret.slice(0, 4))) ||
        (start.length + end.length > 1 && secret.startsWith(start) && secret.endsWith(end))),
  )
}

/** A stack says where in somebody's code; the line before it says what. Python puts that line last. */
function withoutStack(message: string): string {
  // Also where the line ends are still escaped
  const lines = message.split(/\r\n|[\r\n]|\\n/).filter((line) => line.trim() !== '')
  if (!lines.some((line) => STACK_LINE.test(line))) return message
  const first = lines.at(0) ?? ''
  const last = lines.at(-1) ?? ''
  return STACK_LINE.test(first) && /^\S/.test(last) ? last : first
}
