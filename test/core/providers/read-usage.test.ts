import { expect, test } from 'vitest'
import { readUsage } from '../../../src/core/providers/read-usage.ts'

const NOTHING = { input: null, output: null, cacheRead: null, cacheWrite: null, reasoning: null }

test.each<[string, Record<string, unknown> | null, object]>([
  ['nothing at all', null, {}],
  [
    'OpenAI',
    { prompt_tokens: 90, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 64 } },
    { input: 26, output: 4, cacheRead: 64 },
  ],
  [
    'OpenRouter, which writes too',
    { prompt_tokens: 90, prompt_tokens_details: { cached_tokens: 10, cache_write_tokens: 20 } },
    { input: 60, cacheRead: 10, cacheWrite: 20 },
  ],
  ['DeepSeek', { prompt_tokens: 90, prompt_cache_hit_tokens: 50 }, { input: 40, cacheRead: 50 }],
  ['Moonshot', { prompt_tokens: 90, cached_tokens: 90 }, { input: 0, cacheRead: 90 }],
  [
    'a model that reasons',
    { completion_tokens: 9, completion_tokens_details: { reasoning_tokens: 5 } },
    { output: 9, reasoning: 5 },
  ],
  ['a gateway to Gemini', { cachedContentTokenCount: 4 }, { cacheRead: 4 }],
  ['zeros, which are known', { prompt_tokens: 0, completion_tokens: 0 }, { input: 0, output: 0 }],
  ['fractions', { prompt_tokens: 1.5, completion_tokens: 2.2 }, { input: 2, output: 2 }],
  ['more cached than asked', { prompt_tokens: 5, cached_tokens: 9 }, { input: 0, cacheRead: 9 }],
  [
    'what is no count',
    { prompt_tokens: '9', completion_tokens: -1, prompt_tokens_details: null },
    {},
  ],
])('%s', (_name, usage, expected) => {
  expect(readUsage(usage)).toEqual({ ...NOTHING, ...expected })
})
