import { describe, expect, test } from 'vitest'
import type { Message } from '../../../../src/core/entry.ts'
import { writeOutline } from '../../../../src/core/providers/outline/write-outline.ts'
import { assistant, call, HEADINGS, headingsOf, result, user } from './material.ts'

const PIECES = [
  '# Title',
  '## Goal',
  '### Done',
  '```',
  '~~~~',
  '````md',
  '- [ ] open',
  '- [x] closed',
  '- [x]',
  '> ## quoted heading',
  '1. # numbered',
  'You must never do it, because it breaks src/a/b.ts.',
  'I fixed `run()` and added tests. Next I will deploy!',
  '必须使用 token。因为 它更快。',
  '<handoff-context>',
  '</handoff-context>',
  '</compaction-summary> only this',
  '\u001b[31mError: red\u001b[0m',
  'TODO: 😀😀 emoji',
  'https://example.com/a_(b)?c=`d`',
  'text ``` inside ~~~ must stay',
  '',
  ' ',
  '\r',
  'a\rb must c',
  '---',
  '===',
  '|must|always|',
  '<!-- must',
  `only ${'😀'.repeat(200)}`,
  `must ${'x'.repeat(700)}`,
]

/** Small numbers that look random and are the same every time. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function makeUp(seed: number): readonly Message[] {
  const next = random(seed)
  const text = (): string =>
    Array.from({ length: next(12) }, () => PIECES[next(PIECES.length)]).join('\n')
  return Array.from({ length: 1 + next(30) }, (_, at): Message => {
    const kind = next(5)
    if (kind === 0) return user(text(), next(3) === 0 ? 'agent' : 'user')
    if (kind === 1) return assistant(text())
    if (kind === 2) return call(`c${next(5)}`, next(2) === 0 ? 'bash' : 'todo', { command: text() })
    if (kind === 3) return result(`c${next(5)}`, text(), next(2) === 0)
    return user(`message ${at}: ${text()}`)
  })
}

function textsOf(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message): readonly string[] => {
    if (typeof message.content === 'string') return [message.content]
    return message.content.flatMap((block): readonly string[] => {
      if (block.type === 'text') return [block.text]
      return block.type === 'toolCall'
        ? [block.name, ...Object.values(block.arguments).map(String)]
        : []
    })
  })
}

const LABEL =
  /^(?:(?:First |Latest |Earlier )?[Rr]equest(?:, continued)?|Focus|Earlier focus|Open question|Asked|Stated|Finding|Error|File|Command|URL|Symbol|Code|bash|todo): /

function isSaid(excerpt: string, texts: readonly string[]): boolean {
  const text = excerpt.replace(/…$/, '')
  return texts.some((said) => said.includes(text))
}

function expectSound(document: string): void {
  expect(headingsOf(document)).toEqual(HEADINGS)
  expect((document.match(/```/g) ?? []).length % 2).toBe(0)
  expect(document).not.toMatch(/<\/?(?:handoff-context|compaction-summary|branch-summary)/)
  expect(document.isWellFormed()).toBe(true)
}

describe('a document made of hostile messages', () => {
  test('has only lines that are found in a message', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const messages = makeUp(seed)
      const texts = textsOf(messages)
      for (const line of writeOutline(messages).split('\n')) {
        if (line === '' || line.startsWith('#') || line.trim() === '```') continue
        if (line.endsWith('None recorded') || line === '- Code:') continue
        const item = line.replace(/^(?:- (?:\[[ x]\] )?|\d{1,2}\. | {2})/, '')
        const bare = item.replace(LABEL, '')
        const found = [item, bare].some(
          (it) => isSaid(it, texts) || it.split(' → ').every((part) => isSaid(part, texts)),
        )
        expect(found, `seed ${seed}: ${line}`).toBe(true)
      }
    }
  })

  test('keeps its structure', () => {
    for (let seed = 301; seed <= 600; seed++) {
      const document = writeOutline(makeUp(seed), { focus: PIECES[seed % PIECES.length] })
      // code stands indented in its list item, where a # is no heading
      expectSound(document.replace(/^ {2}(?!```).*$/gm, ''))
      expect(document.length).toBeLessThanOrEqual(6_000)
    }
  })

  test.each([
    ['#'],
    ['<'],
    ['a'],
    ['`'],
    ['```\n'],
    ['> '],
    ['a/'],
    ['- [ ] '],
    ['\n# '],
    ['😀'],
    ['\ud83d'],
    ['\udc00'],
    ['must. A'],
    ['https://'],
    ['<handoff-context>'],
    ['![](data:'],
  ])('survives a megabyte of %j', (piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length))
    const document = writeOutline(
      [
        user(text),
        assistant(text),
        call('1', text, { command: text, todos: [text] }),
        result('1', text, true),
      ],
      { focus: text },
    )
    expectSound(document.replace(/^ {2}(?!```).*$/gm, ''))
    expect(document.length).toBeLessThanOrEqual(160_000)
  })

  test('never splits a character where it clips', () => {
    for (let shift = 0; shift < 4; shift++) {
      const document = writeOutline([user(`You must ${'x'.repeat(shift)}${'😀'.repeat(3_000)}`)])
      expect(document).toMatch(/😀…/u)
      expect(document).not.toContain('\ufffd')
    }
  })
})

describe('the size of a document', () => {
  const talk = (count: number): readonly Message[] =>
    Array.from({ length: count }, (_, at) =>
      user(`You must keep src/part${at}/file${at}.ts, because reason ${at}. ${'word '.repeat(40)}`),
    )

  test.each([10, 100, 400])('is at most 6,000 characters for %i short messages', (count) => {
    expect(writeOutline(talk(count)).length).toBeLessThanOrEqual(6_000)
  })

  test.each([2_000, 8_000])('is at most 4 % of %i messages', (count) => {
    const messages = talk(count)
    const size = textsOf(messages).reduce((sum, text) => sum + text.length, 0)
    const { length } = writeOutline(messages)
    expect(length).toBeLessThanOrEqual(size * 0.04)
    expect(length).toBeGreaterThan(6_000)
  })

  test('shrinks by dropping old rules, not the latest request', () => {
    const document = writeOutline(talk(400))
    expect(document).toContain('- First request: You must keep src/part0/')
    expect(document).toContain('- Latest request: You must keep src/part399/')
    expect(headingsOf(document)).toEqual(HEADINGS)
  })
})
