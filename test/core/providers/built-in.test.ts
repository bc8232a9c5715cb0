import { expect, test } from 'vitest'
import { BUILT_IN } from '../../../src/core/providers/built-in.ts'

test('the providers of the contract are there, their addresses by each vendor’s habit', () => {
  const names = [
    'openai',
    'anthropic',
    'google',
    'openrouter',
    'groq',
    'mistral',
    'deepseek',
    'xai',
  ]
  expect(Object.keys(BUILT_IN)).toEqual([...names, 'ollama', 'local'])
  for (const [name, { api, baseUrl, apiKeyEnv }] of Object.entries(BUILT_IN)) {
    if (api === 'openai-completions') expect(baseUrl, name).toMatch(/\/v1$/)
    if (api === 'anthropic-messages') expect(baseUrl, name).not.toMatch(/\/v1/)
    if (api === 'google-generative-ai') expect(baseUrl, name).toMatch(/\/v1beta$/)
    expect(baseUrl.endsWith('/'), name).toBe(false)
    if (name !== 'local' && name !== 'ollama') {
      expect(apiKeyEnv, name).toMatch(/^[A-Z]+_API_KEY$/)
      expect(new URL(baseUrl).protocol, name).toBe('https:')
    }
  }
})
