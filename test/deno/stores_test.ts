import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openDatabase } from '../../src/deno/database.ts'
import { catalogSuite } from '../conformance/catalog.ts'
import { journalSuite } from '../conformance/journal.ts'
import { messageEntry, sessionMeta } from '../conformance/material.ts'

declare const Deno: { test(name: string, run: () => Promise<void> | void): void }

for (const { name, run } of journalSuite) {
  Deno.test(`journal: ${name}`, () =>
    inFolder(async (path) => {
      const database = openDatabase(path)
      // A neighbour in the same file must neither be seen nor touched.
      const neighbour = database.journal('tenant-a:neighbour')
      neighbour.append([messageEntry('entry-00', 'b'.repeat(600_000))])
      const before = JSON.stringify(neighbour.entries())
      await run(() => database.journal('tenant-a:session-a'))
      assert.ok(JSON.stringify(neighbour.entries()) === before)
      database.close()
    }))
}

for (const { name, run } of catalogSuite) {
  Deno.test(`catalog: ${name}`, () =>
    inFolder(async (path) => {
      const database = openDatabase(path)
      const beside = new DatabaseSync(path)
      const sql = (query: string, ...params: readonly (string | number | null)[]) =>
        beside.prepare(query).run(...params)
      await run(() => ({ catalog: database.catalog, tenant: 'tenant', sql }))
      beside.close()
      database.close()
    }))
}

Deno.test('what was written is there when the file is opened again, alarms too', () =>
  inFolder(async (path) => {
    const first = openDatabase(path)
    first.journal('t:a').putMeta(sessionMeta())
    first.setAlarm('t:a', 5)
    first.setAlarm('t:b', 6)
    first.setAlarm('t:a', 7)
    first.setAlarm('t:b', null)
    first.close()
    const second = openDatabase(path)
    assert.deepEqual(second.journal('t:a').meta(), sessionMeta())
    assert.deepEqual(
      second.alarms().map(({ owner, at }) => [owner, at]),
      [['t:a', 7]],
    )
    second.close()
  }))

Deno.test('an alarm is part of the transaction around it', () =>
  inFolder((path) => {
    const database = openDatabase(path)
    assert.throws(() =>
      database.journal('t:a').transaction(() => {
        database.setAlarm('t:a', 5)
        throw new Error('stop')
      }),
    )
    assert.deepEqual(database.alarms(), [])
    database.close()
  }))

Deno.test('transactions go on working after a commit that failed', () =>
  inFolder((path) => {
    const database = openDatabase(path)
    const beside = new DatabaseSync(path)
    // A deferred foreign key is checked by COMMIT: the one failure of it that can be made at will.
    beside.exec('CREATE TABLE a (id INTEGER PRIMARY KEY)')
    beside.exec('CREATE TABLE b (a INTEGER REFERENCES a (id) DEFERRABLE INITIALLY DEFERRED)')
    beside.exec(
      'CREATE TRIGGER t AFTER INSERT ON journal_notes BEGIN INSERT INTO b VALUES (1); END',
    )
    assert.throws(() => database.journal('t:a').putNote('n', 'v'), /FOREIGN KEY/)
    beside.exec('DROP TRIGGER t')
    database.journal('t:a').putNote('n', 'w')
    assert.equal(database.journal('t:a').note('n'), 'w')
    beside.close()
    database.close()
  }))

async function inFolder(run: (path: string) => Promise<void> | void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'baton-stores-'))
  try {
    await run(join(folder, 'baton.sqlite'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
