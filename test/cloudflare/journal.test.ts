import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/durable-sqlite'
import { expect, test } from 'vitest'
import type { Journal } from '../../src/core/ports.ts'
import { createJournal } from '../../src/db/journal.ts'
import { JOURNAL_MIGRATIONS } from '../../src/db/journal-migrations.ts'
import { createLazyJournal } from '../../src/db/lazy-journal.ts'
import type { SqlStorageLike } from '../../src/db/migrate.ts'
import { isMigrated, migrate } from '../../src/db/migrate.ts'
import type { SyncDatabase } from '../../src/db/sync-database.ts'
import { journalSuite } from '../conformance/journal.ts'
import { handoffRecord, messageEntry, sessionMeta } from '../conformance/material.ts'

const OWNER = 'tenant-a:session-a'

for (const { name, run } of journalSuite) {
  test(name, () => inObject(name, (storage) => run(() => open(storage))))
}

test('reading a session that nobody has makes no table', async () => {
  await inObject('nobody', (storage) => {
    const journal = open(storage)
    expect(journal.meta()).toBeNull()
    expect(journal.entries()).toEqual([])
    expect(journal.idempotency('r', 'k')).toBeNull()
    journal.forgetIdempotency(5)
    journal.wipe()
    expect(isMigrated(like(storage))).toBe(false)
  })
})

test('deleteAll under a living object leaves an empty journal that can be written again', async () => {
  await inObject('deleted', async (storage) => {
    const journal = open(storage)
    journal.putMeta(sessionMeta())
    await storage.deleteAll()
    expect(journal.meta()).toBeNull()
    expect(journal.hasNews()).toBe(false)
    journal.putMeta(sessionMeta({ revision: 9 }))
    expect(journal.meta()?.revision).toBe(9)
  })
})

test('no row of a 6 MB entry reaches 2 MB, which workerd does not enforce locally', async () => {
  await inObject('rows', (storage) => {
    open(storage).append([messageEntry('entry-00', '€'.repeat(2_000_000))])
    const sizes = ['body FROM journal_entries', 'text FROM journal_chunks'].flatMap((from) =>
      storage.sql.exec(`SELECT length(CAST(${from.replace(' ', ' AS BLOB)) AS size ')}`).toArray(),
    )
    expect(sizes).toHaveLength(5)
    for (const { size } of sizes) expect(Number(size)).toBeLessThan(2_000_000)
  })
})

test('a failing migration is undone, names itself and keeps the real cause', async () => {
  await inObject('migration', (storage) => {
    const broken = { name: '0001_broken', statements: ['CREATE TABLE a (b)', 'CREATE NONSENSE'] }
    let thrown: unknown
    try {
      migrate(like(storage), [broken])
    } catch (error) {
      thrown = error
    }
    expect((thrown as Error).message).toContain('0001_broken')
    expect(String((thrown as Error).cause)).toContain('NONSENSE')
    migrate(like(storage), [{ ...broken, statements: ['CREATE TABLE a (b)'] }])
    migrate(like(storage), [{ ...broken, statements: ['CREATE TABLE a (b)'] }])
  })
})

test('handoffs that were stored before their status had a column get it from their record', async () => {
  await inObject('older', (storage) => {
    migrate(like(storage), JOURNAL_MIGRATIONS.slice(0, 1))
    const insert = 'INSERT INTO journal_handoffs (owner, id, number, body) VALUES (?, ?, ?, ?)'
    const record = JSON.stringify(handoffRecord({ id: 'handoff-a' }))
    const long = JSON.stringify({ id: 'handoff-b', status: 'committing', document: 'x' }).slice(
      0,
      -9,
    )
    storage.sql.exec(insert, OWNER, 'handoff-a', 1, record)
    storage.sql.exec(insert, OWNER, 'handoff-b', 2, long)
    expect(open(storage).handoffHead()).toEqual({ id: 'handoff-b', status: 'committing' })
    storage.sql.exec(`DELETE FROM journal_handoffs WHERE id = 'handoff-b'`)
    expect(open(storage).handoffHead()).toEqual({ id: 'handoff-a', status: 'generating' })
  })
})

test('an alarm set in a transaction that throws is not set', async () => {
  await inObject('alarm', async (storage) => {
    const journal = open(storage)
    expect(() =>
      journal.transaction(() => {
        void storage.setAlarm(Date.now() + 60_000)
        throw new Error('stop')
      }),
    ).toThrow('stop')
    expect(await storage.getAlarm()).toBeNull()
  })
})

function inObject(
  name: string,
  run: (storage: DurableObjectStorage) => Promise<void> | void,
): Promise<void> {
  const stub = env.SESSIONS.get(env.SESSIONS.idFromName(name))
  return runInDurableObject(stub, (_object, state) => run(state.storage))
}

function open(storage: DurableObjectStorage): Journal {
  const db = drizzle(storage) as unknown as SyncDatabase
  return createLazyJournal(like(storage), createJournal(db, OWNER))
}

function like(storage: DurableObjectStorage): SqlStorageLike {
  return storage as unknown as SqlStorageLike
}
