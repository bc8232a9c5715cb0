import { and, asc, eq, gt, lt, sql } from 'drizzle-orm'
import type { Journal } from '../core/ports.ts'
import { assertRowSize } from './chunks.ts'
import { journalEvents } from './journal-schema.ts'
import type { Owned } from './sync-database.ts'

/** Rows a statement may carry: four parameters each, and SQLite in workerd binds 100 a statement. */
const ROWS_PER_INSERT = 20

/** The log of events. The newest is never forgotten, so its number is the one to count on from. */
export function createEvents({
  db,
  owner,
}: Owned): Pick<Journal, 'appendEvents' | 'events' | 'eventRange' | 'forgetEvents'> {
  const { seq } = journalEvents
  const mine = eq(journalEvents.owner, owner)

  function eventRange(): { first: number; last: number } {
    const row = db
      .select({ first: sql<number | null>`min(${seq})`, last: sql<number | null>`max(${seq})` })
      .from(journalEvents)
      .where(mine)
      .get()
    return { first: row?.first ?? 0, last: row?.last ?? 0 }
  }

  return {
    eventRange,
    appendEvents(bodies, floor = 0) {
      const before = Math.max(eventRange().last, floor)
      const rows = bodies.map((body, at) => ({ owner, seq: before + at + 1, body }))
      for (const { body } of rows) assertRowSize([body])
      for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
        db.insert(journalEvents)
          .values(rows.slice(at, at + ROWS_PER_INSERT))
          .run()
      }
    },
    events(after, limit) {
      return db
        .select({ seq, body: journalEvents.body })
        .from(journalEvents)
        .where(and(mine, gt(seq, after)))
        .orderBy(asc(seq))
        .limit(limit)
        .all()
    },
    forgetEvents(before) {
      const { last } = eventRange()
      db.delete(journalEvents)
        .where(and(mine, lt(seq, Math.min(before, last))))
        .run()
    },
  }
}
