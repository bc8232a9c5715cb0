import { describe, expect, test } from 'vitest'
import type { Message } from '../../../../src/core/entry.ts'
import { createHandoffPrompt } from '../../../../src/core/handoff/prompt.ts'
import { streamOutline } from '../../../../src/core/providers/outline/stream.ts'
import { writeOutline } from '../../../../src/core/providers/outline/write-outline.ts'
import type { ModelEvent, ModelRequest } from '../../../../src/core/providers/types.ts'
import { TALK } from './material.ts'

const MODEL: ModelRequest['model'] = {
  provider: 'local',
  id: 'outline',
  api: 'outline',
  baseUrl: '',
  apiKey: null,
  keyRequired: false,
  headers: {},
  contextWindow: null,
  maxTokens: null,
  outputLimit: null,
  cost: null,
  reasoning: false,
  efforts: [],
  input: ['text'],
  options: {},
}

function request(messages: readonly Message[], ...appended: Message[]): ModelRequest {
  const context = { systemPrompt: [], tools: [], messages }
  const side = appended.length > 0 ? { appended, toolChoice: 'none' as const } : {}
  return { model: MODEL, context, effort: null, ...side, cacheKey: 's', sessionId: 's' }
}

describe('streamOutline', () => {
  const { signal } = new AbortController()

  test('answers a handoff with the outline of everything before the instruction', async () => {
    const events: ModelEvent[] = []
    const answer = await streamOutline(request(TALK, createHandoffPrompt(null)), {
      signal,
      onEvent: (event) => events.push(event),
    })
    const text = writeOutline(TALK)
    expect(answer).toEqual({
      content: [{ type: 'text', text }],
      stopReason: 'stop',
      usage: { input: null, output: null, cacheRead: null, cacheWrite: null },
    })
    expect(events).toEqual([{ type: 'text', delta: text }])
  })

  test('takes the focus from the instruction, all its lines', async () => {
    const focus = 'the limiter\nAdditional focus: and its tests'
    const prompt = createHandoffPrompt(focus)
    const { content } = await streamOutline(request(TALK, prompt), { signal })
    expect(content).toEqual([{ type: 'text', text: writeOutline(TALK, { focus }) }])
  })

  test('answers a turn with a sentence that says what it is', async () => {
    const { content, stopReason } = await streamOutline(request(TALK), { signal })
    expect(stopReason).toBe('stop')
    expect(content).toEqual([
      { type: 'text', text: expect.stringMatching(/outline model.*does not converse.*provider/) },
    ])
  })

  test('throws the reason of an abort, also of one that comes with its text', async () => {
    const reason = new Error('stop it')
    const before = streamOutline(request(TALK), { signal: AbortSignal.abort(reason) })
    await expect(before).rejects.toBe(reason)
    const controller = new AbortController()
    const during = streamOutline(request(TALK), {
      signal: controller.signal,
      onEvent: () => controller.abort(reason),
    })
    await expect(during).rejects.toBe(reason)
  })
})
