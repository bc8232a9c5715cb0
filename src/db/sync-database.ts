import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'

/** Drizzle's synchronous SQLite: `durable-sqlite`, over an object's storage or a look-alike of it. */
export type SyncDatabase = BaseSQLiteDatabase<'sync', unknown, Record<string, never>>

/** One session's part of a database that others may share. */
export interface Owned {
  readonly db: SyncDatabase
  readonly owner: string
}
