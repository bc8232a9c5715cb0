import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Entry, StoredEntry } from '../../../src/core/entry.ts'
import { parseFile } from '../../../src/core/transcript/parse-file.ts'
import type { FileMeta } from '../../../src/core/transcript/write-file.ts'
import { entryLine, fileHeader, writeFile } from '../../../src/core/transcript/write-file.ts'
import * as files from '../../fixtures/session-files.ts'

const AT = '2026-03-02T09:00:00.000Z'
const META: FileMeta = {
  id: 'sess-9',
  timestamp: AT,
  leaf: 'leaf-1',
  parentSession: null,
  config: {
    title: 'Limits',
    model: 'outline/m-1',
    thinkingLevel: 'high',
    systemPrompt: ['Be brief.'],
    tools: [{ name: 'read', parameters: { type: 'object' } }],
    mode: 'none',
    settings: { autoHandoff: true },
  },
}
const long = readFileSync(new URL('../../fixtures/long-session.jsonl', import.meta.url), 'utf8')

async function parse(input: string | ReadableStream<Uint8Array>) {
  let ids = 0
  const stream = typeof input === 'string' ? new Blob([input]).stream() : input
  return await parseFile(stream, { maxBytes: 1e9, newId: () => `id-${(ids += 1)}` })
}
function pagesOf(entries: readonly Entry[], size = 100): StoredEntry[][] {
  const stored = entries.map((entry, index) => ({ ...entry, seq: index + 1 }) as StoredEntry)
  return Array.from({ length: Math.ceil(stored.length / size) }, (_, page) =>
    stored.slice(page * size, (page + 1) * size),
  )
}

test('the first line is the header, for pi knows no title slot; a long title survives in it', async () => {
  for (const title of ['ü'.repeat(300), '"'.repeat(200), '👩‍💻'.repeat(90), 'short', null]) {
    const meta = { ...META, config: { ...META.config, title } }
    const text = await new Response(writeFile({ meta, pages: [] })).text()
    expect(JSON.parse(text.split('\n')[0] ?? '')).toMatchObject({ type: 'session', version: 3 })
    expect((await parse(text)).header.title).toBe(title ?? undefined)
  }
})

describe('the header', () => {
  test('carries the configuration, and of an import what was there', async () => {
    const { header } = await parse(files.versionThreeFile())
    const written = JSON.parse(fileHeader({ ...META, imported: header.raw })) as unknown
    const { title: _title, ...baton } = META.config
    expect(written).toEqual({
      type: 'session',
      version: 3,
      id: 'sess-9',
      timestamp: AT,
      cwd: '/work/shop-api',
      title: 'Limits',
      titleSource: 'auto',
      additionalDirectories: ['/work/docs'],
      baton: { ...baton, leaf: 'leaf-1' },
    })
  })

  test('without an import the folder is the root, and the parent is the session’s own', () => {
    const written = JSON.parse(fileHeader({ ...META, parentSession: 'sess-8' })) as unknown
    expect(written).toMatchObject({ cwd: '/', parentSession: 'sess-8' })
  })
})

test('an entry’s line begins with the common fields, keeps the order of the others and drops seq', () => {
  const line = entryLine({
    seq: 4,
    z: 1,
    type: 'custom',
    timestamp: AT,
    a: 2,
    parentId: null,
    id: 'x',
  } as StoredEntry)
  expect(line).toBe(`{"type":"custom","id":"x","parentId":null,"timestamp":"${AT}","z":1,"a":2}`)
})

describe('parse, write, parse', () => {
  const odd = String.raw`{"type":"custom","id":"p","__proto__":{"x":1},"data":{"__proto__":"\ud800"},"toJSON":1}`
  test.each([
    ['version 1', files.versionOneFile()],
    ['version 2', files.versionTwoFile()],
    ['version 3', files.versionThreeFile()],
    ['branches', files.branchedFile()],
    ['a compaction', files.compactedFile()],
    ['a corrupt tail', files.corruptTailFile()],
    ['a cycle', files.cyclicFile()],
    ['an orphan', files.orphanFile()],
    ['a dangling tool call', files.danglingCallFile()],
    ['a handoff child', files.handoffChildFile()],
    ['odd keys', files.toFile([files.header(), odd])],
    ['a long session', long],
  ])('loses nothing of %s', async (_name, text) => {
    const before = await parse(text)
    const meta = { ...META, imported: before.header.raw }
    const after = await parse(writeFile({ meta, pages: pagesOf(before.entries) }))
    expect(after.entries).toEqual(before.entries)
    expect(after.entries.map(entryKeys)).toEqual(before.entries.map(entryKeys))
    expect(after).toMatchObject({ skipped: 0, warnings: [], header: { version: 3 } })
    expect(after.header.baton).toMatchObject({ model: 'outline/m-1', mode: 'none' })
  })
})

/** Own keys at every level; `toEqual` alone would not see an own `__proto__`. */
function entryKeys(entry: unknown): readonly string[] {
  if (typeof entry !== 'object' || entry === null) return []
  return Object.entries(entry)
    .flatMap(([key, value]) => [key, ...entryKeys(value).map((inner) => `${key}.${inner}`)])
    .sort()
}

describe('the stream', () => {
  test('asks for a page only when it is read', async () => {
    let asked = 0
    function* pages() {
      for (const page of pagesOf(
        Array.from({ length: 50 }, (_, n) => plain(`${n}`)),
        10,
      )) {
        asked += 1
        yield page
      }
    }
    const reader = writeFile({ meta: META, pages: pages() }).getReader()
    expect(asked).toBe(0)
    await reader.read()
    await reader.read()
    await Promise.resolve()
    expect(asked).toBe(1)
    await reader.cancel()
    expect(asked).toBe(1)
  })

  test('empty pages are passed over, asynchronous ones awaited, a failing one fails it', async () => {
    async function* pages() {
      yield []
      yield* pagesOf([plain('a')])
    }
    expect((await parse(writeFile({ meta: META, pages: pages() }))).entries).toHaveLength(1)
    async function* failing() {
      yield* pagesOf([plain('a')])
      throw new Error('gone')
    }
    await expect(parse(writeFile({ meta: META, pages: failing() }))).rejects.toThrow('gone')
  })

  test('a reader with its own buffer is told the end', async () => {
    const reader = writeFile({ meta: META, pages: [] }).getReader({ mode: 'byob' })
    let bytes = 0
    for (;;) {
      const { done, value } = await reader.read(new Uint8Array(64))
      bytes += value?.byteLength ?? 0
      if (done) break
    }
    expect(bytes).toBe(new TextEncoder().encode(fileHeader(META)).length + 1)
  })
})

function plain(id: string): Entry {
  return { type: 'custom', id, parentId: null, timestamp: AT }
}
