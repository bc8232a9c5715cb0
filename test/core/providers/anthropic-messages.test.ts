import { describe, expect, test } from 'vitest'
import type { AssistantMessage, Message } from '../../../src/core/entry.ts'
import { encodeAnthropicMessages } from '../../../src/core/providers/anthropic-messages.ts'
import { toThinking } from '../../../src/core/providers/anthropic-thinking.ts'
import type { Effort, Model, ModelRequest } from '../../../src/core/providers/types.ts'
import { MODEL } from './model.ts'

const CLAUDE: Model = {
  ...MODEL,
  api: 'anthropic-messages',
  reasoning: true,
  efforts: ['low', 'high'],
  input: ['text', 'image'],
}

function ask(messages: readonly Message[], more: Partial<ModelRequest> = {}): ModelRequest {
  const tools = ['a', 'b'].map((name) => ({ name, parameters: {} }))
  const context = { systemPrompt: ['S'], tools, messages }
  return { model: CLAUDE, context, effort: null, cacheKey: 'k', sessionId: 's', ...more }
}
function bodyOf(request: ModelRequest) {
  return JSON.parse(encodeAnthropicMessages(request).body)
}
function answered(content: AssistantMessage['content']): Message {
  const { provider, id, api } = CLAUDE
  return { role: 'assistant', content, stopReason: 'stop', provider, model: id, api }
}
const user = (content: string): Message => ({ role: 'user', content })
const text = (said: string) => ({ type: 'text', text: said }) as const

describe('how Claude is told to think', () => {
  test.each<[Model['options'], Effort, number, object]>([
    [
      { thinking: 'adaptive' },
      'minimal',
      32_000,
      { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort: 'low' } },
    ],
    [
      { thinking: 'budget' },
      'high',
      32_000,
      { thinking: { type: 'enabled', budget_tokens: 16_384 } },
    ],
    [{}, 'low', 32_000, { thinking: { type: 'enabled', budget_tokens: 4_096 } }],
    [
      { thinking: 'budget-effort' },
      'high',
      32_000,
      { thinking: { type: 'enabled', budget_tokens: 16_384 }, output_config: { effort: 'high' } },
    ],
    [
      { thinking: 'budget' },
      'high',
      8_192,
      { thinking: { type: 'enabled', budget_tokens: 7_168 } },
    ],
    [{ thinking: 'budget' }, 'high', 2_000, {}],
  ])('%j, %s of %i tokens', (options, effort, maxTokens, expected) => {
    const request = ask([], { model: { ...CLAUDE, options }, effort })
    expect(toThinking(request, maxTokens)).toEqual(expected)
  })

  test('without an effort nothing is said about it (Q8)', () => {
    const body = bodyOf(ask([user('q')]))
    expect(body).not.toHaveProperty('thinking')
    expect(body).not.toHaveProperty('output_config')
  })
})

describe('the output limit, which this API wants', () => {
  test.each([
    [{ maxTokens: 9, outputLimit: 99 }, 9],
    [{ maxTokens: null, outputLimit: 64_000 }, 64_000],
    [{ maxTokens: null, outputLimit: null }, 32_000],
  ])('%j is %i', (limits, expected) => {
    expect(bodyOf(ask([user('q')], { model: { ...CLAUDE, ...limits } })).max_tokens).toBe(expected)
  })
})

describe('messages', () => {
  test('a branch that begins with an answer gets a user before it', () => {
    const { messages } = bodyOf(ask([answered([text('a')]), user('q')]))
    expect(messages.map(({ role }: { role: string }) => role)).toEqual([
      'user',
      'assistant',
      'user',
    ])
  })

  test('results stand first in their message, whatever was said before them', () => {
    const call = { type: 'toolCall', id: 'c', name: 'a', arguments: {} } as const
    const result: Message = {
      role: 'toolResult',
      toolCallId: 'c',
      toolName: 'a',
      content: [text('r')],
      isError: false,
    }
    const { messages } = bodyOf(
      ask([user('q'), answered([call]), result, user('and'), user('more')]),
    )
    expect(messages[2].content.map(({ type }: { type: string }) => type)).toEqual([
      'tool_result',
      'text',
      'text',
    ])
  })

  test('a thought without its signature stays behind, a sealed one goes back as it came', () => {
    const { messages } = bodyOf(
      ask([
        user('q'),
        answered([
          { type: 'thinking', thinking: 'cut' },
          { type: 'thinking', thinking: '', signature: 'SEALED', redacted: true },
          { type: 'thinking', thinking: '', signature: 'SIG' },
          text('a'),
        ]),
        user('on'),
      ]),
    )
    expect(messages[1].content).toEqual([
      { type: 'redacted_thinking', data: 'SEALED' },
      { type: 'thinking', thinking: '', signature: 'SIG' },
      text('a'),
    ])
  })
})

describe('cache marks', () => {
  const marks = (body: unknown): number => JSON.stringify(body).split('"cache_control"').length - 1
  const long = Array.from({ length: 6 }, (_, at) =>
    at % 2 === 0 ? user(`${at}`) : answered([text('a')]),
  )

  test('are four: the last tool, the system, the last two user turns; the same for the handoff', () => {
    const live = bodyOf(ask(long))
    expect(marks(live)).toBe(4)
    const side = bodyOf(ask(long, { appended: [user('Write')], toolChoice: 'none' }))
    expect(marks(side)).toBe(4)
    expect(side.messages.slice(0, live.messages.length)).toEqual(live.messages)
    expect(marks(side.messages.at(-1))).toBe(0)
  })

  test('are none where the host refuses them', () => {
    const model = { ...CLAUDE, options: { cacheControl: false } }
    expect(marks(bodyOf(ask(long, { model })))).toBe(0)
  })
})
