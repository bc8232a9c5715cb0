import { and, eq, lt } from 'drizzle-orm'
import type { Journal } from '../core/ports.ts'
import type { TurnRecord } from '../core/session/turn-record.ts'
import { isOver } from '../core/session/turn-record.ts'
import { journalTurns } from './journal-schema.ts'
import type { JournalTexts } from './journal-texts.ts'
import type { Owned } from './sync-database.ts'

const KIND = 'turn'

/** What became of each turn. Writing belongs into a transaction. */
export function createTurns(
  { db, owner }: Owned,
  texts: JournalTexts,
): Pick<Journal, 'turnRecord' | 'putTurnRecord' | 'forgetTurns'> {
  const { id, createdAt, body } = journalTurns
  const mine = eq(journalTurns.owner, owner)

  function read(row: { readonly id: string; readonly body: string }): TurnRecord {
    return JSON.parse(texts.load(KIND, row.id, row.body)) as TurnRecord
  }

  return {
    turnRecord(of) {
      const row = db
        .select({ id, body })
        .from(journalTurns)
        .where(and(mine, eq(id, of)))
        .get()
      return row === undefined ? null : read(row)
    },
    putTurnRecord(record) {
      const text = texts.store(KIND, record.id, JSON.stringify(record))
      db.insert(journalTurns)
        .values({ owner, id: record.id, createdAt: record.createdAt, body: text })
        .onConflictDoUpdate({ target: [journalTurns.owner, id], set: { body: text } })
        .run()
    },
    forgetTurns(before) {
      const old = db
        .select({ id, body })
        .from(journalTurns)
        .where(and(mine, lt(createdAt, before)))
        .all()
      for (const row of old) {
        if (!isOver(read(row))) continue
        texts.store(KIND, row.id, '')
        db.delete(journalTurns)
          .where(and(mine, eq(id, row.id)))
          .run()
      }
    },
  }
}
