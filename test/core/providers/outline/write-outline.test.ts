import { describe, expect, test } from 'vitest'
import type { Message } from '../../../../src/core/entry.ts'
import { writeOutline } from '../../../../src/core/providers/outline/write-outline.ts'

const HEADINGS = [
  '## Goal',
  '## Constraints & Preferences',
  '## Progress',
  '### Done',
  '### In Progress',
  '### Pending',
  '## Key Decisions',
  '## Critical Context',
  '## Next Steps',
]

function user(content: string): Message {
  return { role: 'user', content }
}
function assistant(
  text: string,
  ...calls: readonly [id: string, name: string, args: object][]
): Message {
  return {
    role: 'assistant',
    stopReason: 'stop',
    content: [
      { type: 'text', text },
      ...calls.map(([id, name, args]) => ({
        type: 'toolCall' as const,
        id,
        name,
        arguments: args as Record<string, unknown>,
      })),
    ],
  }
}
function result(toolCallId: string, toolName: string, text: string, isError = false): Message {
  return { role: 'toolResult', toolCallId, toolName, content: [{ type: 'text', text }], isError }
}

const TALK: readonly Message[] = [
  user('Add rate limits to the shop API. Never touch packages/billing. I prefer small commits.'),
  assistant(
    'We will use a token bucket because it allows bursts.',
    ['1', 'edit', { path: 'src/limits/bucket.ts' }],
    ['2', 'bash', { command: 'pnpm test' }],
  ),
  result('1', 'edit', 'ok'),
  result('2', 'bash', 'TypeError: clock is not a function\n at bucket.ts:3', true),
  user('- [ ] write the runbook\n- [x] agree on the limits\nSee https://example.com/limits.'),
  assistant(
    'The bucket is in place. Next: fix the clock in the test.\n\n```ts\nconst clock = () => Date.now()\n```',
  ),
]

describe('writeOutline', () => {
  test('has all headings in their order, for an empty transcript too (Q4)', () => {
    for (const messages of [[], TALK]) {
      const document = writeOutline(messages)
      expect([...document.matchAll(/^#{2,3} .*$/gm)].map(([line]) => line)).toEqual(HEADINGS)
    }
  })

  test('finds goal, constraints, progress, decisions, context and next steps', () => {
    const document = writeOutline(TALK)
    for (const line of [
      'First request: Add rate limits to the shop API.',
      '- Never touch packages/billing.',
      '- I prefer small commits.',
      '- [x] edit src/limits/bucket.ts',
      '- [ ] bash pnpm test: TypeError: clock is not a function',
      '- [ ] write the runbook',
      '- [x] agree on the limits',
      '- We will use a token bucket because it allows bursts.',
      '- Path: `src/limits/bucket.ts`',
      '- Command: `pnpm test`',
      '- Error: TypeError: clock is not a function',
      '- Url: https://example.com/limits.',
      'const clock = () => Date.now()',
      '1. Next: fix the clock in the test.',
    ]) {
      expect(document).toContain(line)
    }
  })

  test('is the same every time, and says what the focus asks for', () => {
    expect(writeOutline(TALK)).toBe(writeOutline(TALK))
    expect(writeOutline(TALK, { focus: 'the runbook' })).toContain('Focus: the runbook')
  })

  test('quotes: every line of it is found in a message', () => {
    const said = JSON.stringify(TALK).replaceAll('\\n', ' ')
    const lines = writeOutline(TALK)
      .split('\n')
      .filter(
        (line) =>
          line !== '' &&
          !line.startsWith('#') &&
          !line.startsWith('```') &&
          !line.endsWith('None recorded'),
      )
    for (const line of lines) {
      const text = line
        .replace(
          /^(?:- \[[ x]\] |- (?:Path|Command|Error|Url|Symbol|Code): ?|- |\d\. |(?:First|Latest) request: )/,
          '',
        )
        .replace(/…$/, '')
        .replaceAll('`', '')
      for (const piece of text.split(/: | /).filter((word) => word !== ''))
        expect(said).toContain(piece)
    }
  })

  test('stays within 4 % of the transcript or 6,000 characters', () => {
    const long = Array.from({ length: 2_000 }, (_, at) =>
      user(`You must keep file src/part/file${at}.ts. ${'x '.repeat(50)}`),
    )
    const size = long.reduce((sum, { content }) => sum + content.length, 0)
    expect(writeOutline(long).length).toBeLessThanOrEqual(Math.max(6_000, size * 0.04))
    expect(writeOutline(long.slice(0, 300)).length).toBeLessThanOrEqual(6_000)
  })

  test.each(['#', '<', 'a', '`', '[', 'a/', '- [ ] ', ' ', '\n', '\ud83d\ude00', '```\n'])(
    'a million of %j neither breaks nor leaves the structure',
    (piece) => {
      const text = piece.repeat(1_000_000 / piece.length)
      const document = writeOutline([user(text), assistant(text), result('1', 't', text, true)])
      expect([...document.matchAll(/^#{2,3} .*$/gm)].map(([line]) => line)).toEqual(HEADINGS)
      expect(document.isWellFormed()).toBe(true)
      expect((document.match(/^```/gm) ?? []).length % 2).toBe(0)
    },
  )

  test('carries an earlier handoff document on without its frame', () => {
    const frame =
      '<handoff-context>\n## Goal\nShip the limits\n\n- You must never lock orders.\n- [ ] backfill\n</handoff-context>\n\nThe above is a handoff document from a previous session. Use this context to continue the work seamlessly.'
    const document = writeOutline([
      { role: 'user', content: frame, attribution: 'agent' },
      user('go on'),
    ])
    expect(document).toContain('You must never lock orders.')
    expect(document).toContain('- [ ] backfill')
    expect(document).not.toContain('handoff-context')
  })
})
