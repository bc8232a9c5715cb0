/** One step of a schema: applied once, in order of name. */
export interface Migration {
  readonly name: string
  readonly statements: readonly string[]
}

/** What a Durable Object's storage gives, as far as migrating needs it. */
export interface SqlStorageLike {
  readonly sql: {
    exec(query: string, ...params: readonly unknown[]): { toArray(): readonly unknown[] }
  }
  transactionSync<T>(run: () => T): T
}

const TABLE = 'applied_migrations'

/** Whether anything was ever migrated here: reading it writes nothing, so an id that nobody has leaves no trace. */
export function isMigrated({ sql }: SqlStorageLike): boolean {
  return (
    sql.exec(`SELECT name FROM sqlite_master WHERE type = 'table' AND name = ?`, TABLE).toArray()
      .length > 0
  )
}

/**
 * Applies what is missing, each migration in a transaction of its own. An own migrator, because drizzle's hides the
 * cause of a failure behind "Rollback" (drizzle-orm #5763); here the driver's error comes through with the name.
 */
export function migrate(storage: SqlStorageLike, migrations: readonly Migration[]): void {
  const { sql } = storage
  sql.exec(`CREATE TABLE IF NOT EXISTS ${TABLE} (name TEXT PRIMARY KEY)`)
  const rows = sql.exec(`SELECT name FROM ${TABLE}`).toArray() as readonly { name: string }[]
  const applied = new Set(rows.map((row) => row.name))
  for (const { name, statements } of migrations) {
    if (applied.has(name)) continue
    storage.transactionSync(() => {
      try {
        for (const statement of statements) sql.exec(statement)
        sql.exec(`INSERT INTO ${TABLE} (name) VALUES (?)`, name)
      } catch (cause) {
        throw new Error(`Migration ${name} failed`, { cause })
      }
    })
  }
}
