import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestServer } from './start-server.ts'

/**
 * Holds the write lock of a server's database, as a backup or a second process would: D1 on workerd, where the
 * journals are files of their own; on Deno the one file of both stores. Returns what lets go of it.
 */
export function lockDatabase(server: TestServer): () => void {
  const database = new DatabaseSync(fileOf(server))
  database.exec('BEGIN IMMEDIATE')
  return () => {
    database.exec('ROLLBACK')
    database.close()
  }
}

function fileOf({ kind, folder }: TestServer): string {
  if (kind === 'deno') return join(folder, 'baton.sqlite')
  const d1 = join(folder, 'v3/d1/miniflare-D1DatabaseObject')
  const file = readdirSync(d1).find((name) => /^[0-9a-f]{64}\.sqlite$/.test(name))
  if (file === undefined) throw new Error('The server has no D1 database yet')
  return join(d1, file)
}
