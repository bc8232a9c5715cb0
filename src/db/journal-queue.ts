import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Journal, QueueItem } from '../core/ports.ts'
import { journalQueue } from './journal-schema.ts'
import type { JournalTexts } from './journal-texts.ts'
import type { Owned } from './sync-database.ts'

const KIND = 'queue'

/** The turns that wait. `enqueueTurn` and `removeTurn` belong into a transaction. */
export function createQueue(
  { db, owner }: Owned,
  texts: JournalTexts,
): Pick<Journal, 'queue' | 'queueItem' | 'enqueueTurn' | 'removeTurn' | 'sendQueue' | 'sentQueue'> {
  const { id, number, kind, movingTo, createdAt, body } = journalQueue
  const mine = eq(journalQueue.owner, owner)
  const waiting = and(mine, isNull(movingTo))

  return {
    queue: () =>
      db
        .select({ id, kind, createdAt })
        .from(journalQueue)
        .where(waiting)
        .orderBy(asc(number))
        .all(),
    queueItem(of) {
      const row = db
        .select({ body })
        .from(journalQueue)
        .where(and(mine, eq(id, of)))
        .get()
      return row === undefined ? null : (JSON.parse(texts.load(KIND, of, row.body)) as QueueItem)
    },
    enqueueTurn(item) {
      const known = db
        .select({ id })
        .from(journalQueue)
        .where(and(mine, eq(id, item.id)))
        .get()
      if (known !== undefined) return
      const next = sql<number>`(select coalesce(max(${number}), 0) + 1 from ${journalQueue} where ${journalQueue.owner} = ${owner})`
      db.insert(journalQueue)
        .values({
          owner,
          id: item.id,
          number: next,
          kind: item.kind,
          createdAt: item.createdAt,
          body: texts.store(KIND, item.id, JSON.stringify(item)),
        })
        .run()
    },
    removeTurn(of) {
      const one = and(mine, eq(id, of))
      if (db.select({ id }).from(journalQueue).where(one).get() === undefined) return false
      texts.store(KIND, of, '')
      db.delete(journalQueue).where(one).run()
      return true
    },
    sendQueue(child) {
      db.update(journalQueue).set({ movingTo: child }).where(waiting).run()
    },
    sentQueue: () =>
      db
        .select({ id, movingTo })
        .from(journalQueue)
        .where(and(mine, isNotNull(movingTo)))
        .orderBy(asc(number))
        .all()
        .map((row) => ({ id: row.id, child: row.movingTo ?? '' })),
  }
}
