import { expect, test } from 'vitest'
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
