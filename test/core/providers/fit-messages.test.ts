import { describe, expect, test } from 'vitest'
import type { AssistantMessage, Block, Message, Tool } from '../../../src/core/entry.ts'
import { fitMessages } from '../../../src/core/providers/fit-messages.ts'
import type { Model } from '../../../src/core/providers/types.ts'
import { MODEL } from './model.ts'

const IMAGE = { type: 'image', data: 'AA', mimeType: 'image/png' } as const
const text = (said: string) => ({ type: 'text', text: said }) as const
const call = (id: string) => ({ type: 'toolCall', id, name: 'look', arguments: {} }) as const

function answered(content: readonly Block[], more: Partial<AssistantMessage> = {}): Message {
  const { provider, id, api } = MODEL
  return { role: 'assistant', content, stopReason: 'stop', provider, model: id, api, ...more }
}
function result(toolCallId: string, content: readonly (typeof IMAGE | Block)[]): Message {
  return {
    role: 'toolResult',
    toolCallId,
    toolName: 'look',
    content: content as readonly (typeof IMAGE)[],
    isError: false,
  }
}
function fit(messages: readonly Message[], model: Partial<Model> = {}, appended?: Message[]) {
  const context = { systemPrompt: [], tools: [], messages }
  const whole = { ...MODEL, ...model }
  return fitMessages({
    model: whole,
    context,
    appended,
    effort: null,
    cacheKey: 'k',
    sessionId: 's',
  })
}

describe('what a model cannot read', () => {
  test('blank texts and messages go, images become words where nobody sees them', () => {
    const { history } = fit([
      { role: 'user', content: ' \n' },
      { role: 'user', content: [text(''), IMAGE] },
      { role: 'developer', content: [text('')] },
      answered([text('')]),
      answered([text('a'), text('\n\n')]),
    ])
    expect(history).toEqual([
      { role: 'user', content: [text('[An image that this model cannot see]')] },
      answered([text('a')]),
    ])
  })

  test('thoughts of another model, provider or API go with their signatures; our own stay', () => {
    const blocks = [
      { type: 'thinking', thinking: 'hm', signature: 'S' },
      { ...text('a'), signature: 'T' },
      { ...call('c'), signature: 'U' },
    ] as const
    expect(fit([answered(blocks)]).history[0]?.content).toEqual(blocks)
    for (const other of [{ model: 'x' }, { provider: 'x' }, { api: 'anthropic-messages' }]) {
      const [message] = fit([answered(blocks, other)]).history
      expect(JSON.parse(JSON.stringify(message?.content))).toEqual([text('a'), call('c')])
    }
    const kept = fit([answered(blocks)], { options: { replayThinking: false } }).history[0]
    expect(kept?.content).toEqual(blocks.slice(1))
  })

  test('thoughts of session files are known by their older names', () => {
    const blocks = [
      { type: 'redactedThinking', data: 'R' },
      { type: 'thinking', thinking: 'hm', thinkingSignature: 'S' },
      text('a'),
    ] as unknown as readonly Block[]
    expect(fit([answered(blocks)]).history[0]?.content).toMatchObject([
      { type: 'thinking', thinking: '', signature: 'R', redacted: true },
      { type: 'thinking', thinking: 'hm', signature: 'S' },
      text('a'),
    ])
  })

  test('a message of thoughts alone goes: no provider takes one', () => {
    expect(fit([answered([{ type: 'thinking', thinking: 'hm', signature: 'S' }])]).history).toEqual(
      [],
    )
  })
})

describe('order', () => {
  test('tool calls come last in their message', () => {
    const [message] = fit([answered([call('c'), text('after')])]).history
    expect(message?.content).toEqual([text('after'), call('c')])
  })

  test('images of tool results follow the last result as the user’s where results are text', () => {
    const history = [
      answered([call('a'), call('b')]),
      result('a', [IMAGE]),
      result('b', [text('r')]),
    ]
    const seeing = { input: ['text', 'image'] } as const
    expect(fit(history, seeing).history.map(({ role }) => role)).toEqual([
      'assistant',
      'toolResult',
      'toolResult',
      'user',
    ])
    const anthropic = { ...seeing, api: 'anthropic-messages' } as const
    expect(fit(history, anthropic).history[1]?.content).toEqual([IMAGE])
  })

  test('Mistral gets an assistant message between a result and the handoff’s prompt, in the tail', () => {
    const history = [answered([call('a')]), result('a', [text('r')])]
    const prompt: Message = { role: 'user', content: 'Write' }
    const { history: live, tail } = fit(history, { options: { bridge: 'tool' } }, [prompt])
    expect(live.map(({ role }) => role)).toEqual(['assistant', 'toolResult'])
    expect(tail.map(({ role }) => role)).toEqual(['assistant', 'user'])
    expect(fit(history, {}, [prompt]).tail).toEqual([prompt])
  })

  test('a template whose roles must alternate gets one between two user messages too', () => {
    const twice: readonly Message[] = [
      { role: 'user', content: 'a' },
      { role: 'user', content: 'b' },
    ]
    const roles = (bridge: 'tool' | 'alternate') =>
      fit(twice, { options: { bridge } }).history.map(({ role }) => role)
    expect(roles('alternate')).toEqual(['user', 'assistant', 'user'])
    expect(roles('tool')).toEqual(['user', 'user'])
  })
})

test('the name of a tool that is no longer offered is spelled as the vendor takes it', () => {
  const named = { ...call('c'), name: 'mcp.files/read' }
  const name = (model: Partial<Model>, tools: readonly Tool[] = []): string => {
    const context = { systemPrompt: [], tools, messages: [answered([named])] }
    const request = { model: { ...MODEL, ...model }, context, effort: null }
    const [message] = fitMessages({ ...request, cacheKey: 'k', sessionId: 's' }).history
    const block = message?.content[0] as { readonly name: string } | undefined
    return block?.name ?? ''
  }
  expect(name({})).toBe('mcp_files_read')
  expect(name({}, [{ name: 'mcp.files/read', parameters: {} }])).toBe('mcp.files/read')
  expect(name({ api: 'google-generative-ai' })).toBe('mcp.files/read')
})

describe('ids of tool calls', () => {
  const history = [answered([call('toolu|1')]), result('toolu|1', [text('r')])]

  function idsFor(model: Partial<Model>, messages: readonly Message[] = history): string[] {
    return fit(messages, model).history.flatMap((message) => {
      if (message.role === 'toolResult') return [message.toolCallId]
      if (message.role !== 'assistant') return []
      return message.content.flatMap((block) => (block.type === 'toolCall' ? [block.id] : []))
    })
  }

  test('one that the API refuses is replaced, the same in call and result, every time', () => {
    const ids = idsFor({ api: 'anthropic-messages' })
    expect(ids).toEqual(idsFor({ api: 'anthropic-messages' }))
    expect(new Set(ids).size).toBe(1)
    expect(ids[0]).toMatch(/^[a-f0-9]{32}$/)
    expect(idsFor({})).toEqual(['toolu|1', 'toolu|1'])
    expect(idsFor({ options: { toolCallIds: 'alnum9' } })[0]).toMatch(/^[a-z0-9]{9}$/)
  })

  test('one that comes again in a later answer is another id, and a double call goes', () => {
    const again = [...history, ...history]
    const [first, , second, answer] = idsFor({}, again)
    expect(first).toBe('toolu|1')
    expect(second).not.toBe(first)
    expect(answer).toBe(second)
    expect(idsFor({}, [answered([call('a'), call('a')])])).toEqual(['a'])
  })
})

test('a longer history begins with what a shorter one gave, and untouched messages are the same objects', () => {
  const history: readonly Message[] = [
    { role: 'user', content: 'q' },
    answered([text('a'), call('c|1')]),
    result('c|1', [text('r')]),
    { role: 'user', content: [text('x')] },
  ]
  const whole = fit(history).history
  for (let length = 0; length <= history.length; length += 1) {
    expect(fit(history.slice(0, length)).history).toEqual(whole.slice(0, length))
  }
  expect(whole[0]).toBe(history[0])
  expect(whole[3]).toBe(history[3])
})
