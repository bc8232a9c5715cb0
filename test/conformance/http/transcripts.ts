import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { LONG_TEXT, largeFile } from '../../fixtures/large-files.ts'
import {
  assistantLine,
  branchedFile,
  compactedFile,
  corruptTailFile,
  cyclicFile,
  danglingCallFile,
  foreignFieldsFile,
  handoffChildFile,
  header,
  orphanFile,
  toFile,
  userLine,
  versionOneFile,
  versionThreeFile,
  versionTwoFile,
} from '../../fixtures/session-files.ts'
import type { Answer, Case, World } from './world.ts'
import { call, isProblem, newSession } from './world.ts'

const NDJSON = { 'content-type': 'application/x-ndjson' }

function importFile(
  world: World,
  file: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return call(world, 'POST', '/v1/sessions/import', file, { ...NDJSON, ...headers })
}

async function exportFile(world: World, id: string): Promise<string> {
  const answer = await fetch(`${world.server.baseUrl}/v1/sessions/${id}/export`)
  assert.equal(answer.status, 200)
  return answer.text()
}

async function entriesOf(world: World, id: string): Promise<readonly unknown[]> {
  const found: unknown[] = []
  for (let after = '0'; ;) {
    const path = `/v1/sessions/${id}/entries?limit=1000&after=${after}`
    const { body } = await call(world, 'GET', path)
    found.push(...body.items)
    if (body.nextCursor === null) return found
    after = body.nextCursor
  }
}

/** Imports, exports, imports again; asserts that both have equal entries and returns them. */
async function roundTrip(world: World, file: string): Promise<readonly unknown[]> {
  const first = await importFile(world, file)
  assert.equal(first.status, 201, JSON.stringify(first.body).slice(0, 300))
  const entries = await entriesOf(world, first.body.session.id)
  assert.equal(entries.length, first.body.imported)
  const context = await call(world, 'GET', `/v1/sessions/${first.body.session.id}/context`)
  assert.equal(context.status, 200)
  const again = await importFile(world, await exportFile(world, first.body.session.id))
  assert.equal(again.status, 201, JSON.stringify(again.body).slice(0, 300))
  assert.equal(again.body.skipped, 0)
  const read = await entriesOf(world, again.body.session.id)
  // Not deepEqual: its diff of megabytes would take minutes to print.
  assert.ok(isDeepStrictEqual(read, entries), 'the entries differ')
  const { id: _a, createdAt: _b, updatedAt: _c, ...one } = first.body.session
  const { id: _d, createdAt: _e, updatedAt: _f, ...two } = again.body.session
  assert.deepEqual(two, one)
  return entries
}

/** The same file without a Content-Length. */
async function importChunked(
  world: World,
  file: string,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const answer = await fetch(`${world.server.baseUrl}/v1/sessions/import`, {
    method: 'POST',
    headers: { ...NDJSON, ...headers },
    body: new Blob([file]).stream(),
    duplex: 'half',
  } as RequestInit)
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}

let keys = 0

function newKey(): { readonly 'idempotency-key': string } {
  return { 'idempotency-key': `import-${Date.now()}-${(keys += 1)}` }
}

export const TRANSCRIPT_CASES: readonly Case[] = [
  {
    name: 'session files of every version and shape are imported, and an export of them is lossless',
    async run(world) {
      const long = join(import.meta.dirname, '../../fixtures/long-session.jsonl')
      for (const file of [
        versionOneFile(),
        versionTwoFile(),
        versionThreeFile(),
        branchedFile(),
        compactedFile(),
        danglingCallFile(),
        foreignFieldsFile(),
        readFileSync(long, 'utf8'),
      ]) {
        await roundTrip(world, file)
      }
    },
  },
  {
    name: 'histories of 1,200 lines and 6 MB, versions 1 to 3, with a compaction, aborted turns and a line of 2.5 MB come back equal',
    async run(world) {
      for (const version of [1, 2, 3] as const) {
        const file = largeFile(version)
        assert.ok(new TextEncoder().encode(file).length > 6_000_000)
        const entries = await roundTrip(world, file)
        assert.equal(entries.length, 1_202)
        const last = entries.at(-1) as { message: { content: unknown } }
        assert.ok(last.message.content === LONG_TEXT)
        const compaction = entries[800] as { type: string; firstKeptEntryId: string }
        const kept = entries[600] as { id: string }
        assert.deepEqual([compaction.type, compaction.firstKeptEntryId], ['compaction', kept.id])
      }
    },
  },
  {
    name: 'a cut-off file gives what is whole and says what was not; cycles and orphans do not stop it',
    async run(world) {
      for (const [file, kept] of [
        [corruptTailFile(), 2],
        [cyclicFile(), null],
        [orphanFile(), null],
      ] as const) {
        const { status, body } = await importFile(world, file)
        assert.equal(status, 201, JSON.stringify(body))
        if (kept !== null) assert.deepEqual([body.imported, body.skipped], [kept, 1])
        if (kept !== null) assert.ok(body.warnings.length > 0)
        const context = await call(world, 'GET', `/v1/sessions/${body.session.id}/context`)
        assert.equal(context.status, 200)
        await roundTrip(world, await exportFile(world, body.session.id))
      }
    },
  },
  {
    name: 'line ends of Windows, a byte order mark and empty lines change nothing',
    async run(world) {
      const file = toFile([header(), userLine('a', null, 'one'), assistantLine('b', 'a', 'two')])
      const plain = await entriesOf(world, (await importFile(world, file)).body.session.id)
      for (const variant of [file.replaceAll('\n', '\r\n'), `\uFEFF${file}`, `${file}\n\n`]) {
        const { status, body } = await importFile(world, variant)
        assert.equal(status, 201, JSON.stringify(body))
        assert.deepEqual([body.imported, body.skipped], [2, 0])
        assert.deepEqual(await entriesOf(world, body.session.id), plain)
      }
    },
  },
  {
    name: 'an export is a version 3 file: a header, then entries whose parents came before them',
    async run(world) {
      const id = await newSession(world, { title: 'Shop' })
      const [head, ...lines] = (await exportFile(world, id))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ type }) => type !== 'title')
      assert.deepEqual([head?.['type'], head?.['version']], ['session', 3])
      const seen = new Set<unknown>([null])
      for (const { id: own, parentId } of lines) {
        assert.ok(seen.has(parentId), `${String(own)} comes before its parent`)
        assert.ok(!seen.has(own))
        seen.add(own)
      }
      assert.equal(lines.filter(({ type }) => type === 'message').length, 2)
    },
  },
  {
    name: 'a handed-off child keeps its first entry through export and import (I1, I2)',
    async run(world) {
      const [saved] = (await roundTrip(world, handoffChildFile())) as { customType: string }[]
      assert.equal(saved?.customType, 'handoff')
      const id = await newSession(world)
      const child = (await call(world, 'POST', `/v1/sessions/${id}/handoff`)).body.newSession.id
      await call(world, 'POST', `/v1/sessions/${child}/turns`, { message: 'go on' })
      const before = await entriesOf(world, child)
      const again = await importFile(world, await exportFile(world, child))
      assert.deepEqual(await entriesOf(world, again.body.session.id), before)
      const context = await call(world, 'GET', `/v1/sessions/${again.body.session.id}/context`)
      const original = await call(world, 'GET', `/v1/sessions/${child}/context`)
      assert.deepEqual(context.body.messages, original.body.messages)
    },
  },
  {
    name: 'a file with one Idempotency-Key is imported once, and another file of equal length is a mismatch',
    async run(world) {
      const key = newKey()
      const one = toFile([header(), userLine('a', null, 'one'), userLine('b', 'a', 'x')])
      const two = one.replace('"one"', '"two"')
      assert.equal(one.length, two.length)
      const first = await importFile(world, one, key)
      assert.equal(first.status, 201)
      for (const again of [
        await importFile(world, one, key),
        await importChunked(world, one, key),
      ]) {
        assert.deepEqual([again.status, again.body], [201, first.body])
      }
      isProblem(await importFile(world, two, key), 422, 'idempotency_mismatch')
      isProblem(await importChunked(world, two, key), 422, 'idempotency_mismatch')
    },
  },
  {
    name: 'of ten uploads of one file with one key at once, one is stored and all get it; another file is a mismatch',
    async run(world) {
      const key = newKey()
      const file = largeFile(3)
      const other = importFile(world, file.replace('Question 0', 'Question X'), newKey())
      const all = await Promise.all(Array.from({ length: 10 }, () => importFile(world, file, key)))
      assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([201]))
      assert.equal(new Set(all.map(({ body }) => body.session.id)).size, 1)
      assert.notEqual((await other).body.session.id, all[0]?.body.session.id)
      const changed = file.replace('Question 0', 'Question X')
      isProblem(await importFile(world, changed, key), 422, 'idempotency_mismatch')
    },
  },
  {
    name: 'a refused file does not use up its key: the corrected one is imported with it',
    async run(world) {
      const key = newKey()
      isProblem(await importFile(world, 'hello', key), 422, 'invalid')
      const file = toFile([header(), userLine('a', null, 'one')])
      const [one, two] = await Promise.all([
        importFile(world, file, key),
        importFile(world, file, key),
      ])
      assert.deepEqual([one.status, two.status], [201, 201])
      assert.deepEqual(one.body, two.body)
    },
  },
  {
    name: 'a line that is too deep, broken or of a wrong shape is never a 500',
    async run(world) {
      const deep = `{"type":"message","id":"x","parentId":"a","message":${'['.repeat(70_000)}${']'.repeat(70_000)}}`
      const first = userLine('a', null, 'one')
      for (const line of [
        deep,
        '{',
        'null',
        '[]',
        '{}',
        '{"type":1}',
        '{"type":"message"}',
        '\0',
      ]) {
        const { status, body } = await importFile(world, toFile([header(), first, line]))
        assert.ok(status === 201 || status === 422, `${line.slice(0, 40)}: ${status}`)
        if (status === 201) assert.equal(body.imported, 1, line.slice(0, 40))
      }
      const lone = toFile([header(), first, userLine('b', 'a', '@')]).replace('@', '\\ud800')
      const { status } = await importFile(world, lone)
      assert.ok(status === 201 || status === 422)
      for (const file of [
        '',
        '\n',
        'null',
        '[]',
        '{"type":"session"',
        new Uint8Array([255, 254]),
      ]) {
        isProblem(await importFile(world, file), 422, 'invalid')
      }
    },
  },
  {
    name: 'what is no session file, or not said to be one, leaves nothing behind',
    async run(world) {
      const newest = async () => (await call(world, 'GET', '/v1/sessions?limit=1')).body.items
      const before = await newest()
      isProblem(await importFile(world, 'hello'), 422, 'invalid')
      isProblem(await importFile(world, '{"type":"message"}'), 422, 'invalid')
      const csv = { 'content-type': 'text/csv' }
      isProblem(await importFile(world, 'x', csv), 415, 'unsupported_media_type')
      assert.deepEqual(await newest(), before)
    },
  },
  {
    name: 'a file of more than 64 MiB is refused and leaves nothing behind',
    async run(world) {
      const newest = async () => (await call(world, 'GET', '/v1/sessions?limit=1')).body.items
      const before = await newest()
      const line = new TextEncoder().encode(toFile([userLine('a', null, 'x'.repeat(1_000_000))]))
      const file = new Uint8Array(line.length * 68)
      for (let at = 0; at < 68; at += 1) file.set(line, at * line.length)
      file.set(new TextEncoder().encode(toFile([header()])))
      isProblem(await importFile(world, file), 413, 'payload_too_large')
      assert.deepEqual(await newest(), before)
    },
  },
]
