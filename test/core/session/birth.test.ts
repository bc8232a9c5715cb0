import { describe, expect, test } from 'vitest'
import { sessionMeta } from '../../conformance/material.ts'
import { header, toFile, userLine } from '../../fixtures/session-files.ts'
import { CREATE, ID, setUp } from './live.ts'

const KEYED = { ...CREATE, idempotency: { key: 'k', fingerprint: 'f' } }
const MAX_BYTES = 1_000_000
const FILE = toFile([header(), userLine('a', null, 'one'), userLine('b', 'a', 'two')])

function streamOf(text: string): ReadableStream<Uint8Array> {
  return new Blob([text]).stream()
}

/** An upload that stops in the middle and never goes on. */
function stalled(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
  })
}

describe('a session is born', () => {
  test('a creation whose process died right after it is answered as the first time', async () => {
    const { live, setAway } = setUp()
    setAway(true)
    const first = await live().create(KEYED)
    expect(first.ok).toBe(true)
    // Another process: nothing of the first one's memory is left.
    expect(await live().create(KEYED)).toEqual(first)
    const other = { ...KEYED, idempotency: { key: 'k', fingerprint: 'g' } }
    const mismatch = { ok: false, error: { code: 'idempotency_mismatch' } }
    expect(await live().create(other)).toMatchObject(mismatch)
  })

  test('a retried creation does not look again whether its parent exists', async () => {
    const { database, live } = setUp()
    const parent = { ...CREATE, parentSession: 'session-gone', idempotency: KEYED.idempotency }
    expect(await live().create(parent)).toMatchObject({
      ok: false,
      error: { code: 'invalid', issues: [{ path: 'parentSession' }] },
    })
    expect(database.journal(`local:${ID}`).meta()).toBeNull()
    await database.catalog.apply([
      {
        kind: 'session',
        session: { ...sessionMeta({ id: 'session-gone', tenant: 'local' }), status: 'idle' },
      },
    ])
    const first = await live().create(parent)
    expect(first.ok).toBe(true)
    await database.catalog.deleteSession('local', 'session-gone')
    expect(await live().create(parent)).toEqual(first)
  })

  test('an import whose process died in the middle leaves nothing: its retry is stored once', async () => {
    const { database, live } = setUp()
    const lost = live()
    void lost.importFile(stalled(FILE), { maxBytes: MAX_BYTES, key: 'k' })
    const journal = database.journal(`local:${ID}`)
    await expect.poll(() => journal.meta()?.state).toBe('loading')
    const again = await live().importFile(streamOf(FILE), { maxBytes: MAX_BYTES, key: 'k' })
    expect(again).toMatchObject({ ok: true, value: { imported: 2 } })
    expect(journal.entries().map(({ id }) => id)).toEqual(['a', 'b'])
  })

  test('what a dead import left is cleared away by the alarm', async () => {
    const { database, live, alarms } = setUp()
    void live().importFile(stalled(FILE), { maxBytes: MAX_BYTES, key: null })
    const journal = database.journal(`local:${ID}`)
    await expect.poll(() => journal.meta()?.state).toBe('loading')
    expect(alarms.at(-1)).toBeGreaterThan(Date.now())
    await live().onAlarm()
    expect(journal.meta()).toBeNull()
    expect(journal.entries()).toEqual([])
    expect(alarms.at(-1)).toBeNull()
  })

  test('the alarm leaves an import alone that still runs, and looks again', async () => {
    const { database, live, alarms } = setUp()
    const session = live()
    void session.importFile(stalled(FILE), { maxBytes: MAX_BYTES, key: null })
    const journal = database.journal(`local:${ID}`)
    await expect.poll(() => journal.meta()?.state).toBe('loading')
    await session.onAlarm()
    expect(journal.meta()?.state).toBe('loading')
    expect(alarms.at(-1)).toBeGreaterThan(Date.now())
  })

  test('an upload that breaks off frees its key for the one that waits', async () => {
    const { live } = setUp()
    const session = live()
    let cut = (): void => undefined
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => (cut = () => controller.error(new Error('connection lost'))),
    })
    const first = session.importFile(broken, { maxBytes: MAX_BYTES, key: 'k' })
    const second = session.importFile(streamOf(FILE), { maxBytes: MAX_BYTES, key: 'k' })
    cut()
    expect((await first).ok).toBe(false)
    expect(await second).toMatchObject({ ok: true, value: { imported: 2 } })
  })
})
