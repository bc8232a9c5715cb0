/**
 * Text → lines, sentences and excerpts. Everything is bounded: a message may be one line of several megabytes,
 * and whatever is quoted must not be able to change the structure of the document that quotes it.
 */

/** A longer text is read at both ends only; what matters in a paste stands there. */
const HEAD = 120_000
const TAIL = 60_000
/** Nothing behind this column of a line is looked at. */
const WIDTH = 4_000
const MOST_SENTENCES = 60
const MOST_CODE_LINES = 24

/** Where an excerpt has to end: controls, fences, and the tags Baton frames documents with. */
const CONTROLS =
  '\\u0000-\\u0008\\u000a-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069\\u{e0000}-\\u{e007f}'
const SEPARATOR = new RegExp(
  `[${CONTROLS}]|[\`~]{3,}|</?(?:handoff-context|compaction-summary|branch-summary)`,
  'iu',
)
/** Block markup (and terminal colours) at the start of a line. */
const MARKER =
  /^(?:#{1,6}(?=\s|$)|#{7,}|>{1,}|[-*+•](?=\s)|\d{1,3}[.)](?=\s)|\[[ xX~/-]\](?=\s|$)|\[\d{0,3}(?:;\d{1,3}){0,4}m|\|)\s{0,80}/
const MOST_MARKERS = 24
const SENTENCE_END = /[.!?]["'`)*\]]{0,3}(?=\s{1,8}[^\p{Ll}\s])|[。！？]/gu
const WORD = /[\p{L}\p{N}]/u

/** A text taken apart; `code` holds the lines of each fenced block. */
export interface TextParts {
  readonly prose: readonly string[]
  readonly code: readonly (readonly string[])[]
}

/** Separates prose lines from fenced code; an unclosed fence reaches to the end, as in Markdown. */
export function readText(text: string): TextParts {
  const prose: string[] = []
  const code: string[][] = []
  let fence: { readonly mark: string; readonly length: number; readonly lines: string[] } | null =
    null
  for (const part of readable(text)) {
    for (const line of splitLines(part)) {
      const mark = fenceMark(line)
      if (fence === null) {
        if (mark === null) prose.push(line)
        else fence = { mark: mark.mark, length: mark.length, lines: [] }
      } else if (mark?.mark === fence.mark && mark.length >= fence.length && mark.bare) {
        code.push(fence.lines)
        fence = null
      } else if (fence.lines.length < MOST_CODE_LINES) fence.lines.push(line)
    }
  }
  if (fence !== null) code.push(fence.lines)
  return { prose, code }
}

/** The lines of a text that are not blank, each bounded in width. */
export function splitLines(text: string): readonly string[] {
  const lines: string[] = []
  let start = 0
  while (start <= text.length) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    const line = slice(text, start, Math.min(end, start + WIDTH)).trimEnd()
    if (line !== '') lines.push(line)
    start = end + 1
  }
  return lines
}

/** The sentences of one line, verbatim. */
export function splitSentences(line: string): readonly string[] {
  const sentences: string[] = []
  let start = 0
  for (const match of line.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length
    const sentence = line.slice(start, end).trim()
    if (sentence !== '') sentences.push(sentence)
    start = end
    if (sentences.length >= MOST_SENTENCES) return sentences
  }
  const rest = line.slice(start).trim()
  if (rest !== '') sentences.push(rest)
  return sentences
}

/** The longest run of a line that can stand in a list item: no block markup, fence, control or frame tag; `''` when nothing is left. */
export function excerpt(line: string): string {
  const bounded = slice(line, 0, WIDTH)
  let text = bounded
  if (SEPARATOR.test(bounded)) {
    text = ''
    for (const part of bounded.split(SEPARATOR)) if (part.length > text.length) text = part
  }
  text = text.trim()
  for (let count = 0; count < MOST_MARKERS; count++) {
    const marker = MARKER.exec(text)
    if (marker === null) return WORD.test(text) ? text : ''
    text = text.slice(marker[0].length)
  }
  return ''
}

/** True when a line has nothing that an excerpt would have to leave out. */
export function isQuotable(line: string): boolean {
  return !SEPARATOR.test(line)
}

/** At most `most` characters; what was cut ends in an ellipsis, at a space when one is near. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = slice(text, 0, most - 1)
  const space = cut.lastIndexOf(' ')
  return `${(space > most - 40 ? cut.slice(0, space) : cut).trimEnd()}…`
}

/** `text.slice(start, end)` that leaves out a half surrogate pair at either edge. */
export function slice(text: string, start: number, end: number): string {
  const from = start > 0 && isLow(text, start) && isHigh(text, start - 1) ? start + 1 : start
  const to = end < text.length && isLow(text, end) && isHigh(text, end - 1) ? end - 1 : end
  return text.slice(from, Math.max(from, to))
}

function isHigh(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800
}

function isLow(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00
}

function readable(text: string): readonly string[] {
  if (text.length <= HEAD + TAIL) return [text]
  return [slice(text, 0, HEAD), slice(text, text.length - TAIL, text.length)]
}

function fenceMark(
  line: string,
): { readonly mark: string; readonly length: number; readonly bare: boolean } | null {
  const text = line.trimStart()
  if (!text.startsWith('```') && !text.startsWith('~~~')) return null
  const mark = text.charAt(0)
  let length = 3
  while (text.charAt(length) === mark) length++
  const info = text.slice(length)
  // a backtick behind an opening run makes it inline code, not a fence
  if (mark === '`' && info.includes('`')) return null
  return { mark, length, bare: info.trim() === '' }
}
