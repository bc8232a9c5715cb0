import { eq } from 'drizzle-orm'
import type { Journal, SessionMeta } from '../core/ports.ts'
import { createEntries } from './journal-entries.ts'
import { createHandoffs } from './journal-handoffs.ts'
import { createEvents } from './journal-events.ts'
import { createIdempotency } from './journal-idempotency.ts'
import { createNotes } from './journal-notes.ts'
import { createNews } from './journal-outbox.ts'
import { createQueue } from './journal-queue.ts'
import {
  journalChunks,
  journalEntries,
  journalEvents,
  journalHandoffs,
  journalIdempotency,
  journalMeta,
  journalNotes,
  journalOutbox,
  journalQueue,
  journalTurns,
} from './journal-schema.ts'
import { createTexts } from './journal-texts.ts'
import { createTurns } from './journal-turns.ts'
import type { SyncDatabase } from './sync-database.ts'

const TABLES = [
  journalMeta,
  journalEntries,
  journalChunks,
  journalHandoffs,
  journalIdempotency,
  journalNotes,
  journalOutbox,
  journalEvents,
  journalQueue,
  journalTurns,
]

/** The store of one session. Its tables must exist; `owner` names the session among all that share them. */
export function createJournal(db: SyncDatabase, owner: string): Journal {
  const texts = createTexts({ db, owner })
  const entries = createEntries({ db, owner }, texts)
  const handoffs = createHandoffs({ db, owner }, texts)
  const idempotency = createIdempotency({ db, owner }, texts)
  const notes = createNotes({ db, owner }, texts)
  const news = createNews({ db, owner })
  const events = createEvents({ db, owner })
  const queue = createQueue({ db, owner }, texts)
  const turns = createTurns({ db, owner }, texts)

  function transaction<T>(run: () => T): T {
    return db.transaction(() => {
      const result = run()
      // A Durable Object accepts an async callback and commits before it ends; that would be no transaction.
      if (result instanceof Promise) throw new Error('A transaction must be synchronous')
      return result
    })
  }

  /** The same function, atomic by itself. */
  function atomic<A extends readonly unknown[], T>(write: (...args: A) => T): (...args: A) => T {
    return (...args) => transaction(() => write(...args))
  }

  return {
    transaction,
    meta() {
      const row = db
        .select({ body: journalMeta.body })
        .from(journalMeta)
        .where(eq(journalMeta.owner, owner))
        .get()
      return row === undefined
        ? null
        : (JSON.parse(texts.load('meta', '', row.body)) as SessionMeta)
    },
    putMeta: atomic((meta) => {
      const body = texts.store('meta', '', JSON.stringify(meta))
      db.insert(journalMeta)
        .values({ owner, body })
        .onConflictDoUpdate({ target: journalMeta.owner, set: { body } })
        .run()
    }),
    ...entries,
    append: atomic(entries.append),
    ...handoffs,
    putHandoff: atomic(handoffs.putHandoff),
    ...idempotency,
    putIdempotency: atomic(idempotency.putIdempotency),
    forgetIdempotency: atomic(idempotency.forgetIdempotency),
    ...notes,
    putNote: atomic(notes.putNote),
    ...news,
    enqueue: atomic(news.enqueue),
    ...events,
    appendEvents: atomic(events.appendEvents),
    ...queue,
    enqueueTurn: atomic(queue.enqueueTurn),
    removeTurn: atomic(queue.removeTurn),
    ...turns,
    putTurnRecord: atomic(turns.putTurnRecord),
    forgetTurns: atomic(turns.forgetTurns),
    wipe: atomic(() => {
      for (const table of TABLES) db.delete(table).where(eq(table.owner, owner)).run()
    }),
  }
}
