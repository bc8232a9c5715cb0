import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Journal, News } from '../core/ports.ts'
import { journalOutbox } from './journal-schema.ts'
import type { Owned } from './sync-database.ts'

/** What the catalog has not heard: names only, what they stand for is read when it is told. */
export function createNews({
  db,
  owner,
}: Owned): Pick<Journal, 'enqueue' | 'news' | 'hasNews' | 'settle'> {
  const mine = eq(journalOutbox.owner, owner)
  return {
    enqueue(news) {
      const { kind } = news
      const ref = kind === 'handoff' ? news.id : ''
      // A new token each time: what was told before this change does not settle it.
      db.delete(journalOutbox)
        .where(and(mine, eq(journalOutbox.kind, kind), eq(journalOutbox.ref, ref)))
        .run()
      db.insert(journalOutbox).values({ owner, kind, ref }).run()
    },
    news(limit) {
      const rows = db
        .select()
        .from(journalOutbox)
        .where(mine)
        .orderBy(asc(journalOutbox.token))
        .limit(limit)
        .all()
      return rows.map(({ token, kind, ref }) => {
        const news: News = kind === 'session' ? { kind } : { kind: 'handoff', id: ref }
        return { token, news }
      })
    },
    hasNews() {
      return (
        db.select({ token: journalOutbox.token }).from(journalOutbox).where(mine).get() !==
        undefined
      )
    },
    settle(tokens) {
      if (tokens.length === 0) return
      db.delete(journalOutbox)
        .where(and(mine, inArray(journalOutbox.token, [...tokens])))
        .run()
    },
  }
}
