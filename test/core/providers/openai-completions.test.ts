import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Message } from '../../../src/core/entry.ts'
import { encodeOpenAiCompletions } from '../../../src/core/providers/openai-completions.ts'
import type { ModelEvent, ModelRequest } from '../../../src/core/providers/types.ts'
import { answer, say } from '../../support/fake-provider.ts'
import { MODEL } from './model.ts'
import type { Wire } from './wire.ts'
import { startWire } from './wire.ts'

let wire: Wire
beforeAll(async () => {
  wire = await startWire()
})
afterAll(() => wire.provider.close())

describe('what is sent', () => {
  test('handoff and live turn are the same bytes up to the appended message and tool_choice (Q6)', () => {
    const live = wire.request('m', { maxTokens: 100 })
    const appended: Message = { role: 'user', content: 'Write the handoff' }
    const side: ModelRequest = {
      ...live,
      appended: [appended],
      toolChoice: 'none',
      sessionId: 's:side:1',
    }
    const body = encodeOpenAiCompletions(live).body
    expect(body.endsWith(']}')).toBe(true)
    expect(encodeOpenAiCompletions(side).body).toBe(
      `${body.slice(0, -2)},${JSON.stringify(appended)}],"tool_choice":"none"}`,
    )
  })

  test('tool_choice is left out where the provider has none, and is never null', () => {
    const base = wire.request('m', { options: { toolChoice: false } })
    const body = encodeOpenAiCompletions({ ...base, toolChoice: 'none' }).body
    expect(body).not.toContain('tool_choice')
    expect(encodeOpenAiCompletions(wire.request('m')).body).not.toContain('tool_choice')
  })

  test('an object schema without properties gets empty ones (B32)', () => {
    const { tools } = JSON.parse(encodeOpenAiCompletions(wire.request('m')).body)
    expect(tools[0].function.parameters).toEqual({ type: 'object', properties: {} })
  })

  test('thinking and empty texts stay behind, several texts are joined, and images become words', () => {
    const base = wire.request('m')
    const image = { type: 'image', data: 'AA', mimeType: 'image/png' } as const
    const text = (said: string) => ({ type: 'text', text: said }) as const
    const messages: readonly Message[] = [
      { role: 'developer', content: 'note' },
      { role: 'user', content: [image, text('')] },
      {
        role: 'assistant',
        stopReason: 'stop',
        content: [{ type: 'thinking', thinking: 'hm' }, text('a'), text(''), text('b')],
      },
      { role: 'user', content: '' },
    ]
    const { body } = encodeOpenAiCompletions({ ...base, context: { ...base.context, messages } })
    expect(JSON.parse(body).messages).toEqual([
      { role: 'system', content: 'S' },
      { role: 'system', content: 'note' },
      {
        role: 'user',
        content: [{ type: 'text', text: '[An image that this model cannot see]' }],
      },
      { role: 'assistant', content: 'a\nb' },
    ])
  })

  test('DeepSeek, while it thinks, gets an empty thought with an answer that another model gave', () => {
    const call = { type: 'toolCall', id: 'a', name: 'f', arguments: {} } as const
    const messages: readonly Message[] = [
      { role: 'assistant', stopReason: 'toolUse', content: [call] },
    ]
    const base = wire.request('m', { options: { replayThinking: 'always' } })
    const request: ModelRequest = { ...base, context: { ...base.context, messages } }
    const first = (effort: 'high' | null) =>
      JSON.parse(encodeOpenAiCompletions({ ...request, effort }).body).messages[1]
    expect(first('high').reasoning_content).toBe('')
    expect(first(null)).not.toHaveProperty('reasoning_content')
  })

  test('a configured header replaces ours in any spelling', async () => {
    await wire.run(wire.request('headers', { headers: { Authorization: 'Token x', 'X-Y': 'z' } }))
    const [got] = wire.provider.requests('headers')
    expect(got?.headers).toMatchObject({
      authorization: 'Token x',
      'x-y': 'z',
      'content-type': 'application/json',
    })
  })

  test('without a key there is no authorization', async () => {
    await wire.run(wire.request('keyless', { apiKey: null, keyRequired: false }))
    expect(wire.provider.requests('keyless')[0]?.headers.authorization).toBeUndefined()
  })

  test('tool_choice needs tools, and images of tool results follow all results', () => {
    const request: ModelRequest = {
      model: { ...MODEL, input: ['text', 'image'] },
      context: {
        systemPrompt: ['A', 'B'],
        tools: [],
        messages: [
          {
            role: 'assistant',
            stopReason: 'toolUse',
            content: [
              { type: 'toolCall', id: 'a', name: 'f', arguments: {} },
              { type: 'toolCall', id: 'b', name: 'f', arguments: {} },
            ],
          },
          {
            role: 'toolResult',
            toolCallId: 'a',
            toolName: 'f',
            isError: false,
            content: [{ type: 'image', data: 'AA', mimeType: 'image/png' }],
          },
          {
            role: 'toolResult',
            toolCallId: 'b',
            toolName: 'f',
            isError: false,
            content: [{ type: 'text', text: 'r' }],
          },
        ],
      },
      effort: 'low',
      toolChoice: 'none',
      cacheKey: 'k',
      sessionId: 's',
    }
    const body = JSON.parse(encodeOpenAiCompletions(request).body)
    expect('tool_choice' in body).toBe(false)
    expect(body.reasoning_effort).toBe('low')
    expect(body.messages.map(({ role }: { role: string }) => role)).toEqual([
      'system',
      'assistant',
      'tool',
      'tool',
      'user',
    ])
    expect(body.messages[1].content).toBeNull()
  })
})

describe('what comes back', () => {
  test('pieces are told as they come and the answer is whole', async () => {
    wire.provider.on('plain', (reply) => say(reply, 'Grüße 😀', { usage: { prompt_tokens: 3 } }))
    const seen: ModelEvent[] = []
    const got = await wire.run(wire.request('plain'), undefined, seen)
    expect(got.content).toEqual([{ type: 'text', text: 'Grüße 😀' }])
    expect(got.usage.input).toBe(3)
    expect(seen).toEqual([{ type: 'text', delta: 'Grüße 😀' }])
  })

  test('a server that ignores `stream` is understood (X5)', async () => {
    const message = { role: 'assistant', content: 'whole' }
    wire.provider.on('unstreamed', (reply) =>
      answer(reply, 200, { choices: [{ message, finish_reason: 'length' }] }),
    )
    expect(await wire.run(wire.request('unstreamed'))).toMatchObject({
      content: [{ type: 'text', text: 'whole' }],
      stopReason: 'length',
    })
  })

  test.each<[string, string, string, RegExp]>([
    ['JSON', '{"error":{"message":"bad","code":400}}', 'refused', /^bad$/],
    ['a page', '<!DOCTYPE html><title>x', 'overloaded', /HTML page$/],
    ['plain text', 'upstream is down', 'overloaded', /^upstream is down$/],
    ['nothing', '', 'truncated', /broke off/],
    ['cut JSON', 'data: {"choices":[{"delta":{"content":"secr', 'truncated', /broke off/],
    ['a cut answer', 'data: {"choices":[{"delta":{"content":"a"}}]}', 'truncated', /broke off/],
  ])('a 200 with %s is an error', async (name, body, cls, message) => {
    wire.provider.on(`200 ${name}`, (reply) => answer(reply, 200, body))
    const failed = await wire.run(wire.request(`200 ${name}`)).catch((thrown: unknown) => thrown)
    expect(failed).toMatchObject({ class: cls, message: expect.stringMatching(message) })
  })
})
