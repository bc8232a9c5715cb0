import { describe, expect, test } from 'vitest'
import { BUILT_IN } from '../../../src/core/providers/built-in.ts'
import type { ProviderOptions } from '../../../src/core/providers/types.ts'
import { quirksOf } from '../../../src/core/providers/quirks.ts'

describe('the quirks of a host', () => {
  test.each<[string, ProviderOptions]>([
    ['https://api.openai.com/v1', { systemRole: 'developer', promptCacheKey: true, store: true }],
    ['https://eu.api.openai.com/v1', { maxTokensField: 'max_completion_tokens' }],
    ['https://mine.openai.azure.com/openai/v1', { systemRole: 'system', store: true }],
    ['https://api.groq.com/openai/v1', { replayThinking: false }],
    ['https://api.mistral.ai/v1', { bridge: 'tool', toolCallIds: 'alnum9', promptCacheKey: true }],
    ['https://api.deepseek.com/v1', { reasoning: 'thinking', replayThinking: 'always' }],
    ['https://api.x.ai/v1', { affinityHeader: 'x-grok-conv-id', reasoning: 'reasoning_effort' }],
    ['https://openrouter.ai/api/v1', { affinityHeader: 'x-session-id', reasoning: 'reasoning' }],
    ['https://api.together.xyz/v1', { maxTokensField: 'max_tokens', reasoning: 'none' }],
    ['https://api.fireworks.ai/inference/v1', { affinityHeader: 'x-session-affinity' }],
    ['https://api.cerebras.ai/v1', { replayThinking: false }],
    ['https://integrate.api.nvidia.com/v1', { maxTokensField: 'max_tokens', reasoning: 'none' }],
    ['https://api.moonshot.ai/v1', { promptCacheKey: true, reasoning: 'thinking' }],
    ['https://api.moonshot.cn/v1', { promptCacheKey: true, reasoning: 'thinking' }],
    ['https://api.z.ai/api/paas/v4', { maxTokensField: 'max_tokens', reasoning: 'thinking' }],
    ['https://open.bigmodel.cn/api/paas/v4', { maxTokensField: 'max_tokens' }],
    ['https://dashscope-intl.aliyuncs.com/compatible-mode/v1', { reasoning: 'none' }],
    [
      'https://api.cloudflare.com/client/v4/accounts/a/ai/v1',
      { affinityHeader: 'x-session-affinity' },
    ],
    ['https://gateway.ai.cloudflare.com/v1/a/g/compat', { maxTokensField: 'max_tokens' }],
  ])('%s has %j', (baseUrl, quirks) => {
    expect(quirksOf('anything', baseUrl)).toMatchObject(quirks)
  })

  test.each([
    'http://127.0.0.1:11434/v1',
    'http://[::1]:11434/v1',
    'http://gpu.lan:1234/v1',
    'https://api.anthropic.com',
    'https://generativelanguage.googleapis.com/v1beta/openai',
  ])('%s has none, whatever the provider is called', (baseUrl) => {
    expect(quirksOf('openai', baseUrl)).toEqual({})
  })

  test('goes before those of the name', () => {
    expect(quirksOf('mistral', 'https://api.groq.com/openai/v1').bridge).toBeUndefined()
    expect(quirksOf('openai', 'https://api.deepseek.com').systemRole).toBeUndefined()
  })

  test('are those of the vendor that Cloudflare’s gateway hands over to', () => {
    const gateway = 'https://gateway.ai.cloudflare.com/v1/account/gateway'
    expect(quirksOf('mine', `${gateway}/openai`)).toEqual(quirksOf('openai', ''))
    expect(quirksOf('mine', `${gateway}/grok/v1`)).toEqual(quirksOf('xai', ''))
    expect(quirksOf('mine', `${gateway}/anthropic`)).toEqual({})
    expect(quirksOf('mine', `${gateway}/workers-ai/v1`).maxTokensField).toBeUndefined()
  })

  test('does not reach a host that ends in the same letters, or has it in its path', () => {
    for (const baseUrl of [
      'https://notapi.mistral.ai/v1',
      'https://api.mistral.ai.evil.example/v1',
      'https://proxy.example/api.mistral.ai/v1',
      'https://api.mistral.ai@proxy.example/v1',
    ]) {
      expect(quirksOf('mine', baseUrl), baseUrl).toEqual({})
    }
  })
})

describe('the quirks of a name', () => {
  test.each(['https://proxy.example/v1', 'http://localhost:4000', 'http://10.0.0.1:8080/v1'])(
    'hold at %s, which nobody knows',
    (baseUrl) => {
      expect(quirksOf('mistral', baseUrl)).toEqual(quirksOf('mistral', 'https://api.mistral.ai/v1'))
    },
  )

  test('are the same as those of its own host', () => {
    for (const [name, { baseUrl }] of Object.entries(BUILT_IN)) {
      expect(quirksOf(name, 'https://proxy.example/v1'), name).toEqual(quirksOf('mine', baseUrl))
    }
  })

  test('nobody knows are none', () => {
    expect(quirksOf('mine', 'https://proxy.example/v1')).toEqual({})
    expect(quirksOf('constructor', 'not an address')).toEqual({})
    expect(quirksOf('local', '')).toEqual({})
  })
})
