import { expect, test } from 'vitest'
import { listModels } from '../../../src/core/providers/list-models.ts'
import { createModelResolver } from '../../../src/core/providers/parse-config.ts'

function list(env: Record<string, string>, also: string | null = null): readonly string[] {
  const models = listModels(env, createModelResolver(env), also)
  return models.map(({ provider, id }) => `${provider}/${id}`)
}

test('without keys there is the embedded model alone', () => {
  expect(list({})).toEqual(['local/outline'])
})

test('a key brings the vendor’s models, a configured provider those it lists, and the default is there', () => {
  const PROVIDERS = JSON.stringify({
    lab: { api: 'openai-completions', baseUrl: 'http://x/v1', models: [{ id: 'a' }] },
    hidden: {
      api: 'openai-completions',
      baseUrl: 'http://x/v1',
      apiKeyEnv: 'NO',
      models: [{ id: 'b' }],
    },
  })
  const names = list({ PROVIDERS, GROQ_API_KEY: 'k' }, 'lab/free')
  expect(names).toEqual(
    expect.arrayContaining(['lab/free', 'lab/a', 'local/outline', 'groq/openai/gpt-oss-20b']),
  )
  expect(names.some((name) => name.startsWith('hidden/') || name.startsWith('openai/'))).toBe(false)
})
