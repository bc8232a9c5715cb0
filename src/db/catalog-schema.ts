import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { SessionStatus } from '../core/ports.ts'

/** Tables of the catalog: what crosses sessions. Every key begins with the tenant. */

export const sessions = sqliteTable(
  'sessions',
  {
    tenant: text('tenant').notNull(),
    id: text('id').notNull(),
    parentSession: text('parent_session'),
    handedOffTo: text('handed_off_to'),
    /** for whoever looks at the table; what is read is the one in `config` */
    title: text('title'),
    /** JSON */
    config: text('config').notNull(),
    leafId: text('leaf_id'),
    messageCount: integer('message_count').notNull(),
    status: text('status').$type<SessionStatus>().notNull().default('idle'),
    contextTokens: integer('context_tokens'),
    inputTokens: integer('input_tokens').notNull(),
    outputTokens: integer('output_tokens').notNull(),
    cacheReadTokens: integer('cache_read_tokens').notNull(),
    cacheWriteTokens: integer('cache_write_tokens').notNull(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
    revision: integer('revision').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    index('sessions_newest').on(table.tenant, table.createdAt, table.id),
    index('sessions_parent').on(table.tenant, table.parentSession, table.createdAt, table.id),
  ],
)

/** Entries that a session was given at its birth by another one; joined by `part`. */
export const customMessages = sqliteTable(
  'custom_messages',
  {
    tenant: text('tenant').notNull(),
    session: text('session').notNull(),
    entryId: text('entry_id').notNull(),
    part: integer('part').notNull(),
    customType: text('custom_type').notNull(),
    attribution: text('attribution'),
    display: integer('display', { mode: 'boolean' }).notNull(),
    timestamp: text('timestamp').notNull(),
    /** JSON of the content, this part of it */
    content: text('content').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenant, table.session, table.entryId, table.part] })],
)

export const handoffs = sqliteTable(
  'handoffs',
  {
    tenant: text('tenant').notNull(),
    id: text('id').notNull(),
    session: text('session').notNull(),
    child: text('child').notNull(),
    status: text('status').notNull(),
    trigger: text('trigger').notNull(),
    model: text('model').notNull(),
    startedAt: integer('started_at').notNull(),
    finishedAt: integer('finished_at'),
    revision: integer('revision').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.id] }),
    index('handoffs_session').on(table.tenant, table.session),
  ],
)

export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    tenant: text('tenant').notNull(),
    route: text('route').notNull(),
    key: text('key').notNull(),
    session: text('session').notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenant, table.route, table.key] }),
    index('idempotency_keys_session').on(table.tenant, table.session),
  ],
)

export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: text('id').primaryKey(),
    tenant: text('tenant').notNull(),
    /** SHA-256 of the key, hex; the key itself is stored nowhere */
    digest: text('digest').notNull(),
    createdAt: integer('created_at').notNull(),
    revokedAt: integer('revoked_at'),
    /** ms since epoch; null: never */
    expiresAt: integer('expires_at'),
  },
  (table) => [uniqueIndex('api_keys_digest').on(table.digest)],
)
