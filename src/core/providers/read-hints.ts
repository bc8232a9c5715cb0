/** What the body of a failed answer says about asking again, beside its words. */
export interface Hints {
  /** milliseconds to wait, as many as were found */
  readonly delays: readonly number[]
  /** header lines of whoever stands behind a router, names in lower case */
  readonly headers: Readonly<Record<string, string>>
  /** a slot is missing, not budget: it may be free in a moment, whatever else is said */
  readonly parallel: boolean
  /** the budget of a day is spent: the delay given beside it is the one of a minute */
  readonly daily: boolean
}

/** A body that says nothing about it. */
export const NO_HINTS: Hints = { delays: [], headers: {}, parallel: false, daily: false }

type Fields = Readonly<Record<string, unknown>>

/** Reads one error object. Google puts its hints into `details`, OpenRouter into `metadata.headers`. */
export function readHints(error: Fields): Hints {
  const details = Array.isArray(error['details']) ? error['details'].filter(isFields) : []
  const metadata = isFields(error['metadata']) ? error['metadata'] : {}
  const headers = isFields(metadata['headers']) ? metadata['headers'] : {}
  return {
    delays: [
      ...details.map((detail) => readDelay(detail['retryDelay'])),
      inSeconds(error['retry_after']),
      // A subscription whose window is used up
      inSeconds(error['resets_in_seconds']),
    ].filter((delay) => Number.isFinite(delay)),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
    ),
    parallel: error['rate_limit_type'] === 'max_parallel_requests',
    daily: details.some(
      ({ violations }) =>
        Array.isArray(violations) &&
        violations.some((broken) => isFields(broken) && /PerDay/.test(String(broken['quotaId']))),
    ),
  }
}

/** Everything both say. */
export function joinHints(a: Hints, b: Hints): Hints {
  return {
    delays: [...a.delays, ...b.delays],
    headers: { ...a.headers, ...b.headers },
    parallel: a.parallel || b.parallel,
    daily: a.daily || b.daily,
  }
}

/** `34s`, `1.5s`, or protobuf's other spelling `{ seconds: 34 }`. */
function readDelay(value: unknown): number {
  if (isFields(value)) return inSeconds(value['seconds'])
  const [, seconds] = typeof value === 'string' ? (/^(\d+(?:\.\d+)?)s$/.exec(value) ?? []) : []
  return inSeconds(seconds)
}

function inSeconds(value: unknown): number {
  if (typeof value === 'string' && value.trim() === '') return Number.NaN
  return typeof value === 'number' || typeof value === 'string' ? Number(value) * 1000 : Number.NaN
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
