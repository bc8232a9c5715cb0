/** Text → the lines and sentences worth quoting. Pure; linear in the text. */

/** Characters of one message that are looked at: the beginning and the end say what the middle elaborates. */
const HEAD = 12_000
const TAIL = 8_000
const MAX_LINE = 240

/** A text without its middle when it is very long. */
export function clipText(text: string): string {
  if (text.length <= HEAD + TAIL) return text
  return `${text.slice(0, HEAD)}\n${text.slice(-TAIL)}`
}

/** Lines outside code fences, split into sentences; markup of lists and headings removed. */
export function toSentences(text: string): readonly string[] {
  const sentences: string[] = []
  let fenced = false
  for (const line of clipText(text).split('\n')) {
    if (/^\s{0,8}(?:```|~~~)/.test(line)) {
      fenced = !fenced
      continue
    }
    if (fenced || line.length > 4_000) continue
    const bare = stripMarkup(line)
    if (bare === '') continue
    for (const sentence of bare.split(/(?<=[.!?。！？])\s+/)) {
      if (sentence.length > 3) sentences.push(sentence)
    }
  }
  return sentences
}

/** The last fenced block of a text, without its fences; null when there is none. */
export function lastCodeBlock(text: string): string | null {
  const end = text.lastIndexOf('\n```')
  if (end < 0) return null
  const start = text.lastIndexOf('```', end - 1)
  if (start < 0) return null
  const body = text.slice(text.indexOf('\n', start) + 1, end)
  return body.trim() === '' || body.includes('```') ? null : body
}

/** One line that cannot break the document it is quoted in, cut at a length with an ellipsis. */
export function quote(text: string, most = MAX_LINE): string {
  const line = text
    .slice(0, most * 4)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll('```', "'''")
  if (line.length <= most) return line.toWellFormed()
  const cut = line.slice(0, most)
  const space = cut.lastIndexOf(' ')
  return `${cut.slice(0, space > most / 2 ? space : most).toWellFormed()}…`
}

function stripMarkup(line: string): string {
  return line
    .slice(0, 4_000)
    .trim()
    .replace(/^(?:#{1,6}\s+|[-*+]\s+(?!\[)|\d{1,3}[.)]\s+|>\s*)/, '')
    .trim()
}
