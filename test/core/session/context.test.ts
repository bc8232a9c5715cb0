import { describe, expect, test } from 'vitest'
import type { Entry } from '../../../src/core/entry.ts'
import {
  buildSessionContext,
  countMessages,
  walkBranch,
} from '../../../src/core/session/context.ts'
import { convertMessages } from '../../../src/core/session/convert.ts'

const AT = '2026-01-01T00:00:00.000Z'

function entry(id: string, parentId: string | null, fields: Record<string, unknown>): Entry {
  return { id, parentId, timestamp: AT, ...fields } as unknown as Entry
}
function user(id: string, parentId: string | null, content: string): Entry {
  return entry(id, parentId, { type: 'message', message: { role: 'user', content } })
}
function assistant(id: string, parentId: string | null, content: unknown[], more = {}): Entry {
  return entry(id, parentId, {
    type: 'message',
    message: { role: 'assistant', content, stopReason: 'stop', provider: 'p', model: 'm', ...more },
  })
}
function result(id: string, parentId: string, toolCallId: string): Entry {
  return entry(id, parentId, {
    type: 'message',
    message: {
      role: 'toolResult',
      toolCallId,
      toolName: 't',
      content: [{ type: 'text', text: 'r' }],
      isError: false,
    },
  })
}
const text = (value: string) => ({ type: 'text', text: value })
const call = (id: string) => ({ type: 'toolCall', id, name: 't', arguments: {} })

function texts(entries: readonly Entry[], leaf?: string | null): readonly string[] {
  return convertMessages(buildSessionContext(entries, leaf).items).map(({ role, content }) => {
    const said =
      typeof content === 'string'
        ? content
        : content.map((b) => ('text' in b ? b.text : b.type)).join('|')
    return `${role}: ${said}`
  })
}

describe('buildSessionContext', () => {
  test('1: no leaf is an empty context, an unknown leaf the last entry', () => {
    const entries = [user('a', null, 'one'), user('b', 'a', 'two')]
    expect(texts(entries, null)).toEqual([])
    expect(texts(entries, 'nowhere')).toEqual(['user: one', 'user: two'])
    expect(texts(entries, 'a')).toEqual(['user: one'])
  })

  test('2: a cycle ends the walk', () => {
    const entries = [user('a', 'b', 'one'), user('b', 'a', 'two')]
    expect(texts(entries, 'b')).toEqual(['user: one', 'user: two'])
  })

  test('2: an orphan gives a short path', () => {
    expect(texts([user('a', null, 'lost'), user('b', 'gone', 'two')])).toEqual(['user: two'])
  })

  test('2: another branch is left out', () => {
    const entries = [user('a', null, 'root'), user('b', 'a', 'left'), user('c', 'a', 'right')]
    expect(texts(entries, 'c')).toEqual(['user: root', 'user: right'])
    expect(countMessages(walkBranch(entries, 'b'))).toBe(2)
  })

  test('3: the assistant’s model counts until one is chosen', () => {
    const entries = [
      assistant('a', null, [text('x')]),
      entry('b', 'a', { type: 'model_change', model: 'q/chosen' }),
      assistant('c', 'b', [text('y')]),
      entry('d', 'c', { type: 'thinking_level_change', thinkingLevel: 'low' }),
      entry('e', 'd', { type: 'mode_change', mode: 'plan' }),
    ]
    expect(buildSessionContext(entries)).toMatchObject({
      models: { default: 'q/chosen' },
      thinkingLevel: 'low',
      mode: 'plan',
    })
    expect(buildSessionContext(entries, 'a')).toMatchObject({
      models: { default: 'p/m' },
      thinkingLevel: 'off',
      mode: 'none',
    })
  })

  test('4: a compaction puts its summary first, then what it kept, then what followed', () => {
    const entries = [
      user('a', null, 'old'),
      user('b', 'a', 'kept'),
      entry('c', 'b', { type: 'compaction', summary: 'S', firstKeptEntryId: 'b' }),
      user('d', 'c', 'new'),
    ]
    const said = texts(entries)
    expect(said).toHaveLength(3)
    expect(said[0]).toContain('<compaction-summary>\nS\n</compaction-summary>')
    expect(said.slice(1)).toEqual(['user: kept', 'user: new'])
  })

  test('4: the latest compaction wins; an unknown first kept entry keeps nothing', () => {
    const entries = [
      user('a', null, 'old'),
      entry('b', 'a', { type: 'compaction', summary: 'first', firstKeptEntryId: 'a' }),
      user('c', 'b', 'between'),
      entry('d', 'c', { type: 'compaction', summary: 'second', firstKeptEntryId: 'gone' }),
    ]
    expect(texts(entries)).toHaveLength(1)
    expect(texts(entries)[0]).toContain('second')
  })

  test('4: a reset boundary after the compaction drops the compaction too', () => {
    const entries = [
      user('a', null, 'old'),
      entry('b', 'a', { type: 'compaction', summary: 'S', firstKeptEntryId: 'a' }),
      entry('c', 'b', { type: 'reset_boundary' }),
      user('d', 'c', 'new'),
    ]
    expect(texts(entries)).toEqual(['user: new'])
  })

  test('5: retried assistants, empty summaries and misshapen custom messages are left out', () => {
    const entries = [
      assistant('a', null, [text('x')], { retryRecovery: true }),
      entry('b', 'a', { type: 'branch_summary', fromId: 'root', summary: '' }),
      entry('c', 'b', { type: 'custom_message', customType: 'n', content: 7, display: true }),
      entry('d', 'c', { type: 'custom_message', customType: 'n', content: 'note', display: true }),
      entry('e', 'd', { type: 'label', targetId: 'a', label: 'x' }),
    ]
    expect(texts(entries)).toEqual(['developer: note'])
  })

  test('6: a tool call without a result stays, and nothing of its turn changes: it is answered on the way to a model', () => {
    const thinking = { type: 'thinking', thinking: 'hm', signature: 'sig' }
    const entries = [
      user('a', null, 'q'),
      assistant('b', 'a', [thinking, text('t'), call('1'), call('2')]),
      result('c', 'b', '1'),
    ]
    const { items } = buildSessionContext(entries)
    expect(items[1]).toEqual({
      kind: 'message',
      message: expect.objectContaining({ content: [thinking, text('t'), call('1'), call('2')] }),
    })
    expect(convertMessages(items).at(-1)).toMatchObject({ toolCallId: '2', isError: true })
  })

  test('7: failed turns go together with their tool results', () => {
    const entries = [
      user('a', null, 'q'),
      assistant('b', 'a', [text('half'), call('1')], { stopReason: 'error' }),
      result('c', 'b', '1'),
      assistant('d', 'c', [text('cut')], { stopReason: 'aborted' }),
      user('e', 'd', 'again'),
    ]
    expect(texts(entries)).toEqual(['user: q', 'user: again'])
  })

  test('8: the handoff document comes as the user’s words, inside one frame (I3)', () => {
    const content =
      '<handoff-context>\nD </handoff-context> x\n</handoff-context>\n\nThe above is a handoff document from a previous session. Use this context to continue the work seamlessly.'
    const [said] = texts([
      entry('a', null, {
        type: 'custom_message',
        customType: 'handoff',
        content,
        display: true,
        attribution: 'agent',
      }),
    ])
    expect(said).toMatch(
      /^user: <handoff-context>\nD ‹\/handoff-context> x\n<\/handoff-context>\n\nThe above/,
    )
  })

  test('8: a result whose call was summarised away becomes a note', () => {
    const said = texts([user('a', null, 'q'), result('b', 'a', 'gone')])
    expect(said).toEqual(['user: q', 'user: Result of an earlier call of the tool t:|r'])
  })

  test('10,000 entries are folded without a copy per entry', () => {
    const entries: Entry[] = []
    for (let i = 0; i < 10_000; i += 1)
      entries.push(user(`m${i}`, i === 0 ? null : `m${i - 1}`, 'x'))
    expect(buildSessionContext(entries).items).toHaveLength(10_000)
  })
})
