import type { Usage } from '../entry.ts'

type Fields = Readonly<Record<string, unknown>>

/** Token counts of a chat completion: input excludes what came from the cache; what the provider does not tell is null. */
export function readUsage(usage: Fields | null): Usage {
  const count = (of: unknown, name: string): number | null => {
    const value = isFields(of) ? of[name] : null
    // Tokens are whole, whatever a server makes of them.
    return typeof value === 'number' && Number.isFinite(value) && value >= 0
      ? Math.round(value)
      : null
  }
  const details = usage?.['prompt_tokens_details']
  const prompt = count(usage, 'prompt_tokens')
  const cacheRead =
    count(details, 'cached_tokens') ??
    count(usage, 'prompt_cache_hit_tokens') ??
    count(usage, 'cached_tokens')
  const cacheWrite = count(details, 'cache_write_tokens')
  return {
    input: prompt === null ? null : Math.max(0, prompt - (cacheRead ?? 0) - (cacheWrite ?? 0)),
    output: count(usage, 'completion_tokens'),
    cacheRead,
    cacheWrite,
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}
