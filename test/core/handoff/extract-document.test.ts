import { describe, expect, test } from 'vitest'
import type { Block } from '../../../src/core/entry.ts'
import { extractDocument, warningsOf } from '../../../src/core/handoff/extract-document.ts'
import type { ModelAnswer } from '../../../src/core/providers/types.ts'

describe('the document', () => {
  const text = (said: string): Block => ({ type: 'text', text: said })
  const from = (content: readonly Block[], more: Partial<ModelAnswer> = {}) => {
    const usage = { input: null, output: null, cacheRead: null, cacheWrite: null }
    return extractDocument({ content, stopReason: 'stop', usage, ...more })
  }

  test('is the texts joined by a line break as they are, without thoughts, calls and images (X1, X4)', () => {
    const rest: readonly Block[] = [
      { type: 'thinking', thinking: 'hm' },
      { type: 'toolCall', id: 'c', name: 'look', arguments: {} },
      { type: 'image', data: 'AA', mimeType: 'image/png' },
    ]
    expect(from([text(' a'), ...rest, text('b\n')])).toBe(' a\nb\n')
  })

  test.each<[string, readonly Block[], Partial<ModelAnswer>, string]>([
    ['nothing (X3)', [], {}, 'empty_document'],
    ['blanks (X3, B2)', [text(' \n'), text('\t')], {}, 'empty_document'],
    [
      'a call alone (X6)',
      [{ type: 'toolCall', id: 'c', name: 'f', arguments: {} }],
      { stopReason: 'toolUse' },
      'empty_document',
    ],
    ['what was cut off (X5, B22)', [text('half')], { stopReason: 'length' }, 'truncated_document'],
    ['nothing, cut off (X5)', [], { stopReason: 'length' }, 'truncated_document'],
    ['a refusal', [text('I cannot')], { refused: true }, 'provider_error'],
  ])('is never %s', (_name, content, more, code) => {
    expect(() => from(content, more)).toThrow(expect.objectContaining({ code }))
  })

  test.each([
    "```tool_call\nlookup(q='x')\n```",
    '<tool_call>\n{"name":"lookup","arguments":{}}\n</tool_call>',
    '<｜tool▁calls▁begin｜>function<｜tool▁sep｜>lookup',
    '[TOOL_CALLS][{"name":"lookup","arguments":{}}]',
  ])('is not a tool call that a template let through: %s', (leaked) => {
    expect(() => from([text(`${leaked}\n`)])).toThrow(
      expect.objectContaining({ code: 'empty_document' }),
    )
    const quoted = `## Goal\nThe model wrote:\n${leaked}\nFix that.`
    expect(from([text(quoted)])).toBe(quoted)
  })

  test('comes with a warning when the model called a tool while it wrote (X1)', () => {
    const usage = { input: null, output: null, cacheRead: null, cacheWrite: null }
    const answer = { content: [text('a')], stopReason: 'stop', usage } as const
    expect(warningsOf(answer)).toEqual([])
    expect(warningsOf({ ...answer, stopReason: 'toolUse' })).toMatchObject([
      { code: 'tool_called' },
    ])
  })
})
