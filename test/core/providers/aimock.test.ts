import { LLMock } from '@copilotkit/aimock'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../../../src/core/ask.ts'
import { createModelMemory } from '../../../src/core/providers/model-memory.ts'
import { stream } from '../../../src/core/providers/select.ts'
import type { Api, Model, ModelAnswer, ModelEvent } from '../../../src/core/providers/types.ts'
import { MODEL } from './model.ts'

/** A provider that others wrote: the same answers and faults on all four wires, as they understand these. */

const WIRES: readonly [Api, string][] = [
  ['openai-completions', '/v1'],
  ['openai-responses', '/v1'],
  ['anthropic-messages', ''],
  ['google-generative-ai', '/v1beta'],
]
const PROSE = 'A handoff document with Grüße, 日本語 and 🙂, long enough for several chunks of it.'

let mock: LLMock
beforeAll(async () => {
  mock = new LLMock({ port: 0 })
  mock.onMessage('say', { content: PROSE })
  mock.onMessage('think', { content: 'Yes.', reasoning: 'Let me see.' })
  mock.onMessage('call', {
    content: 'Looking.',
    toolCalls: [{ id: 'call_1', name: 'look', arguments: '{"path":"ä.ts"}' }],
  })
  mock.onMessage('busy', {
    error: { message: 'Overloaded', type: 'overloaded_error' },
    status: 529,
  })
  mock.onMessage('wrong', { error: { message: 'Bad', type: 'invalid_request_error' }, status: 400 })
  mock.onMessage('cut', { content: PROSE }, { truncateAfterChunks: 2 })
  await mock.start()
})
afterEach(() => void mock.clearChaos())
afterAll(() => mock.stop())

describe.each(WIRES)('aimock over %s', (api, path) => {
  let slept: number[] = []

  function run(
    said: string,
    more: Partial<Model> = {},
    events: ModelEvent[] = [],
  ): Promise<ModelAnswer> {
    slept = []
    const model = { ...MODEL, api, baseUrl: `${mock.url}${path}`, ...more }
    const tools = [{ name: 'look', description: 'd', parameters: { type: 'object' } }]
    return ask(
      {
        request: {
          model,
          context: { systemPrompt: ['S'], tools, messages: [{ role: 'user', content: said }] },
          effort: null,
          cacheKey: 'k',
          sessionId: 's',
        },
        kind: 'turn',
        signal: new AbortController().signal,
        onEvent: (event) => void events.push(event),
      },
      {
        stream,
        retry: {
          random: () => 1,
          sleep: async (ms) => {
            slept.push(ms)
          },
        },
        memory: createModelMemory(),
      },
    )
  }

  test('text comes whole, in pieces, with an end', async () => {
    const events: ModelEvent[] = []
    const answer = await run('say', {}, events)
    expect(answer.content).toEqual([{ type: 'text', text: PROSE }])
    expect(answer.stopReason).toBe('stop')
    expect(events.length).toBeGreaterThan(1)
    expect(events.map(({ delta }) => delta).join('')).toBe(PROSE)
  })

  test('thoughts stay apart from the text', async () => {
    const { content } = await run('think')
    expect(content.filter(({ type }) => type === 'text')).toEqual([{ type: 'text', text: 'Yes.' }])
    expect(content[0]).toMatchObject({ type: 'thinking', thinking: 'Let me see.' })
  })

  test('a tool call has its arguments', async () => {
    const { content, stopReason } = await run('call')
    expect(stopReason).toBe('toolUse')
    expect(content).toMatchObject([
      { type: 'text', text: 'Looking.' },
      { type: 'toolCall', name: 'look', arguments: { path: 'ä.ts' } },
    ])
  })

  test.each([
    ['busy', 'overloaded', 529, 2],
    ['wrong', 'refused', 400, 0],
  ])('%s is %s', async (said, cls, status, waits) => {
    await expect(run(said)).rejects.toMatchObject({ class: cls, status })
    expect(slept).toHaveLength(waits)
  })

  test('one refusal of service is waited for', async () => {
    mock.nextRequestError(503, { message: 'Unavailable' })
    expect((await run('say')).content).toHaveLength(1)
    expect(slept).toEqual([500])
  })

  test('an answer whose connection dies is a lost connection or a cut answer, and tried again', async () => {
    const failed = await run('cut').catch((thrown: unknown) => thrown)
    expect(failed).toMatchObject({ class: expect.stringMatching(/^(?:network|truncated)$/) })
    expect(slept).toEqual([500, 1_000])
  })

  test.each([
    ['dropRate', 'overloaded', [500, 1_000]],
    ['rateLimitRate', 'rate_limit', [1_000, 1_000]],
    ['disconnectRate', 'network', [500, 1_000]],
    ['malformedRate', 'truncated', [500, 1_000]],
  ] as const)('chaos: %s ends as %s after three attempts', async (fault, cls, waits) => {
    mock.setChaos({ [fault]: 1 })
    await expect(run('say')).rejects.toMatchObject({ class: cls })
    expect(slept).toEqual(waits)
  })

  test('chaos: what is slower than the limit is a timeout, once', async () => {
    mock.setChaos({ latencyMs: 2_000 })
    const options = { idleTimeoutMs: 100 }
    await expect(run('say', { options })).rejects.toMatchObject({ class: 'timeout' })
    expect(slept).toEqual([])
  })
})
