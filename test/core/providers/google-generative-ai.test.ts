import { describe, expect, test } from 'vitest'
import type { AssistantMessage, Message } from '../../../src/core/entry.ts'
import { encodeGoogleGenerativeAi } from '../../../src/core/providers/google-generative-ai.ts'
import { toThinkingConfig } from '../../../src/core/providers/google-thinking.ts'
import type { Effort, Model, ModelRequest } from '../../../src/core/providers/types.ts'
import { MODEL } from './model.ts'

const GEMINI: Model = { ...MODEL, id: 'gemini-2.5-pro', api: 'google-generative-ai' }
const text = (said: string) => ({ type: 'text', text: said }) as const
const call = (id: string, signature?: string) =>
  ({
    type: 'toolCall',
    id,
    name: 'look',
    arguments: {},
    ...(signature ? { signature } : {}),
  }) as const
const user = (content: string): Message => ({ role: 'user', content })

function ask(messages: readonly Message[], model: Model = GEMINI): ModelRequest {
  const context = { systemPrompt: [], tools: [], messages }
  return { model, context, effort: null, cacheKey: 'k', sessionId: 's' }
}
function contentsOf(messages: readonly Message[], model: Model = GEMINI) {
  return JSON.parse(encodeGoogleGenerativeAi(ask(messages, model)).body).contents
}
function answered(content: AssistantMessage['content'], model: Model = GEMINI): Message {
  const { provider, id, api } = model
  return { role: 'assistant', content, stopReason: 'stop', provider, model: id, api }
}
const result = (toolCallId: string): Message => ({
  role: 'toolResult',
  toolCallId,
  toolName: 'look',
  content: [text('r')],
  isError: false,
})

describe('how Gemini is told to think', () => {
  test.each<[string, Model['options'], Effort, object]>([
    ['gemini-2.5-pro', {}, 'minimal', { thinkingBudget: 512 }],
    ['gemini-2.5-pro', { thinking: 'budget' }, 'max', { thinkingBudget: 24_576 }],
    ['gemini-3.1-pro-preview', {}, 'high', { thinkingLevel: 'HIGH' }],
    ['gemini-4-neon', { thinking: 'level' }, 'xhigh', { thinkingLevel: 'XHIGH' }],
  ])('%s, %j, %s', (id, options, effort, expected) => {
    const request = { ...ask([], { ...GEMINI, id, options }), effort }
    expect(toThinkingConfig(request)).toEqual({ includeThoughts: true, ...expected })
  })

  test('without an effort nothing is said about it (Q8)', () => {
    expect(JSON.parse(encodeGoogleGenerativeAi(ask([user('q')])).body)).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'q' }] }],
    })
  })
})

describe('contents', () => {
  test('answers in a row are one, so that calls come right after a user or a response', () => {
    const contents = contentsOf([
      user('q'),
      answered([text('a')]),
      answered([call('c')]),
      result('c'),
    ])
    expect(contents).toEqual([
      { role: 'user', parts: [{ text: 'q' }] },
      { role: 'model', parts: [{ text: 'a' }, { functionCall: { name: 'look', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'look', response: { output: 'r' } } }] },
    ])
  })

  test('there are as many responses as calls, in one content, and what was said stands apart', () => {
    const contents = contentsOf([
      user('q'),
      answered([call('a'), call('b')]),
      result('a'),
      result('b'),
      user('on'),
    ])
    expect(contents.map(({ parts }: { parts: unknown[] }) => parts.length)).toEqual([1, 2, 2, 1])
  })

  test('a branch that begins with an answer gets a user before it', () => {
    expect(contentsOf([answered([text('a')])])[0].role).toBe('user')
  })

  test('signatures go back on their parts, thoughts and empty ones too; thoughts without one stay behind', () => {
    const [, answer] = contentsOf([
      user('q'),
      answered([
        { type: 'thinking', thinking: 'unsigned' },
        { type: 'thinking', thinking: 'hm', signature: 'T' },
        { ...text('a'), signature: 'A' },
        { ...text(''), signature: 'E' },
        call('c', 'C'),
        call('d'),
      ]),
      result('c'),
      result('d'),
    ])
    expect(answer.parts).toEqual([
      { text: 'hm', thought: true, thoughtSignature: 'T' },
      { text: 'a', thoughtSignature: 'A' },
      { text: '', thoughtSignature: 'E' },
      { functionCall: { name: 'look', args: {} }, thoughtSignature: 'C' },
      { functionCall: { name: 'look', args: {} } },
    ])
  })

  test('Gemini 3 gets Google’s own mark on the first call of another model’s step', () => {
    const three = { ...GEMINI, id: 'gemini-3-pro' }
    const foreign = answered([call('a', 'OTHER'), call('b')])
    const [, step] = contentsOf([user('q'), foreign, result('a'), result('b')], three)
    expect(step.parts.map((part: object) => Object.keys(part))).toEqual([
      ['functionCall', 'thoughtSignature'],
      ['functionCall'],
    ])
    expect(step.parts[0].thoughtSignature).toBe('skip_thought_signature_validator')
  })
})

test('a mark that is no base64, or that the API called corrupted, stays behind; one of a session file goes back', () => {
  const three = { ...GEMINI, id: 'gemini-flash-latest' }
  const sent = (mark: object, options: Model['options'] = {}) => {
    const model = { ...three, options }
    const step = answered([{ ...call('a'), ...mark }], three)
    return contentsOf([user('q'), step, result('a')], model)[1].parts[0].thoughtSignature
  }
  const standIn = 'skip_thought_signature_validator'
  expect(sent({ thoughtSignature: 'QUJD' })).toBe('QUJD')
  expect(sent({ signature: '{"no":1}' })).toBe(standIn)
  expect(sent({ signature: 'QUJD' }, { replayThinking: false })).toBe(standIn)
})

test('the model’s name is part of the address, escaped, its prefix not doubled', () => {
  const url = (id: string) => encodeGoogleGenerativeAi(ask([user('q')], { ...GEMINI, id })).url
  expect(url('models/gemini-2.5-pro')).toContain('/models/gemini-2.5-pro:stream')
  expect(url('tuned/x y')).toContain('/models/tuned%2Fx%20y:stream')
})
