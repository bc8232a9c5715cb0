import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { buildSessionContext } from '../../../src/core/session/context.ts'
import { convertMessages } from '../../../src/core/session/convert.ts'
import { openFile, parseFile } from '../../../src/core/transcript/parse-file.ts'
import * as files from '../../fixtures/session-files.ts'

const { assistantLine, entry, header, toFile, userLine } = files

async function parse(text: string, maxBytes = 64 * 2 ** 20) {
  let ids = 0
  const newId = () => `new-${Math.floor(ids++ / 2)}` // every id is offered twice
  return await parseFile(new Blob([text]).stream(), { maxBytes, newId })
}
/** As JSON, so that own `__proto__` keys and their order count too. */
const json = (value: unknown) => JSON.stringify(value)
const linesOf = (text: string) => text.trimEnd().split('\n')

describe('the head', () => {
  test('title slot and header are read, and everything of the header is kept', async () => {
    const { header } = await parse(files.versionThreeFile())
    expect(header).toMatchObject({
      id: 'sess-1',
      version: 3,
      title: 'Rate limits for the shop API',
      cwd: '/work/shop-api',
      timestamp: '2026-03-02T09:00:00.000Z',
      raw: { titleSource: 'auto', additionalDirectories: ['/work/docs'], title: 'An older title' },
    })
    expect((await parse(files.handoffChildFile())).header.parentSession).toMatch(/sess-1\.jsonl$/)
  })

  test.each([
    ['nothing', ''],
    ['blank lines', '\n\n'],
    ['prose', 'Dear diary\n'],
    ['an array', '[]\n'],
    ['only a title slot', toFile([files.slot('x')])],
    ['an entry first', toFile([userLine('a', null, 'x')])],
    ['an odd version', toFile([header({ version: '3' })])],
    ['an odd id', toFile([header({ id: 7 })])],
    [
      'a header nested too deep',
      toFile([header({ x: JSON.parse('['.repeat(70) + ']'.repeat(70)) })]),
    ],
  ])('%s is not a session file', async (_name, text) => {
    await expect(parse(text)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('This is not a pi session file: '),
    })
  })

  test('a version of the future is refused by its number', async () => {
    await expect(parse(toFile([header({ version: 4 })]))).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('version 4'),
    })
  })
})

describe('the three versions', () => {
  test('version 3 entries come out verbatim, unknown types and fields included', async () => {
    const text = files.versionThreeFile()
    const { entries, skipped, warnings } = await parse(text)
    expect(entries.map(json)).toEqual(linesOf(text).slice(2))
    expect({ skipped, warnings }).toEqual({ skipped: 0, warnings: [] })
  })

  test('version 2: a hookMessage becomes custom', async () => {
    const { entries } = await parse(files.versionTwoFile())
    expect(entries[1]).toMatchObject({ id: 'b', message: { role: 'custom', customType: 'lint' } })
  })

  test('version 1: ids, a linear chain, and the first kept entry by its id', async () => {
    const { entries, header } = await parse(files.versionOneFile())
    expect(header.version).toBe(1)
    expect(entries.map(({ id, parentId }) => [id, parentId])).toEqual([
      ['new-0', null],
      ['new-1', 'new-0'],
      ['new-2', 'new-1'],
      ['new-3', 'new-2'],
      ['new-4', 'new-3'],
    ])
    expect(entries[1]).toMatchObject({ type: 'model_change', provider: 'outline', modelId: 'm-1' })
    expect(entries[3]).toMatchObject({ summary: 'so far', firstKeptEntryId: 'new-2' })
    expect(entries[3]).not.toHaveProperty('firstKeptEntryIndex')
    expect(entries[4]).toMatchObject({ message: { role: 'custom' } })
  })

  test('version 1: a first kept entry that was left out is stood in for by the next, none is told', async () => {
    const at = (index: number) => ({ type: 'compaction', summary: 's', firstKeptEntryIndex: index })
    const said = (content: unknown) => ({ type: 'message', message: { role: 'user', content } })
    const { entries, warnings } = await parse(
      toFile([
        { type: 'session', id: 'x' },
        said('a'),
        said(7),
        '{ not json',
        said('c'),
        at(2),
        at(3),
        at(0),
        at(99),
      ]),
    )
    const [, c] = entries
    expect(
      entries.slice(2).map((e) => (e as { firstKeptEntryId?: string }).firstKeptEntryId),
    ).toEqual([c?.id, c?.id, undefined, undefined])
    expect(warnings.map(({ code, line }) => [code, line])).toEqual([
      ['bad_entry', 3],
      ['bad_json', 4],
      ['bad_first_kept', 8],
      ['bad_first_kept', 9],
    ])
  })
})

describe('what does not fit', () => {
  test('each bad line is left out and named, the rest goes on', async () => {
    const deep = `${'['.repeat(64)}${']'.repeat(64)}`
    const { entries, skipped, warnings } = await parse(
      toFile([
        header(),
        userLine('a', null, 'one'),
        '{"type":"message","id":',
        '[1]',
        '',
        `{"type":"custom","id":"deep","data":${deep}}`,
        { id: 'no-type' },
        { type: 'custom' },
        userLine('a', null, 'again'),
        entry('message', 'm1', 'a', { message: 'text' }),
        entry('message', 'm2', 'a', { message: { role: 4 } }),
        entry('message', 'm3', 'a', { message: { role: 'assistant', content: 'text' } }),
        entry('message', 'm4', 'a', { message: { role: 'user', content: [null] } }),
        entry('message', 'm5', 'a', { message: { role: 'toolResult', content: [] } }),
        header(),
        entry('custom_message', 'z', 'a', { customType: 'odd', content: 42 }),
      ]),
    )
    expect(entries.map(({ id }) => id)).toEqual(['a', 'z'])
    expect(skipped).toBe(12)
    expect(warnings.map(({ code, line }) => `${line} ${code}`)).toEqual([
      '3 bad_json',
      '4 not_an_object',
      '6 too_deep',
      '7 missing_type',
      '8 missing_id',
      '9 duplicate_id',
      '10 bad_entry',
      '11 bad_entry',
      '12 bad_entry',
      '13 bad_entry',
      '14 bad_entry',
      '15 second_header',
    ])
    expect(convertMessages(buildSessionContext(entries).items)).toHaveLength(1)
  })

  test('a torn last line loses only itself', async () => {
    const { entries, skipped } = await parse(files.corruptTailFile())
    expect([entries.length, skipped]).toEqual([2, 1])
  })

  test('a time that is none is that of the entry before, with a warning', async () => {
    const times = ['2026-03-02T10:00:00.000Z', 'yesterday', 7, undefined]
    const lines = times.map((timestamp, at) => ({
      type: 'custom',
      id: `${at}`,
      parentId: null,
      timestamp,
    }))
    const { entries, warnings } = await parse(toFile([header(), ...lines]))
    expect(entries.map(({ timestamp }) => timestamp)).toEqual(Array(4).fill(times[0]))
    expect(warnings.map(({ code, line }) => [code, line])).toEqual([
      ['bad_timestamp', 3],
      ['bad_timestamp', 4],
    ])
  })

  test('missing parent and timestamp are filled in, an unknown parent is kept', async () => {
    const { entries } = await parse(
      toFile([header(), { type: 'custom', id: 'a' }, { type: 'custom', id: 'b', parentId: 5 }]),
    )
    expect(entries).toEqual([
      { type: 'custom', id: 'a', parentId: null, timestamp: '2026-03-02T09:00:00.000Z' },
      { type: 'custom', id: 'b', parentId: null, timestamp: '2026-03-02T09:00:00.000Z' },
    ])
    const bare = await parse(
      toFile([
        { type: 'session', version: 3 },
        { type: 'custom', id: 'a' },
      ]),
    )
    expect(bare.entries[0]?.timestamp).toBe('1970-01-01T00:00:00.000Z')
    expect((await parse(files.orphanFile())).entries[1]?.parentId).toBe('gone')
    expect((await parse(files.cyclicFile())).entries).toHaveLength(2)
  })

  test('lone surrogates are replaced in values and keys with one warning, pairs stay', async () => {
    const line = String.raw`{"type":"custom","id":"a","data":["x\ud800y","\uDC00",{"k\ud83d":"\ud83d\ude00"}]}`
    const { entries, warnings } = await parse(toFile([header(), line]))
    expect(entries[0]).toMatchObject({ data: ['x\ufffdy', '\ufffd', { 'k\ufffd': '😀' }] })
    expect(warnings.map(({ code }) => code)).toEqual(['lone_surrogate'])
  })

  test('__proto__ is data everywhere and pollutes nothing', async () => {
    const line = String.raw`{"type":"custom","id":"a","parentId":null,"timestamp":"2026-03-02T09:00:00.000Z","__proto__":{"x":1},"data":{"__proto__":["\ud800"],"constructor":1}}`
    const { entries } = await parse(toFile([header(), line]))
    expect(json(entries[0])).toBe(line.replace(String.raw`\ud800`, '\ufffd'))
    expect(Object.getPrototypeOf(entries[0])).toBe(Object.prototype)
    expect(({} as { x?: unknown }).x).toBeUndefined()
  })

  test('of many warnings the first 100 are kept, all are counted', async () => {
    const { skipped, warnings } = await parse(
      toFile([header(), ...Array<string>(250).fill('oops')]),
    )
    expect([skipped, warnings.length]).toEqual([250, 100])
  })

  test('a file beyond the limit is refused', async () => {
    await expect(parse(files.versionThreeFile(), 1000)).rejects.toMatchObject({
      code: 'payload_too_large',
    })
  })
})

test('a long session is read in batches, with nothing left out', async () => {
  const bytes = readFileSync(new URL('../../fixtures/long-session.jsonl', import.meta.url))
  const file = await openFile(new Blob([bytes]).stream(), { maxBytes: 1e8, newId: () => 'x' })
  const sizes: number[] = []
  const ids = new Set<string>()
  for await (const batch of file.batches()) {
    sizes.push(batch.length)
    for (const { id, parentId } of batch) {
      expect(parentId === null || ids.has(parentId)).toBe(true)
      ids.add(id)
    }
  }
  expect(sizes.length).toBeGreaterThan(3)
  expect(ids.size).toBe(linesOf(bytes.toString()).length - 2)
  expect(file.report()).toEqual({ skipped: 0, warnings: [] })
})

test('closing a file that was not read to its end cancels the stream', async () => {
  let cancelled = false
  const head = new TextEncoder().encode(toFile([header(), assistantLine('a', null, 'one')]))
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(head),
    cancel: () => void (cancelled = true),
  })
  const file = await openFile(stream, { maxBytes: 1e6, newId: () => 'x' })
  await file.close()
  expect(cancelled).toBe(true)
})
