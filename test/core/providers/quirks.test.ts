import { expect, test } from 'vitest'
import { quirksOf } from '../../../src/core/providers/quirks.ts'

test.each([
  ['https://api.openai.com/v1', { systemRole: 'developer', promptCacheKey: true }],
  ['https://me.openai.azure.com/openai/v1', { maxTokensField: 'max_completion_tokens' }],
  ['https://api.mistral.ai/v1', { bridge: 'tool', toolCallIds: 'alnum9' }],
  ['https://api.x.ai/v1', { affinityHeader: 'x-grok-conv-id' }],
  ['https://openrouter.ai/api/v1', { affinityHeader: 'x-session-id', reasoning: 'reasoning' }],
  [
    'https://api.cloudflare.com/client/v4/accounts/a/ai/v1',
    { affinityHeader: 'x-session-affinity' },
  ],
  ['https://api.z.ai/api/paas/v4', { reasoning: 'thinking' }],
])('%s is known by its host, whatever it is called', (baseUrl, expected) => {
  expect(quirksOf('mine', baseUrl)).toMatchObject(expected)
})

test('a built-in provider behind a proxy keeps its rules; a host that nobody knows has none', () => {
  expect(quirksOf('mistral', 'http://127.0.0.1:9/v1')).toMatchObject({ bridge: 'tool' })
  expect(quirksOf('lab', 'http://127.0.0.1:9/v1')).toEqual({})
  expect(quirksOf('constructor', 'http://x')).toEqual({})
  expect(quirksOf('lab', '')).toEqual({})
})

test('the host counts before the name', () => {
  expect(quirksOf('mistral', 'https://api.openai.com/v1')).not.toHaveProperty('bridge')
})

test('hosts that refuse `prompt_cache_key` are not sent one', () => {
  const refusing = [
    'api.groq.com/openai',
    'api.cerebras.ai',
    'integrate.api.nvidia.com',
    'api.deepseek.com',
  ]
  for (const host of refusing) {
    expect(quirksOf('x', `https://${host}/v1`)).not.toHaveProperty('promptCacheKey')
  }
})
