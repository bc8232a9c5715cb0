import { describe, expect, test } from 'vitest'
import type { Entry, ForeignMessage, Message } from '../../../src/core/entry.ts'
import { convertMessages } from '../../../src/core/session/convert.ts'

function convert(...messages: readonly (Message | ForeignMessage)[]): readonly Message[] {
  return convertMessages(messages.map((message) => ({ kind: 'message', message })))
}

function textOf(message: Message | undefined): string {
  const content = message?.content ?? ''
  if (typeof content === 'string') return content
  return content.map((block) => (block.type === 'text' ? block.text : block.type)).join('|')
}

function fromEntry(fields: { readonly type: string; readonly [field: string]: unknown }): Message {
  const entry = { id: 'e', parentId: null, timestamp: '', ...fields } as unknown as Entry
  const [message, ...more] = convertMessages([{ kind: 'entry', entry }])
  if (message === undefined || more.length > 0) throw new Error('not one message')
  return message
}

describe('the four roles every wire knows', () => {
  test('they pass as the same objects, so that live turn and handoff carry the same bytes', () => {
    const messages: readonly Message[] = [
      { role: 'user', content: 'a' },
      { role: 'developer', content: 'b' },
      { role: 'assistant', content: [], stopReason: 'stop' },
    ]
    expect(convert(...messages).every((message, at) => message === messages[at])).toBe(true)
  })

  test('a result keeps its role after its call and becomes the user’s note without one', () => {
    const result: Message = {
      role: 'toolResult',
      toolCallId: 'c1',
      toolName: 'read',
      content: [{ type: 'text', text: 'words' }],
      isError: false,
    }
    const call: Message = {
      role: 'assistant',
      content: [{ type: 'toolCall', id: 'c1', name: 'read', arguments: {} }],
      stopReason: 'toolUse',
    }
    expect(convert(call, result)[1]).toBe(result)
    const [note] = convert(result)
    expect(note).toMatchObject({ role: 'user', attribution: 'agent' })
    expect(textOf(note)).toBe('Result of an earlier call of the tool read:|words')
  })

  test('roles that nobody knows are left out', () => {
    expect(convert({ role: 'hologram', content: 'x' })).toEqual([])
  })
})

describe('what the coding agent’s own roles become', () => {
  test('a command the user ran tells its output and how it ended, in a fence nothing closes', () => {
    const output = 'a\n```\nb\n````'
    const [message] = convert({ role: 'bashExecution', command: 'ls', output, exitCode: 2 })
    expect(message?.role).toBe('user')
    expect(textOf(message)).toContain(`\`\`\`\`\`\n${output}\n\`\`\`\`\``)
    expect(textOf(message)).toContain('exit code 2')
    const quiet = convert({ role: 'pythonExecution', code: 'x', cancelled: true, truncated: true })
    expect(textOf(quiet[0])).toMatch(/printed nothing.*cancelled.*truncated/s)
  })

  test('what was excluded from the context stays out', () => {
    const hidden = {
      role: 'bashExecution',
      command: 'env',
      output: 'KEY',
      excludeFromContext: true,
    }
    expect(convert(hidden)).toEqual([])
  })

  test('mentioned files come as text or image, and what is neither is left out', () => {
    const image = { type: 'image', data: 'QUJD', mimeType: 'image/png', extra: 1 }
    const files = [
      { path: 'a.ts', content: 'const a = 1' },
      { path: 'b.png', image },
      { path: 'c.png', image: { data: 5 } },
      null,
      { path: 'd' },
    ]
    const [text, picture, ...rest] = convert({ role: 'fileMention', files })
    expect(textOf(text)).toContain('const a = 1')
    expect(picture?.content).toEqual([
      { type: 'text', text: 'File b.png' },
      { type: 'image', data: 'QUJD', mimeType: 'image/png' },
    ])
    expect(rest).toEqual([])
    expect(convert({ role: 'fileMention', files: 'no list' })).toEqual([])
  })

  test('a hook’s message is the developer’s, one without content is nothing', () => {
    expect(convert({ role: 'hookMessage', content: 'note' })).toMatchObject([
      { role: 'developer', content: 'note', attribution: 'agent' },
    ])
    expect(convert({ role: 'custom', content: 7 })).toEqual([])
  })
})

describe('what entries become', () => {
  test('summaries are the user’s words in a frame of their own that they cannot close', () => {
    for (const [type, tag] of [
      ['compaction', 'compaction-summary'],
      ['branch_summary', 'branch-summary'],
    ] as const) {
      const message = fromEntry({ type, summary: `a </${tag}> b` })
      expect(message).toMatchObject({ role: 'user', attribution: 'agent' })
      expect(textOf(message).split(`</${tag}>`)).toHaveLength(2)
      expect(textOf(message).trimEnd().endsWith(`</${tag}>`)).toBe(true)
    }
  })

  test('a handoff document is the user’s, other custom messages are the developer’s (I3)', () => {
    const handoff = { type: 'custom_message', customType: 'handoff', display: true }
    expect(fromEntry({ ...handoff, content: 'doc' })).toMatchObject({ role: 'user' })
    const content = [{ type: 'text', text: 'doc' }]
    expect(fromEntry({ ...handoff, content }).role).toBe('user')
    const note = fromEntry({ ...handoff, customType: 'note', content: 'short' })
    expect(note).toMatchObject({ role: 'developer', content: 'short' })
  })
})
