import { describe, expect, test } from 'vitest'
import type { StoredEntry } from '../../../src/core/entry.ts'
import { fillMessage, unfillMessage } from '../../../src/core/transcript/fill-message.ts'

const AT = '2026-03-02T09:00:00.000Z'

function entryOf(message: object): StoredEntry {
  return { type: 'message', id: 'a', parentId: null, timestamp: AT, seq: 1, message } as StoredEntry
}

function filled(message: object): Record<string, unknown> {
  return (fillMessage(entryOf(message)) as unknown as { message: Record<string, unknown> }).message
}

const FULL_USAGE = {
  input: 3,
  output: 2,
  cacheRead: 1,
  cacheWrite: 0,
  totalTokens: 6,
  cost: { input: 0.1, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.1 },
}

describe('what other programs read without asking', () => {
  test('an answer gets origin, time and usage with its sums; what is unknown counts as nothing', () => {
    expect(filled({ role: 'assistant', content: [], stopReason: 'stop' })).toMatchObject({
      api: 'unknown',
      provider: 'unknown',
      model: 'unknown',
      timestamp: Date.parse(AT),
      usage: {
        input: 0,
        output: 0,
        cacheRead: 0,
        cacheWrite: 0,
        totalTokens: 0,
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
      },
    })
    const usage = { input: 26, output: 4, cacheRead: 64, cacheWrite: null, reasoning: 2 }
    expect(filled({ role: 'assistant', content: [], usage })['usage']).toMatchObject({
      input: 26,
      cacheRead: 64,
      cacheWrite: 0,
      totalTokens: 94,
      reasoning: 2,
      cost: { total: 0 },
    })
  })

  test('other roles get their time only; what is whole stays the same object', () => {
    expect(filled({ role: 'user', content: 'x' })).toEqual({
      role: 'user',
      content: 'x',
      timestamp: Date.parse(AT),
      batonFilled: { timestamp: null },
    })
    const origin = { api: 'a', provider: 'p', model: 'm', timestamp: 5 }
    const whole = entryOf({ role: 'assistant', content: [], ...origin, usage: FULL_USAGE })
    expect(fillMessage(whole)).toBe(whole)
    const label = { ...whole, type: 'label' }
    expect(fillMessage(label as StoredEntry)).toBe(label)
  })
})

describe('taking it back', () => {
  test('an import gives the message as it was', () => {
    for (const message of [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: [], stopReason: 'stop' },
      {
        role: 'assistant',
        content: [],
        usage: { input: 1.5, cacheWrite: null, more: [1] },
        api: 'x',
      },
      { role: 'assistant', content: [], usage: { ...FULL_USAGE, cost: { total: 1 } } },
      { role: 'assistant', content: [], usage: 'odd', timestamp: 'odd' },
    ]) {
      const parsed = JSON.parse(JSON.stringify(filled(message))) as Record<string, unknown>
      unfillMessage(parsed)
      expect(parsed).toEqual(message)
    }
  })

  test('only fields that are ever filled are taken back', () => {
    const message = { role: 'user', content: 'x', batonFilled: { content: null, role: 'system' } }
    unfillMessage(message)
    expect(message).toEqual({ role: 'user', content: 'x' })
  })
})
