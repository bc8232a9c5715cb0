import { describe, expect, test } from 'vitest'
import type { AssistantMessage, Message, ToolResultMessage } from '../../../src/core/entry.ts'
import { pairTools } from '../../../src/core/session/pair-tools.ts'

function calls(...ids: readonly string[]): AssistantMessage {
  return {
    role: 'assistant',
    stopReason: 'toolUse',
    content: ids.map((id) => ({ type: 'toolCall', id, name: 'look', arguments: {} })),
  }
}
function result(toolCallId: string, text = 'r'): ToolResultMessage {
  return {
    role: 'toolResult',
    toolCallId,
    toolName: 'look',
    content: [{ type: 'text', text }],
    isError: false,
  }
}
const said = (content: string): Message => ({ role: 'user', content })

describe('tool calls and their results', () => {
  test('a call that nothing answered gets an error result, at the end and in the middle', () => {
    const missing = { role: 'toolResult', toolCallId: 'a', toolName: 'look', isError: true }
    expect(pairTools([calls('a')])).toMatchObject([{}, missing])
    expect(pairTools([calls('a', 'b'), result('b'), said('on')])).toMatchObject([
      {},
      missing,
      { toolCallId: 'b', isError: false },
      { role: 'user' },
    ])
  })

  test('results come right behind their calls, in the order of the calls, before what was said meanwhile', () => {
    const step = calls('a', 'b')
    expect(pairTools([step, said('wait'), result('b'), result('a'), said('go')])).toEqual([
      step,
      result('a'),
      result('b'),
      said('wait'),
      said('go'),
    ])
  })

  test('a result without its call, a second one and a late one become notes where they are', () => {
    const late = [calls('a'), said('x'), calls('b'), result('b'), result('a', 'late')]
    const paired = pairTools([result('gone'), ...late])
    expect(paired.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'toolResult',
      'user',
      'assistant',
      'toolResult',
      'user',
    ])
    expect(paired[6]?.content).toEqual([
      { type: 'text', text: 'Result of an earlier call of the tool look:' },
      { type: 'text', text: 'late' },
    ])
    expect(pairTools([calls('a'), result('a'), result('a', 'twice')])[2]).toMatchObject({
      role: 'user',
      attribution: 'agent',
    })
  })

  test('a call that names no tool goes, and its result becomes a note', () => {
    const nameless: AssistantMessage = {
      ...calls('a'),
      content: [...calls('b').content, { type: 'toolCall', id: 'a', name: ' ', arguments: {} }],
    }
    const paired = pairTools([nameless, result('a'), result('b')])
    expect(paired).toMatchObject([calls('b'), { toolCallId: 'b' }, { role: 'user' }])
  })

  test('an id that each answer uses anew belongs to the latest', () => {
    const history = [calls('call_0'), result('call_0', '1'), calls('call_0'), result('call_0', '2')]
    expect(pairTools(history)).toEqual(history)
  })

  test('what is well paired passes as the same objects', () => {
    const history = [said('q'), calls('a'), result('a'), said('thanks')]
    expect(pairTools(history).every((message, at) => message === history[at])).toBe(true)
  })
})
