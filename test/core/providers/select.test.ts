import { expect, test } from 'vitest'
import { stream } from '../../../src/core/providers/select.ts'
import type { ModelRequest } from '../../../src/core/providers/types.ts'
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

test('a wire that is not spoken yet is a refusal that names it, and is not tried again', async () => {
  await expect(stream(request('anthropic-messages'), io)).rejects.toMatchObject({
    class: 'refused',
    message: 'fake speaks anthropic-messages, which is not supported yet',
  })
})
