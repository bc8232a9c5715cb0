import { expect, test } from 'vitest'
import type { Message } from '../../../src/core/entry.ts'
import { findBreakpoints } from '../../../src/core/providers/breakpoints.ts'

function history(roles: string): readonly Message[] {
  return [...roles].map((role): Message => {
    if (role === 'u') return { role: 'user', content: 'x' }
    if (role === 'a') return { role: 'assistant', content: [], stopReason: 'stop' }
    return { role: 'toolResult', toolCallId: 'c', toolName: 't', content: [], isError: false }
  })
}

test.each<[string, readonly number[]]>([
  ['', []],
  ['u', [0]],
  ['ua', [0]],
  ['uau', [2, 0]],
  ['uatta', [3, 0]],
  ['uatuau', [5, 3]],
  ['uauaua', [4, 2]],
  ['a', []],
])('%s is marked at %j: the last messages of the last two user turns', (roles, expected) => {
  expect([...findBreakpoints(history(roles))]).toEqual(expected)
})

test('the answer to a live turn moves no mark, so a handoff reads what the turn wrote', () => {
  expect(findBreakpoints(history('uauatua'))).toEqual(findBreakpoints(history('uauatu')))
})
