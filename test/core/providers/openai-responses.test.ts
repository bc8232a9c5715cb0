import { expect, test } from 'vitest'
import type { AssistantMessage, Message } from '../../../src/core/entry.ts'
import { encodeOpenAiResponses } from '../../../src/core/providers/openai-responses.ts'
import type { Model } from '../../../src/core/providers/types.ts'
import { MODEL } from './model.ts'

const GPT: Model = { ...MODEL, api: 'openai-responses' }
const text = (said: string) => ({ type: 'text', text: said }) as const
const call = { type: 'toolCall', id: 'c', name: 'look', arguments: {} } as const
const sealed = (id: string) =>
  JSON.stringify({ type: 'reasoning', id, summary: [], encrypted_content: 'S' })

function answered(content: AssistantMessage['content']): Message {
  const { provider, id, api } = GPT
  return { role: 'assistant', content, stopReason: 'stop', provider, model: id, api }
}
function inputOf(messages: readonly Message[], model: Partial<Model> = {}) {
  const context = { systemPrompt: [], tools: [], messages }
  const request = {
    model: { ...GPT, ...model },
    context,
    effort: null,
    cacheKey: 'k',
    sessionId: 's',
  }
  return JSON.parse(encodeOpenAiResponses(request).body).input
}
const typesOf = (items: readonly { type?: string; role?: string }[]) =>
  items.map(({ type, role }) => type ?? role)

test('reasoning goes back right before what it led to, and never alone', () => {
  const items = inputOf([
    answered([
      { type: 'thinking', thinking: '', signature: sealed('rs_1') },
      text('a'),
      { type: 'thinking', thinking: '', signature: sealed('rs_2') },
      call,
    ]),
    answered([{ type: 'thinking', thinking: '', signature: sealed('rs_3') }]),
  ])
  expect(typesOf(items)).toEqual(['reasoning', 'assistant', 'reasoning', 'function_call'])
})

test.each([
  ['without a seal', JSON.stringify({ type: 'reasoning', id: 'rs_1', summary: [] })],
  ['of another wire', 'reasoning_content'],
  ['that is something else', '{"type":"message"}'],
  ['that is null', 'null'],
])('reasoning %s stays behind: the API would not find it', (_name, signature) => {
  const thinking = { type: 'thinking', thinking: 'hm', signature } as const
  expect(typesOf(inputOf([answered([thinking, text('a')])]))).toEqual(['assistant'])
})

test('developer messages are the system’s where the host has no developer', () => {
  const note: Message = { role: 'developer', content: 'n' }
  expect(inputOf([note])[0].role).toBe('developer')
  expect(inputOf([note], { options: { systemRole: 'system' } })[0].role).toBe('system')
})

test('a smaller output limit than the API takes is raised', () => {
  const context = { systemPrompt: [], tools: [], messages: [] }
  const request = { context, effort: null, cacheKey: 'k', sessionId: 's' }
  const { body } = encodeOpenAiResponses({ ...request, model: { ...GPT, maxTokens: 1 } })
  expect(JSON.parse(body)).toEqual({
    model: 'm',
    stream: true,
    store: false,
    max_output_tokens: 16,
    input: [],
  })
})
