import { expect, test } from 'vitest'
import { stream } from '../../../src/core/providers/select.ts'
import type { ModelRequest } from '../../../src/core/providers/types.ts'
import { answer, startFakeProvider } from '../../support/fake-provider.ts'
import { MODEL } from './model.ts'

function request(api: ModelRequest['model']['api']): ModelRequest {
  const context = { systemPrompt: [], tools: [], messages: [] }
  return { model: { ...MODEL, api }, context, effort: null, cacheKey: 'k', sessionId: 's' }
}

const io = { signal: new AbortController().signal }

test('a request goes over the wire of its model', async () => {
  const answer = await stream(request('outline'), io)
  expect(answer.content[0]).toMatchObject({ type: 'text' })
})

test.each([
  ['openai-completions', '/chat/completions'],
  ['openai-responses', '/responses'],
  ['anthropic-messages', '/v1/messages'],
  ['google-generative-ai', '/models/m:streamGenerateContent?alt=sse'],
] as const)('%s asks at %s below its base address', async (api, path) => {
  const provider = await startFakeProvider()
  const model = { ...MODEL, api, baseUrl: `http://127.0.0.1:${provider.port}` }
  provider.on('m', (reply) => answer(reply, 400, { error: { message: 'no' } }))
  await expect(stream({ ...request(api), model }, io)).rejects.toMatchObject({ class: 'refused' })
  expect(provider.requests('m').map((asked) => asked.path)).toEqual([path])
  await provider.close()
})
