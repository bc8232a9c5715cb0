import { and, asc, eq, gt, inArray, max } from 'drizzle-orm'
import type { Entry, StoredEntry } from '../core/entry.ts'
import type { Journal } from '../core/ports.ts'
import { CHUNK_UNITS } from './chunks.ts'
import { journalEntries } from './journal-schema.ts'
import type { JournalTexts } from './journal-texts.ts'
import type { Owned } from './sync-database.ts'

/** Rows a statement may carry: six parameters each, and SQLite in workerd binds 100 a statement. */
const ROWS_PER_INSERT = 16

/** The transcript: one row an entry, ordered by `seq`. `append` belongs into a transaction. */
export function createEntries(
  { db, owner }: Owned,
  texts: JournalTexts,
): Pick<Journal, 'append' | 'entries' | 'seqOf' | 'lastSeq' | 'hasEntries' | 'spine'> {
  const mine = eq(journalEntries.owner, owner)

  function lastSeq(): number {
    const last = db
      .select({ seq: max(journalEntries.seq) })
      .from(journalEntries)
      .where(mine)
      .get()
    return last?.seq ?? 0
  }

  return {
    lastSeq,
    append(entries) {
      const first = lastSeq() + 1
      const rows = entries.map((entry, at) => {
        const seq = first + at
        const json = JSON.stringify(entry)
        // An entry is written once, so a short one has no old rest to be cleared away.
        const body = json.length > CHUNK_UNITS ? texts.store('entry', String(seq), json) : json
        return { owner, seq, id: entry.id, parentId: entry.parentId, type: entry.type, body }
      })
      for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
        db.insert(journalEntries)
          .values(rows.slice(at, at + ROWS_PER_INSERT))
          .run()
      }
      return entries.map((entry, at) => ({ ...entry, seq: first + at }))
    },
    entries({ after = 0, limit } = {}) {
      const query = db
        .select({ seq: journalEntries.seq, body: journalEntries.body })
        .from(journalEntries)
        .where(and(mine, gt(journalEntries.seq, after)))
        .orderBy(asc(journalEntries.seq))
      const rows = limit === undefined ? query.all() : query.limit(limit).all()
      const heads = rows.map(({ seq, body }) => ({ ref: String(seq), head: body }))
      const bodies = texts.loadAll('entry', heads)
      return rows.map(({ seq }, at): StoredEntry => {
        return { ...(JSON.parse(bodies[at] ?? '') as Entry), seq }
      })
    },
    seqOf(id) {
      const row = db
        .select({ seq: journalEntries.seq })
        .from(journalEntries)
        .where(and(mine, eq(journalEntries.id, id)))
        .get()
      return row?.seq ?? null
    },
    hasEntries(types) {
      const row = db
        .select({ seq: journalEntries.seq })
        .from(journalEntries)
        .where(and(mine, inArray(journalEntries.type, [...types])))
        .limit(1)
        .get()
      return row !== undefined
    },
    spine() {
      const { seq, id, parentId, type } = journalEntries
      return db
        .select({ seq, id, parentId, type })
        .from(journalEntries)
        .where(mine)
        .orderBy(asc(seq))
        .all()
    },
  }
}
