import type { Journal } from '../core/ports.ts'
import { JOURNAL_MIGRATIONS } from './journal-migrations.ts'
import type { SqlStorageLike } from './migrate.ts'
import { isMigrated, migrate } from './migrate.ts'

/**
 * A journal whose tables are made by the first write. Until then the session has no row, and asking for it leaves no
 * trace: a request for an id that nobody has must not create an object.
 */
export function createLazyJournal(storage: SqlStorageLike, journal: Journal): Journal {
  let ready = false

  function made(): Journal {
    if (!ready) migrate(storage, JOURNAL_MIGRATIONS)
    ready = true
    return journal
  }

  return {
    meta: () => (ready || isMigrated(storage) ? made().meta() : null),
    transaction: (run) => made().transaction(run),
    putMeta: (meta) => made().putMeta(meta),
    append: (entries) => made().append(entries),
    entries: (range) => made().entries(range),
    entriesById: (ids) => made().entriesById(ids),
    entry: (id) => made().entry(id),
    spine: () => made().spine(),
    handoff: (id) => made().handoff(id),
    latestHandoff: () => made().latestHandoff(),
    putHandoff: (record) => made().putHandoff(record),
    turn: () => made().turn(),
    putTurn: (turn) => made().putTurn(turn),
    idempotency: (route, key) => made().idempotency(route, key),
    putIdempotency: (row) => made().putIdempotency(row),
    forgetIdempotency: (before) => made().forgetIdempotency(before),
    note: (name) => made().note(name),
    putNote: (name, value) => made().putNote(name, value),
    enqueue: (item) => made().enqueue(item),
    outbox: (limit) => made().outbox(limit),
    settle: (tokens) => made().settle(tokens),
    nextEvent: () => made().nextEvent(),
    wipe: () => made().wipe(),
  }
}
