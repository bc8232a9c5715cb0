const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/** What JSON from outside may be, in a body as in a line of a session file. */
export interface JsonLimits {
  /** arrays and objects inside each other; a scalar has depth 0. Real sessions stay below 20 */
  readonly depth: number
  /** values in all: each takes many times its text once it is parsed, and an isolate has 128 MB */
  readonly values: number
}

export const JSON_LIMITS: JsonLimits = { depth: 64, values: 250_000 }

/**
 * The limit that this JSON text exceeds, null when it keeps both. Says nothing about whether the text is JSON: it
 * runs before `JSON.parse`, whose recursion and memory it guards. Linear, and strings are skipped natively.
 */
export function exceededLimit(text: string, limits = JSON_LIMITS): keyof JsonLimits | null {
  let depth = 0
  let values = 1
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at)
        break
      case COMMA:
        values += 1
        if (values > limits.values) return 'values'
        break
      case OPEN_BRACKET:
      case OPEN_BRACE:
        depth += 1
        values += 1
        if (depth > limits.depth) return 'depth'
        if (values > limits.values) return 'values'
        break
      case CLOSE_BRACKET:
      case CLOSE_BRACE:
        // surplus closers must not buy credit for what follows
        if (depth > 0) depth -= 1
        break
    }
  }
  return null
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
