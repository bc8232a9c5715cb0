import { describe, expect, test } from 'vitest'
import { createModelResolver, missingKey } from '../../../src/core/providers/parse-config.ts'
import type { Model } from '../../../src/core/providers/types.ts'

function resolve(name: string, providers: unknown, more: Record<string, string> = {}): Model {
  const model = createModelResolver({ PROVIDERS: JSON.stringify(providers), ...more })(name)
  if (model === null) throw new Error(`${name} was not found`)
  return model
}

const custom = { api: 'openai-completions', baseUrl: 'http://localhost:8080/v1/' }

test('what is no JSON is said to be none, and not shown', () => {
  expect(() => createModelResolver({ PROVIDERS: '{"hidden' })).toThrow(/^PROVIDERS is not JSON$/)
  for (const text of ['', ' \n']) {
    expect(createModelResolver({ PROVIDERS: text })('ollama/m')).not.toBeNull()
  }
})

test('a built-in provider without its key can be refused, a local one needs none', () => {
  expect(missingKey(resolve('openai/m', {}))).toBe(true)
  expect(missingKey(resolve('openai/m', {}, { OPENAI_API_KEY: '' }))).toBe(true)
  expect(missingKey(resolve('google/m', {}, { GEMINI_API_KEY: 'k' }))).toBe(false)
  for (const name of ['ollama/m', 'local/outline'])
    expect(missingKey(resolve(name, {}))).toBe(false)
})

test('a custom provider needs a key only when it names where one is', () => {
  expect(missingKey(resolve('x/m', { x: custom }))).toBe(false)
  expect(missingKey(resolve('x/m', { x: { ...custom, apiKeyEnv: 'X' } }))).toBe(true)
  expect(resolve('x/m', { x: { ...custom, apiKeyEnv: 'X' } }, { X: 'k' }).apiKey).toBe('k')
  expect(resolve('x/m', { x: { ...custom, apiKey: 'k' } }).apiKey).toBe('k')
})

test('an unlisted model is passed through with nulls, also with slashes in its id', () => {
  expect(resolve('x/org/m', { x: custom })).toMatchObject({
    id: 'org/m',
    baseUrl: 'http://localhost:8080/v1',
    contextWindow: null,
    maxTokens: null,
    efforts: [],
  })
})

test('a listed model brings its own facts, its options last', () => {
  const models = [
    { id: 'm', contextWindow: 8, efforts: ['low'], options: { systemRole: 'system' } },
  ]
  expect(resolve('openai/m', { openai: { models } })).toMatchObject({
    contextWindow: 8,
    reasoning: true,
    options: { systemRole: 'system', promptCacheKey: true },
  })
})

test.each<[unknown, string]>([
  [{ x: { ...custom, modles: ['hidden'] } }, 'x.modles'],
  [{ x: { ...custom, models: [{ id: 'm', maxTokens: 'hidden' }] } }, 'x.models.0.maxTokens'],
  [{ x: { ...custom, baseUrl: 'ftp://hidden' } }, 'x.baseUrl'],
  [{ x: { api: 'openai-completions' } }, 'PROVIDERS.x needs a baseUrl'],
  [{ x: { apiKey: 'hidden' } }, 'PROVIDERS.x needs an api'],
  [{ x: { api: 'smoke', apiKey: 'hidden' } }, 'x.api'],
  [[], '(the whole)'],
])('a mistake names PROVIDERS and its place, no value: %j', (providers, place) => {
  const create = () => createModelResolver({ PROVIDERS: JSON.stringify(providers) })
  expect(create).toThrow(place)
  expect(create).toThrow(/^PROVIDERS/)
  expect(create).not.toThrow(/hidden/)
})

test('PROVIDERS is merged over the built-in providers; a name nobody has is none', () => {
  const find = createModelResolver({
    PROVIDERS: '{"openai":{"baseUrl":"http://127.0.0.1:1/v1"}}',
    OPENAI_API_KEY: 'k',
  })
  expect(find('openai/gpt')).toMatchObject({
    baseUrl: 'http://127.0.0.1:1/v1',
    apiKey: 'k',
    api: 'openai-completions',
  })
  expect(find('local/outline')?.api).toBe('outline')
  for (const name of ['nobody/x', 'openai', 'openai/', '/gpt', 'constructor/x', '']) {
    expect(find(name), name).toBeNull()
  }
})

describe('what the catalogue knows', () => {
  test('comes with the model, and what PROVIDERS lists counts more', () => {
    expect(resolve('anthropic/claude-opus-4-5', {})).toMatchObject({
      api: 'anthropic-messages',
      contextWindow: 200_000,
      outputLimit: 64_000,
      maxTokens: null,
      reasoning: true,
      efforts: ['low', 'medium', 'high'],
      cost: { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 },
      options: { thinking: 'budget-effort' },
    })
    const models = [{ id: 'claude-opus-4-5', contextWindow: 9, maxTokens: 8, efforts: ['low'] }]
    expect(resolve('anthropic/claude-opus-4-5', { anthropic: { models } })).toMatchObject({
      contextWindow: 9,
      outputLimit: 8,
      maxTokens: 8,
      efforts: ['low'],
      options: { thinking: 'budget-effort' },
    })
  })

  test('a model that is said to reason takes the usual efforts, one with none stays silent', () => {
    const models = [
      { id: 'a', reasoning: true },
      { id: 'b', reasoning: true, efforts: [] },
    ]
    const lab = { api: 'openai-completions', baseUrl: 'http://x/v1', models }
    expect(resolve('lab/a', { lab }).efforts).toEqual(['low', 'medium', 'high'])
    expect(resolve('lab/b', { lab }).efforts).toEqual([])
  })

  test('OpenAI itself speaks Responses, a proxy in its place Chat Completions unless it says more', () => {
    expect(resolve('openai/gpt-5.1', {}).api).toBe('openai-responses')
    const baseUrl = 'http://127.0.0.1:1/v1'
    expect(resolve('openai/gpt-5.1', { openai: { baseUrl } }).api).toBe('openai-completions')
    const api = 'openai-responses'
    expect(resolve('openai/gpt-5.1', { openai: { baseUrl, api } }).api).toBe(api)
  })

  test('options count from the model down to the host', () => {
    const models = [{ id: 'm', options: { promptCacheKey: false } }]
    const options = { promptCacheKey: true, bridge: 'alternate' }
    expect(resolve('mistral/m', { mistral: { options, models } }).options).toMatchObject({
      promptCacheKey: false,
      bridge: 'alternate',
      toolCallIds: 'alnum9',
    })
  })
})
