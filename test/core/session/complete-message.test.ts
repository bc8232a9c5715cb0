import { expect, test } from 'vitest'
import { completeMessage } from '../../../src/core/session/complete-message.ts'

const TEXT = { type: 'text', text: 'x' } as const
const CALL = { type: 'toolCall', id: 'c', name: 'read', arguments: {} } as const

test('an answer without origin gets the session’s model, one with any of it keeps its own', () => {
  const bare = { role: 'assistant', content: [TEXT] } as const
  expect(completeMessage(bare, 'openrouter/meta/llama-3')).toMatchObject({
    provider: 'openrouter',
    model: 'meta/llama-3',
  })
  expect(completeMessage({ ...bare, model: 'm' }, 'p/q')).toEqual({
    ...bare,
    model: 'm',
    stopReason: 'stop',
  })
  expect(completeMessage(bare, null)).toEqual({ ...bare, stopReason: 'stop' })
})

test('it stopped for its tool calls when it has some, unless it says otherwise', () => {
  const calling = { role: 'assistant', content: [TEXT, CALL] } as const
  expect(completeMessage(calling, null)).toMatchObject({ stopReason: 'toolUse' })
  const aborted = { ...calling, stopReason: 'aborted' } as const
  expect(completeMessage(aborted, null)).toMatchObject({ stopReason: 'aborted' })
})

test('other roles pass as they are', () => {
  const message = { role: 'user', content: 'x' } as const
  expect(completeMessage(message, 'p/q')).toBe(message)
})
