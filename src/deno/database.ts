import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { drizzle as drizzleObject } from 'drizzle-orm/durable-sqlite'
import { drizzle as drizzleProxy } from 'drizzle-orm/sqlite-proxy'
import { BatonError } from '../core/errors.ts'
import type { Catalog, Journal } from '../core/ports.ts'
import type { AsyncDatabase } from '../db/catalog.ts'
import { createCatalog } from '../db/catalog.ts'
import { isTransient } from '../db/db-error.ts'
import { createJournal } from '../db/journal.ts'
import { JOURNAL_MIGRATIONS } from '../db/journal-migrations.ts'
import type { Migration, SqlStorageLike } from '../db/migrate.ts'
import { migrate } from '../db/migrate.ts'
import type { SyncDatabase } from '../db/sync-database.ts'

/** Both stores in one SQLite file, and the alarms of all sessions. One process owns the file. */
export interface Database {
  readonly catalog: Catalog
  journal(owner: string): Journal
  setAlarm(owner: string, at: number | null): void
  alarms(): readonly { readonly owner: string; readonly at: number }[]
  close(): void
}

interface RawStorage extends SqlStorageLike {
  readonly sql: {
    exec(
      query: string,
      ...params: readonly unknown[]
    ): {
      toArray(): readonly unknown[]
      raw(): { toArray(): readonly unknown[] }
      next(): { done: boolean; value: unknown }
    }
  }
}

/** Prepared statements kept for reuse; Baton has far fewer different ones. */
const STATEMENTS_KEPT = 500

/** Opens or makes the file and brings its schema up to date. Throws with the failing migration's name and cause. */
export function openDatabase(path: string, migrations = defaultMigrations()): Database {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
  const sqlite = new DatabaseSync(path)
  sqlite.exec('PRAGMA journal_mode = WAL')
  // FULL: an acknowledged write survives a power cut, as it does on D1 and in a Durable Object.
  sqlite.exec('PRAGMA synchronous = FULL')
  sqlite.exec('PRAGMA busy_timeout = 5000')
  const storage = likeStorage(sqlite)
  migrate(storage, readMigrations(join(migrations, 'catalog')))
  migrate(storage, JOURNAL_MIGRATIONS)
  sqlite.exec('CREATE TABLE IF NOT EXISTS alarms (owner TEXT PRIMARY KEY, at INTEGER NOT NULL)')
  const setAlarm = sqlite.prepare('INSERT OR REPLACE INTO alarms (owner, at) VALUES (?, ?)')
  const dropAlarm = sqlite.prepare('DELETE FROM alarms WHERE owner = ?')
  const objects = drizzleObject(storage as never) as unknown as SyncDatabase
  return {
    catalog: openCatalog(storage),
    journal: (owner) => createJournal(objects, owner),
    setAlarm(owner, at) {
      orUnavailable(() => (at === null ? dropAlarm.run(owner) : setAlarm.run(owner, at)))
    },
    alarms: () =>
      sqlite.prepare('SELECT owner, at FROM alarms').all() as unknown as readonly {
        owner: string
        at: number
      }[],
    close: () => sqlite.close(),
  }
}

/** What drizzle's durable-sqlite driver asks of a Durable Object's storage, on node:sqlite. */
function likeStorage(sqlite: DatabaseSync): RawStorage {
  const statements = new Map<string, StatementSync>()
  let depth = 0

  function prepare(query: string): StatementSync {
    const known = statements.get(query)
    if (known !== undefined) return known
    const statement = sqlite.prepare(query)
    statement.setReturnArrays(true)
    if (statements.size < STATEMENTS_KEPT) statements.set(query, statement)
    return statement
  }

  return {
    sql: {
      exec(query, ...params) {
        const statement = prepare(query)
        const rows = orUnavailable(() =>
          statement.all(...params.map(toSqlite)),
        ) as unknown as unknown[][]
        const toArray = (): readonly unknown[] => {
          const names = statement.columns().map((column) => column.name)
          return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])))
        }
        return {
          toArray,
          raw: () => ({ toArray: () => rows }),
          next: () => ({ done: rows.length === 0, value: toArray()[0] }),
        }
      },
    },
    transactionSync(run) {
      const name = `nested_${depth}`
      orUnavailable(() => sqlite.exec(depth === 0 ? 'BEGIN IMMEDIATE' : `SAVEPOINT ${name}`))
      const outer = depth
      depth += 1
      try {
        const result = run()
        sqlite.exec(outer === 0 ? 'COMMIT' : `RELEASE ${name}`)
        return result
      } catch (thrown) {
        try {
          sqlite.exec(outer === 0 ? 'ROLLBACK' : `ROLLBACK TO ${name}; RELEASE ${name}`)
        } catch {
          // A full disk or an I/O error has rolled back already; what is worth telling is that one.
        }
        throw thrown
      } finally {
        depth = outer
      }
    },
  }
}

/** A file that another program holds for longer than `busy_timeout` is no fault of ours, and soon over. */
function orUnavailable<T>(run: () => T): T {
  try {
    return run()
  } catch (thrown) {
    if (!isTransient(thrown)) throw thrown
    const detail = 'Another program holds the database; try again in a moment'
    throw new BatonError('unavailable', detail)
  }
}

/** The catalog over the same file: asynchronous by its driver's type, though SQLite answers at once. */
function openCatalog(storage: RawStorage): Catalog {
  const db = drizzleProxy(
    async (query, params, method) => {
      const rows = storage.sql
        .exec(query, ...(params as unknown[]))
        .raw()
        .toArray()
      return { rows: method === 'get' ? (rows[0] as unknown[]) : (rows as unknown[]) }
    },
    async (batch) =>
      storage.transactionSync(() =>
        batch.map(({ sql, params }) => ({
          rows: storage.sql
            .exec(sql, ...(params as unknown[]))
            .raw()
            .toArray() as unknown[],
        })),
      ),
  )
  return createCatalog(db as unknown as AsyncDatabase, async (statements) => {
    await db.batch(statements as unknown as Parameters<typeof db.batch>[0])
  })
}

/** Deno's node:sqlite refuses booleans, which D1 and Durable Objects take as 0 and 1. */
function toSqlite(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  return value as SQLInputValue
}

/** The folder that wrangler applies to D1, in order of name. */
function readMigrations(folder: string): readonly Migration[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .map((name) => ({
      name,
      statements: readFileSync(join(folder, name), 'utf8')
        .split('--> statement-breakpoint')
        .filter((statement) => statement.trim() !== ''),
    }))
}

function defaultMigrations(): string {
  return join(import.meta.dirname ?? '.', '../../migrations')
}
