/**
 * The frame around a handoff document, and the only place that knows how text is kept inside it. Pure.
 * Stored text is exact and raw; neutralising happens when text goes into a prompt.
 */

const OPEN = '<handoff-context>\n'
const CLOSE =
  '\n</handoff-context>\n\nThe above is a handoff document from a previous session. Use this context to continue the work seamlessly.'

/** Tags that Baton itself writes into prompts; text must not be able to open or close one. */
const RESERVED = ['handoff-context', 'compaction-summary', 'branch-summary']

/** Characters that hide inside a word without showing: soft hyphen, zero-width, joiners, bidi marks, BOM, NUL. */
const INVISIBLE =
  '\\u0000\\u00ad\\u034f\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff'
const GAP = `[\\s${INVISIBLE}]{0,32}`
const LESS_THAN = '(?:<|＜|﹤|&lt;?|&#0{0,6}60;?|&#[xX]0{0,6}3[cC];?)'
const SLASH = `(?:[/／]|&#0{0,6}47;?|&#[xX]0{0,6}2[fF];?|&sol;)?`

/** `<`, optional gap and slash, then a reserved name whose letters may have invisible characters between them. */
const TAG = new RegExp(
  `${LESS_THAN}(?=${GAP}${SLASH}${GAP}(?:${RESERVED.map(spaced).join('|')}))`,
  'giu',
)

/** Controls and Unicode tag characters that no document needs and that can hide text from a reader. */
const HIDDEN = new RegExp(
  '[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u202a-\\u202e\\u2066-\\u2069]|[\\u{e0000}-\\u{e007f}]',
  'gu',
)

/** The text of the child's first entry, exactly. */
export function wrapDocument(document: string): string {
  return `${OPEN}${document}${CLOSE}`
}

/** The document inside a stored frame; null when the text is not exactly one. */
export function unwrapDocument(text: string): string | null {
  if (!text.startsWith(OPEN) || !text.endsWith(CLOSE)) return null
  if (text.length < OPEN.length + CLOSE.length) return null
  return text.slice(OPEN.length, -CLOSE.length)
}

/** Text that can stand inside any of Baton's frames: hidden characters removed, reserved tags made inert. Idempotent. */
export function neutralise(text: string): string {
  return text.replace(HIDDEN, '').replace(TAG, '‹')
}

/** A stored frame as a prompt carries it: exactly one opening and one closing tag. */
export function toPromptFrame(stored: string): string {
  const document = unwrapDocument(stored)
  return document === null ? neutralise(stored) : wrapDocument(neutralise(document))
}

/** What a viewer shows: text between the tags, trimmed; without tags everything (I7). */
export function viewDocument(text: string): string {
  const exact = unwrapDocument(text)
  if (exact !== null) return exact.trim()
  const open = text.indexOf('<handoff-context>')
  if (open < 0) return text.trim()
  const rest = text.slice(open + '<handoff-context>'.length)
  const close = rest.indexOf('</handoff-context>')
  return (close < 0 ? rest : rest.slice(0, close)).trim()
}

function spaced(name: string): string {
  return [...name]
    .map((letter) => (letter === '-' ? '[-‐‑‒–—−－]' : letter))
    .join(`[${INVISIBLE}]{0,8}`)
}
