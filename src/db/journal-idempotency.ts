import { and, eq, lt } from 'drizzle-orm'
import type { Journal } from '../core/ports.ts'
import { journalIdempotency } from './journal-schema.ts'
import type { JournalTexts } from './journal-texts.ts'
import type { Owned } from './sync-database.ts'

/** Answers kept by route and Idempotency-Key. Writing belongs into a transaction. */
export function createIdempotency(
  { db, owner }: Owned,
  texts: JournalTexts,
): Pick<Journal, 'idempotency' | 'putIdempotency' | 'forgetIdempotency'> {
  const table = journalIdempotency
  const mine = eq(table.owner, owner)
  return {
    idempotency(route, key) {
      const row = db
        .select()
        .from(table)
        .where(and(mine, eq(table.route, route), eq(table.key, key)))
        .get()
      if (row === undefined) return null
      const { owner: _owner, ...rest } = row
      const { answer } = row
      return answer === null ? rest : { ...rest, answer: texts.load('answer', ref(row), answer) }
    },
    putIdempotency(row) {
      const answer = row.answer === null ? null : texts.store('answer', ref(row), row.answer)
      const values = { ...row, owner, answer }
      db.insert(table)
        .values(values)
        .onConflictDoUpdate({ target: [table.owner, table.route, table.key], set: values })
        .run()
    },
    forgetIdempotency(before) {
      const old = and(mine, lt(table.createdAt, before))
      const { route, key } = table
      const rows = db.select({ route, key }).from(table).where(old).all()
      for (const row of rows) texts.store('answer', ref(row), '')
      if (rows.length > 0) db.delete(table).where(old).run()
    },
  }
}

function ref({ route, key }: { readonly route: string; readonly key: string }): string {
  return `${route} ${key}`
}
