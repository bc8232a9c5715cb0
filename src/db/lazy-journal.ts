import type { Journal } from '../core/ports.ts'
import { JOURNAL_MIGRATIONS } from './journal-migrations.ts'
import type { SqlStorageLike } from './migrate.ts'
import { isMigrated, migrate } from './migrate.ts'

/**
 * A journal whose tables are made by the first write. Until then reading finds nothing and leaves no trace: a request
 * for an id that nobody has must not create an object.
 */
export function createLazyJournal(storage: SqlStorageLike, journal: Journal): Journal {
  let upToDate = false

  /** Looks each time: `deleteAll` takes the tables away under a living object. */
  function made(): Journal {
    if (!upToDate || !isMigrated(storage)) migrate(storage, JOURNAL_MIGRATIONS)
    upToDate = true
    return journal
  }

  /** What reading gives, or what an empty journal gives. */
  function read<T>(look: (journal: Journal) => T, empty: T): T {
    return isMigrated(storage) ? look(made()) : empty
  }

  return {
    meta: () => read((it) => it.meta(), null),
    entries: (range) => read((it) => it.entries(range), []),
    seqOf: (id) => read((it) => it.seqOf(id), null),
    hasEntries: (types) => read((it) => it.hasEntries(types), false),
    spine: () => read((it) => it.spine(), []),
    handoff: (id) => read((it) => it.handoff(id), null),
    latestHandoff: () => read((it) => it.latestHandoff(), null),
    handoffHead: () => read((it) => it.handoffHead(), null),
    turn: () => read((it) => it.turn(), null),
    idempotency: (route, key) => read((it) => it.idempotency(route, key), null),
    turnRecord: (id) => read((it) => it.turnRecord(id), null),
    queue: () => read((it) => it.queue(), []),
    queueItem: (id) => read((it) => it.queueItem(id), null),
    lastSeq: () => read((it) => it.lastSeq(), 0),
    sentQueue: () => read((it) => it.sentQueue(), []),
    events: (after, limit) => read((it) => it.events(after, limit), []),
    eventRange: () => read((it) => it.eventRange(), { first: 0, last: 0 }),
    forgetTurns: (before) => read((it) => it.forgetTurns(before), undefined),
    forgetEvents: (before) => read((it) => it.forgetEvents(before), undefined),
    removeTurn: (id) => read((it) => it.removeTurn(id), false),
    note: (name) => read((it) => it.note(name), null),
    news: (limit) => read((it) => it.news(limit), []),
    hasNews: () => read((it) => it.hasNews(), false),
    forgetIdempotency: (before) => read((it) => it.forgetIdempotency(before), undefined),
    settle: (tokens) => read((it) => it.settle(tokens), undefined),
    wipe: () => read((it) => it.wipe(), undefined),
    transaction: (run) => made().transaction(run),
    putMeta: (meta) => made().putMeta(meta),
    append: (entries) => made().append(entries),
    putHandoff: (record) => made().putHandoff(record),
    putTurn: (turn) => made().putTurn(turn),
    putIdempotency: (row) => made().putIdempotency(row),
    putNote: (name, value) => made().putNote(name, value),
    enqueue: (news) => made().enqueue(news),
    putTurnRecord: (record) => made().putTurnRecord(record),
    enqueueTurn: (item) => made().enqueueTurn(item),
    sendQueue: (child) => made().sendQueue(child),
    appendEvents: (bodies, floor) => made().appendEvents(bodies, floor),
  }
}
