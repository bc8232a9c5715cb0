import { expect, test } from 'vitest'
import { createModelResolver } from '../../../src/core/providers/parse-config.ts'
import type { GivenMessage } from '../../../src/core/session/complete-message.ts'
import { completeMessage } from '../../../src/core/session/complete-message.ts'

const TEXT = { type: 'text', text: 'x' } as const
const CALL = { type: 'toolCall', id: 'c', name: 'read', arguments: {} } as const
const BARE = { role: 'assistant', content: [TEXT] } as const

const resolveModel = createModelResolver({})

function complete(message: GivenMessage, sessionModel: string | null) {
  return completeMessage(message, sessionModel, resolveModel)
}

test('an answer without origin gets the session’s model and its API', () => {
  expect(complete(BARE, 'openrouter/meta/llama-3')).toEqual({
    ...BARE,
    provider: 'openrouter',
    model: 'meta/llama-3',
    api: 'openai-completions',
    stopReason: 'stop',
  })
})

test('one with any origin keeps its own; what nobody knows is called so', () => {
  const own = { ...BARE, model: 'm' }
  const unknown = { provider: 'unknown', api: 'unknown', stopReason: 'stop' }
  expect(complete(own, 'p/q')).toEqual({ ...own, ...unknown })
  expect(complete(BARE, null)).toEqual({ ...BARE, ...unknown, model: 'unknown' })
  const whole = { ...BARE, provider: 'p', model: 'q', api: 'r', stopReason: 'length' } as const
  expect(complete(whole, 'local/outline')).toEqual(whole)
})

test('it stopped for its tool calls when it has some, unless it says otherwise', () => {
  const calling = { role: 'assistant', content: [TEXT, CALL] } as const
  expect(complete(calling, null)).toMatchObject({ stopReason: 'toolUse' })
  const aborted = { ...calling, stopReason: 'aborted' } as const
  expect(complete(aborted, null)).toMatchObject({ stopReason: 'aborted' })
})

test('other roles pass as they are', () => {
  const message = { role: 'user', content: 'x' } as const
  expect(complete(message, 'p/q')).toBe(message)
})
