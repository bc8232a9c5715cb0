import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { HandoffRecord } from '../core/handoff/machine.ts'
import type { News, QueueItem } from '../core/ports.ts'

/**
 * Tables of the journal, one session's own store. In a Durable Object `owner` is always the same; on Deno all
 * sessions share one file, so every key begins with it.
 */

export const journalMeta = sqliteTable('journal_meta', {
  owner: text('owner').primaryKey(),
  body: text('body').notNull(),
})

export const journalEntries = sqliteTable(
  'journal_entries',
  {
    owner: text('owner').notNull(),
    seq: integer('seq').notNull(),
    id: text('id').notNull(),
    parentId: text('parent_id'),
    type: text('type').notNull(),
    body: text('body').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.owner, table.seq] }),
    uniqueIndex('journal_entries_id').on(table.owner, table.id),
  ],
)

/** The rest of a body that is longer than one row may be. */
export const journalChunks = sqliteTable(
  'journal_chunks',
  {
    owner: text('owner').notNull(),
    kind: text('kind').notNull(),
    ref: text('ref').notNull(),
    part: integer('part').notNull(),
    text: text('text').notNull(),
  },
  (table) => [primaryKey({ columns: [table.owner, table.kind, table.ref, table.part] })],
)

export const journalHandoffs = sqliteTable(
  'journal_handoffs',
  {
    owner: text('owner').notNull(),
    id: text('id').notNull(),
    /** order of beginning */
    number: integer('number').notNull(),
    status: text('status').$type<HandoffRecord['status']>().notNull().default('completed'),
    body: text('body').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.owner, table.id] }),
    index('journal_handoffs_number').on(table.owner, table.number),
  ],
)

export const journalIdempotency = sqliteTable(
  'journal_idempotency',
  {
    owner: text('owner').notNull(),
    route: text('route').notNull(),
    key: text('key').notNull(),
    fingerprint: text('fingerprint').notNull(),
    handoffId: text('handoff_id'),
    answer: text('answer'),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.owner, table.route, table.key] })],
)

/** Named facts: the running turn, the header of an imported file. */
export const journalNotes = sqliteTable(
  'journal_notes',
  {
    owner: text('owner').notNull(),
    name: text('name').notNull(),
    value: text('value').notNull(),
  },
  (table) => [primaryKey({ columns: [table.owner, table.name] })],
)

/** What was told of the session, in order; the oldest are forgotten. */
export const journalEvents = sqliteTable(
  'journal_events',
  {
    owner: text('owner').notNull(),
    seq: integer('seq').notNull(),
    body: text('body').notNull(),
  },
  (table) => [primaryKey({ columns: [table.owner, table.seq] })],
)

/** Turns that wait, in the order of `number`. */
export const journalQueue = sqliteTable(
  'journal_queue',
  {
    owner: text('owner').notNull(),
    id: text('id').notNull(),
    number: integer('number').notNull(),
    kind: text('kind').$type<QueueItem['kind']>().notNull(),
    /** the child that it goes to */
    movingTo: text('moving_to'),
    createdAt: integer('created_at').notNull(),
    body: text('body').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.owner, table.id] }),
    index('journal_queue_number').on(table.owner, table.number),
  ],
)

/** What became of each turn that was asked for. */
export const journalTurns = sqliteTable(
  'journal_turns',
  {
    owner: text('owner').notNull(),
    id: text('id').notNull(),
    createdAt: integer('created_at').notNull(),
    body: text('body').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.owner, table.id] }),
    index('journal_turns_age').on(table.owner, table.createdAt),
  ],
)

/** Names of what the catalog has not heard; a token is never used again. */
export const journalOutbox = sqliteTable(
  'journal_outbox',
  {
    token: integer('token').primaryKey({ autoIncrement: true }),
    owner: text('owner').notNull(),
    kind: text('kind').$type<News['kind']>().notNull(),
    ref: text('ref').notNull(),
  },
  (table) => [index('journal_outbox_owner').on(table.owner, table.token)],
)
