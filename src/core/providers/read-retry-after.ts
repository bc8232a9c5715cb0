/** `1h2m3.5s`, `20 seconds`, `200ms`: what follows "try again in"; each unit at most once, in this order. */
const IN_TEXT =
  /(?:try again|retry)(?:ing)? (?:in|after) (?:(\d+) ?h(?:ours?)?)? ?(?:(\d+) ?m(?:in(?:ute)?s?)?(?!s))? ?(?:(\d+(?:\.\d+)?) ?s(?:ec(?:ond)?s?)?)?(?:(\d+(?:\.\d+)?) ?ms)?/i

/** Milliseconds a failed answer asks to wait: the largest of what headers and text say; null when they say nothing. */
export function readRetryAfter(headers: Headers, message: string, now: number): number | null {
  const hints = [
    number(headers.get('retry-after-ms')),
    inHeader(headers.get('retry-after'), now),
    inText(message),
  ].filter((hint) => Number.isFinite(hint) && hint >= 0)
  return hints.length === 0 ? null : Math.round(Math.max(...hints))
}

function inHeader(value: string | null, now: number): number {
  const seconds = number(value)
  if (value === null || Number.isFinite(seconds)) return seconds * 1000
  return Date.parse(value) - now
}

function inText(message: string): number {
  const [, ...parts] = IN_TEXT.exec(message) ?? []
  if (parts.every((part) => part === undefined)) return Number.NaN
  const [hours = 0, minutes = 0, seconds = 0, milliseconds = 0] = parts.map((part) =>
    Number(part ?? 0),
  )
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds
}

function number(value: string | null): number {
  return value === null || value.trim() === '' ? Number.NaN : Number(value)
}
