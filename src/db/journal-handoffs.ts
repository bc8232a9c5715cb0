import { and, desc, eq, sql } from 'drizzle-orm'
import type { HandoffRecord } from '../core/handoff/machine.ts'
import type { Journal } from '../core/ports.ts'
import { journalHandoffs } from './journal-schema.ts'
import type { JournalTexts } from './journal-texts.ts'
import type { Owned } from './sync-database.ts'

/** The handoffs of one session, numbered in the order in which they began. `putHandoff` belongs into a transaction. */
export function createHandoffs(
  { db, owner }: Owned,
  texts: JournalTexts,
): Pick<Journal, 'handoff' | 'latestHandoff' | 'handoffHead' | 'putHandoff'> {
  const mine = eq(journalHandoffs.owner, owner)

  function whole(row: { id: string; body: string } | undefined): HandoffRecord | null {
    if (row === undefined) return null
    return JSON.parse(texts.load('handoff', row.id, row.body)) as HandoffRecord
  }

  return {
    handoff(id) {
      const { body } = journalHandoffs
      const row = db
        .select({ id: journalHandoffs.id, body })
        .from(journalHandoffs)
        .where(and(mine, eq(journalHandoffs.id, id)))
        .get()
      return whole(row)
    },
    latestHandoff() {
      const { id, body } = journalHandoffs
      const row = db
        .select({ id, body })
        .from(journalHandoffs)
        .where(mine)
        .orderBy(desc(journalHandoffs.number))
        .limit(1)
        .get()
      return whole(row)
    },
    handoffHead() {
      const { id, status } = journalHandoffs
      const row = db
        .select({ id, status })
        .from(journalHandoffs)
        .where(mine)
        .orderBy(desc(journalHandoffs.number))
        .limit(1)
        .get()
      return row ?? null
    },
    putHandoff(record) {
      const { id, status } = record
      const body = texts.store('handoff', id, JSON.stringify(record))
      const number = sql<number>`(select coalesce(max(${journalHandoffs.number}), 0) + 1 from ${journalHandoffs} where ${journalHandoffs.owner} = ${owner})`
      db.insert(journalHandoffs)
        .values({ owner, id, number, status, body })
        .onConflictDoUpdate({
          target: [journalHandoffs.owner, journalHandoffs.id],
          set: { status, body },
        })
        .run()
    },
  }
}
