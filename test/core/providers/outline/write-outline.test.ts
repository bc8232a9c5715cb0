import { describe, expect, test } from 'vitest'
import type { Message } from '../../../../src/core/entry.ts'
import { wrapDocument } from '../../../../src/core/handoff/frame.ts'
import { writeOutline } from '../../../../src/core/providers/outline/write-outline.ts'
import { assistant, call, HEADINGS, headingsOf, result, section, TALK, user } from './material.ts'

describe('writeOutline', () => {
  const document = writeOutline(TALK)

  test('has the headings in their order, whatever there is to say', () => {
    expect(headingsOf(document).filter((line) => !line.startsWith(' '))).toEqual(HEADINGS)
    expect(headingsOf(writeOutline([]))).toEqual(HEADINGS)
    expect(writeOutline([]).match(/^(?:-|1\.) None recorded$/gm)).toHaveLength(8)
  })

  test('states the first and the latest request', () => {
    const goal = section(document, '## Goal')
    expect(goal[0]).toContain('First request: Add rate limits to the shop API.')
    expect(goal.at(-1)).toBe('- Latest request: 必须保留旧的接口。 Now fix `takeToken()` as well.')
  })

  test('keeps what users demanded, in any script', () => {
    expect(section(document, '## Constraints & Preferences')).toEqual([
      '- Never touch packages/billing.',
      '- I prefer small commits.',
      '- 必须保留旧的接口。',
    ])
  })

  test('tells done from in progress from pending by what was said and returned last', () => {
    expect(section(document, '### Done')).toEqual([
      '- [x] edit: src/limits/bucket.ts',
      '- [x] Limiter',
      '- [x] I added the middleware.',
    ])
    expect(section(document, '### In Progress')).toEqual([
      '- [ ] Measure the limiter',
      '- [ ] bash: pnpm lint → Error: unused import',
    ])
    expect(section(document, '### Pending')).toEqual([
      '- [ ] Runbook',
      '- [ ] bash: pnpm test → TypeError: clock is not a function',
      '- [ ] Load test',
    ])
  })

  test('does not call a red test run done because its exit code was good', () => {
    const red = [user('go'), call('1', 'bash', { command: 'npm test' }), result('1', '3 failed')]
    expect(section(writeOutline(red), '### Done')).toEqual(['- None recorded'])
    expect(section(writeOutline(red), '### In Progress')).toEqual([
      '- [ ] bash: npm test → 3 failed',
    ])
    const green = [...red, call('2', 'bash', { command: 'npm test' }), result('2', '9 passed')]
    expect(section(writeOutline(green), '### Done')).toEqual(['- [x] bash: npm test → 9 passed'])
    expect(section(writeOutline(green), '### In Progress')).toEqual(['- None recorded'])
  })

  test('keeps decisions with their reasons, places, commands, errors and addresses', () => {
    expect(section(document, '## Key Decisions')).toEqual([
      '- We go with a token bucket because it allows bursts.',
    ])
    for (const line of [
      '- File: src/limits/bucket.ts',
      '- Command: pnpm test',
      '- Error: TypeError: clock is not a function',
      '- URL: https://shop.example/wiki#limits',
      '- Symbol: takeToken()',
      '  const a = 1',
    ]) {
      expect(document.split('\n')).toContain(line)
    }
  })

  test('plans from the last exchange', () => {
    const next = section(document, '## Next Steps')
    expect(next[0]).toBe('1. Open question: Shall I also bump the version?')
    expect(next[1]).toBe('2. Next I will remove the unused import.')
  })

  test('puts an unanswered request first', () => {
    const next = section(writeOutline([...TALK, user('Bump it to 2.0.0.')]), '## Next Steps')
    expect(next[0]).toBe('1. Asked: Bump it to 2.0.0.')
  })

  test('states the focus and lifts what belongs to it', () => {
    const long = Array.from({ length: 400 }, (_, at) =>
      user(`You must keep rule ${at} about ${at === 7 ? 'the zebra cache' : 'something else'}.`),
    )
    expect(writeOutline(long)).not.toContain('rule 7 ')
    const focused = writeOutline(long, { focus: 'zebra' })
    expect(section(focused, '## Goal')[0]).toBe('- Focus: zebra')
    expect(section(focused, '## Constraints & Preferences')[0]).toContain('the zebra cache')
  })

  test('carries an earlier document over without its frame', () => {
    const child: readonly Message[] = [user(wrapDocument(document), 'agent'), user('Go on.')]
    const second = writeOutline(child)
    expect(second).not.toContain('handoff')
    expect(section(second, '## Goal')[0]).toContain('First request: Add rate limits')
    expect(section(second, '## Goal').at(-1)).toBe('- Latest request: Go on.')
    expect(second).toContain('- Earlier request: 必须保留旧的接口。')
    expect(second).toContain('- Never touch packages/billing.')
    expect(second).toContain('- We go with a token bucket because it allows bursts.')
    expect(section(second, '### Pending')).toContain('- [ ] Load test')
    expect(section(second, '### Done')).toContain('- [x] Limiter')
    expect(second).toContain('- File: src/limits/bucket.ts')
  })

  test('an item of an earlier document is done once it was ticked', () => {
    const second = writeOutline([
      user(wrapDocument(document), 'agent'),
      assistant('- [x] Load test'),
    ])
    expect(section(second, '### Done')).toContain('- [x] Load test')
    expect(section(second, '### Pending')).not.toContain('- [ ] Load test')
  })

  test('ignores images, empty content and thinking', () => {
    const silent: readonly Message[] = [
      { role: 'user', content: [{ type: 'image', data: 'QUJD', mimeType: 'image/png' }] },
      { role: 'user', content: '' },
      {
        role: 'assistant',
        content: [{ type: 'thinking', thinking: 'I fixed it.' }],
        stopReason: 'stop',
      },
      { role: 'developer', content: [] },
    ]
    expect(writeOutline(silent)).toBe(writeOutline([]))
  })

  test('says the same every time and leaves the messages alone', () => {
    const before = JSON.stringify(TALK)
    expect(writeOutline(TALK)).toBe(writeOutline(structuredClone(TALK)))
    expect(JSON.stringify(TALK)).toBe(before)
  })
})
