const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** Deepest nesting of JSON that is taken in, in a body as in a session file; real sessions stay below 20. */
export const MAX_DEPTH = 64

/**
 * True when arrays and objects of this JSON text nest deeper than `max`; a scalar has depth 0.
 * Says nothing about whether the text is JSON: it runs before `JSON.parse`, whose recursion it guards.
 */
export function exceedsDepth(text: string, max: number): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at)
        break
      case OPEN_BRACKET:
      case OPEN_BRACE:
        depth += 1
        if (depth > max) return true
        break
      case CLOSE_BRACKET:
      case CLOSE_BRACE:
        // surplus closers must not buy credit for what follows
        if (depth > 0) depth -= 1
        break
    }
  }
  return false
}

/** Index of the closing quote. `indexOf` skips long strings natively; each backslash is looked at once. */
function endOfString(text: string, start: number): number {
  let at = start
  for (;;) {
    const quote = text.indexOf('"', at + 1)
    if (quote < 0) return text.length
    let before = quote - 1
    while (before > at && text.charCodeAt(before) === BACKSLASH) before -= 1
    if ((quote - 1 - before) % 2 === 0) return quote
    at = quote
  }
}
