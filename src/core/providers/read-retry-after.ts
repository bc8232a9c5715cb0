import type { Hints } from './read-hints.ts'

/** Everything a failed answer has that may say when to ask again. */
export interface Asked {
  readonly headers: Headers
  readonly message: string
  readonly hints: Hints
  /** a limit was hit: then the headers that tell when limits are full again count as well */
  readonly limited: boolean
}

/** `1h2m3.5s`, `20 seconds`, `200ms`: each unit at most once, in this order. */
const DURATION =
  '(?:(\\d+) ?h(?:ours?)?(?![a-z]))? ?(?:(\\d+) ?m(?:in(?:ute)?s?)?(?![a-z]))? ?(?:(\\d+(?:\\.\\d+)?) ?s(?:ec(?:ond)?s?)?(?![a-z]))? ?(?:(\\d+(?:\\.\\d+)?) ?ms)?'
const IN_TEXT = new RegExp(
  `(?:(?:try again|retry(?:ing)?) (?:in|after)|wait(?: for)?) (?=\\d)${DURATION}`,
  'i',
)
const ALONE = new RegExp(`^${DURATION}$`, 'i')

/** More than anybody here waits for, so that the caller hears of it at once. */
const NOT_SOON_MS = 60_000
/** No hint is longer: a date far away is a mistake, and as a number of seconds no use to anybody. */
const LONGEST_MS = 7 * 24 * 60 * 60 * 1000
/** Numbers above are moments, not durations: seconds since 1970, from a thousand times that on milliseconds. */
const EPOCH_SECONDS = 1e9

/**
 * Milliseconds a failed answer asks to wait: the largest of what headers, body and words say; null when they say
 * nothing. An answer that asks not to be tried again gets more than is ever waited.
 */
export function readRetryAfter(asked: Asked, now: number): number | null {
  const { headers, message, hints } = asked
  const parallel =
    hints.parallel ||
    headers.get('rate_limit_type') === 'max_parallel_requests' ||
    /max_parallel_requests/.test(message)
  const said = [
    ...(parallel ? [] : spoken(asked, now)),
    ...(headers.get('x-should-retry') === 'false' || hints.daily ? [NOT_SOON_MS] : []),
  ]
  return said.length === 0 ? null : Math.min(Math.round(Math.max(...said)), LONGEST_MS)
}

function spoken({ headers, message, hints, limited }: Asked, now: number): readonly number[] {
  const get = (name: string): string | null => headers.get(name) ?? hints.headers[name] ?? null
  const asked = [
    number(get('retry-after-ms')),
    inHeader(get('retry-after'), now),
    inWords(IN_TEXT.exec(message)),
    ...hints.delays,
  ].filter(isWait)
  // Zero is no hint: what the limits say is better.
  return !limited || asked.some((wait) => wait > 0) ? asked : resets(get, now).filter(isWait)
}

/** When limits are full again is later than when they suffice, so it counts only where nothing else was said. */
function resets(get: (name: string) => string | null, now: number): readonly number[] {
  const limits = [
    ...['requests', 'tokens'].map((what) => ['x-ratelimit', `-${what}`, ''] as const),
    ...['requests', 'tokens', 'input-tokens', 'output-tokens'].map(
      (what) => ['anthropic-ratelimit', '', `${what}-`] as const,
    ),
    ['x-ratelimit', '', ''] as const,
  ]
  return limits.flatMap(([vendor, after, before]) => {
    const left = number(get(`${vendor}-${before}remaining${after}`))
    // Something is left of this one: it is not the one that was hit.
    return left > 0 ? [] : [inHeader(get(`${vendor}-${before}reset${after}`), now)]
  })
}

/** Seconds, a moment as a number, `6m0s`, or a date. */
function inHeader(value: string | null, now: number): number {
  if (value === null) return Number.NaN
  const count = number(value)
  if (count >= EPOCH_SECONDS * 1000) return count - now
  if (count >= EPOCH_SECONDS) return count * 1000 - now
  if (Number.isFinite(count)) return count * 1000
  const duration = inWords(ALONE.exec(value.trim()))
  if (Number.isFinite(duration)) return duration
  // What `Date.parse` takes besides dates differs from runtime to runtime; these all have a time.
  return /\d:\d\d/.test(value) ? Date.parse(value) - now : Number.NaN
}

function inWords(found: readonly (string | undefined)[] | null): number {
  const [, ...parts] = found ?? []
  if (parts.every((part) => part === undefined)) return Number.NaN
  const [hours = 0, minutes = 0, seconds = 0, milliseconds = 0] = parts.map((part) =>
    Number(part ?? 0),
  )
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds
}

function isWait(ms: number): boolean {
  return Number.isFinite(ms) && ms >= 0
}

function number(value: string | null): number {
  return value === null || value.trim() === '' ? Number.NaN : Number(value)
}
