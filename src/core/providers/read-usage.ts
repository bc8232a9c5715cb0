import type { Usage } from '../entry.ts'
import type { Fields } from './fields.ts'
import { asFields } from './fields.ts'

/** Token counts of a chat completion: input excludes what came from the cache; what the provider does not tell is null. */
export function readUsage(usage: Fields | null): Usage {
  const details = asFields(usage?.['prompt_tokens_details'])
  const prompt = countOf(usage, 'prompt_tokens')
  const cacheRead =
    countOf(details, 'cached_tokens') ??
    countOf(usage, 'prompt_cache_hit_tokens') ??
    countOf(usage, 'cached_tokens') ??
    countOf(usage, 'cachedContentTokenCount')
  const cacheWrite = countOf(details, 'cache_write_tokens')
  return {
    input: without(prompt, cacheRead, cacheWrite),
    output: countOf(usage, 'completion_tokens'),
    cacheRead,
    cacheWrite,
    reasoning: countOf(asFields(usage?.['completion_tokens_details']), 'reasoning_tokens'),
  }
}

/** A count of tokens, whole whatever a server makes of it; null when it is not told. */
export function countOf(usage: Fields | null, name: string): number | null {
  const value = usage?.[name]
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
    ? Math.round(value)
    : null
}

/** A total that includes cached tokens, without them. */
export function without(
  total: number | null,
  cacheRead: number | null,
  cacheWrite: number | null,
): number | null {
  return total === null ? null : Math.max(0, total - (cacheRead ?? 0) - (cacheWrite ?? 0))
}
