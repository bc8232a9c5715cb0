import type { Cost, Usage } from '../entry.ts'
import type { Prices } from './types.ts'

const MILLION = 1_000_000

/**
 * What an answer cost, in US dollars; null when the prices or the tokens are not known. Cached tokens that nobody
 * tells of are none, and those whose price nobody lists cost what fresh ones do.
 */
export function priceOf(usage: Usage, prices: Prices | null): Cost | null {
  if (prices === null || usage.input === null || usage.output === null) return null
  const input = (usage.input * prices.input) / MILLION
  const output = (usage.output * prices.output) / MILLION
  const cacheRead = ((usage.cacheRead ?? 0) * (prices.cacheRead || prices.input)) / MILLION
  const cacheWrite = ((usage.cacheWrite ?? 0) * (prices.cacheWrite || prices.input)) / MILLION
  return { input, output, cacheRead, cacheWrite, total: input + output + cacheRead + cacheWrite }
}
