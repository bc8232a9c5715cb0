import { and, asc, desc, eq, gt, isNull, lt, or, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import { BatonError } from '../core/errors.ts'
import type { Catalog, CatalogChange, CatalogSession } from '../core/ports.ts'
import { KEPT_MS } from '../core/session/idempotency.ts'
import {
  fromCustomMessageRows,
  fromSessionRow,
  toCustomMessageRows,
  toHandoffRow,
  toSessionRow,
} from './catalog-rows.ts'
import { apiKeys, customMessages, handoffs, idempotencyKeys, sessions } from './catalog-schema.ts'
import { withRetries } from './db-error.ts'

/** Drizzle's asynchronous SQLite: `d1`, or `sqlite-proxy` over a local file. */
export type AsyncDatabase = BaseSQLiteDatabase<'async', unknown, Record<string, never>>

export type Statement = BatchItem<'sqlite'>

/** Runs statements as one transaction, in order: D1 has no other. Never called with an empty list. */
export type Atomic = (statements: readonly [Statement, ...Statement[]]) => Promise<void>

const MAX_CHILDREN = 1_000
/** What a key stands for whose session was deleted; no id is empty. */
const GONE = ''

/** The catalog over any asynchronous SQLite. All writes are idempotent by id or revision, so that they may be retried. */
export function createCatalog(
  db: AsyncDatabase,
  atomic: Atomic,
  sleep?: (ms: number) => Promise<void>,
): Catalog {
  function attempt<T>(run: () => Promise<T>): Promise<T> {
    return withRetries(run, sleep)
  }

  async function session(tenant: string, id: string): Promise<CatalogSession | null> {
    const [row] = await attempt(async () =>
      db
        .select()
        .from(sessions)
        .where(and(eq(sessions.tenant, tenant), eq(sessions.id, id))),
    )
    return row === undefined ? null : fromSessionRow(row)
  }

  function upsertSession(told: CatalogSession): Statement {
    const row = toSessionRow(told)
    return db
      .insert(sessions)
      .values(row)
      .onConflictDoUpdate({
        target: [sessions.tenant, sessions.id],
        set: row,
        setWhere: sql`excluded.revision > ${sessions.revision}`,
      }) as unknown as Statement
  }

  function upsertHandoff(record: Parameters<typeof toHandoffRow>[0]): Statement {
    const row = toHandoffRow(record)
    return db
      .insert(handoffs)
      .values(row)
      .onConflictDoUpdate({
        target: [handoffs.tenant, handoffs.id],
        set: row,
        setWhere: sql`excluded.revision > ${handoffs.revision}`,
      }) as unknown as Statement
  }

  async function inOne(statements: readonly Statement[]): Promise<void> {
    const [first, ...rest] = statements
    if (first !== undefined) await attempt(() => atomic([first, ...rest]))
  }

  return {
    session,
    async sessions(tenant, { limit, cursor, parent }) {
      const after = cursor === null ? null : readCursor(cursor)
      const rows = await attempt(async () =>
        db
          .select()
          .from(sessions)
          .where(
            and(
              eq(sessions.tenant, tenant),
              parent === null ? undefined : eq(sessions.parentSession, parent),
              after === null
                ? undefined
                : or(
                    lt(sessions.createdAt, after.createdAt),
                    and(eq(sessions.createdAt, after.createdAt), lt(sessions.id, after.id)),
                  ),
            ),
          )
          .orderBy(desc(sessions.createdAt), desc(sessions.id))
          .limit(limit + 1),
      )
      const items = rows.slice(0, limit).map(fromSessionRow)
      const last = items.at(-1)
      const more = rows.length > limit && last !== undefined
      return { items, nextCursor: more ? `${last.createdAt.toString(36)}.${last.id}` : null }
    },
    async children(tenant, id) {
      const rows = await attempt(async () =>
        db
          .select()
          .from(sessions)
          .where(and(eq(sessions.tenant, tenant), eq(sessions.parentSession, id)))
          .orderBy(desc(sessions.createdAt), desc(sessions.id))
          .limit(MAX_CHILDREN),
      )
      return rows.map(fromSessionRow)
    },
    async birth(tenant, id) {
      const known = await session(tenant, id)
      if (known === null) return null
      const { status: _, ...meta } = known
      const rows = await attempt(async () =>
        db
          .select()
          .from(customMessages)
          .where(and(eq(customMessages.tenant, tenant), eq(customMessages.session, id)))
          .orderBy(asc(customMessages.entryId), asc(customMessages.part)),
      )
      return { meta, entries: fromCustomMessageRows(rows) }
    },
    async apply(changes: readonly CatalogChange[]) {
      await inOne(
        changes.map((change) =>
          change.kind === 'session' ? upsertSession(change.session) : upsertHandoff(change.record),
        ),
      )
    },
    async commit({ child, parent, handoff }) {
      const of = { tenant: child.meta.tenant, session: child.meta.id }
      await inOne([
        upsertSession({ ...child.meta, status: 'idle' }),
        ...toCustomMessageRows(of, child.entries).map(
          (row) =>
            db.insert(customMessages).values(row).onConflictDoNothing() as unknown as Statement,
        ),
        upsertSession({ ...parent, status: 'idle' }),
        upsertHandoff(handoff),
      ])
    },
    async handoffSession(tenant, handoffId) {
      const [row] = await attempt(async () =>
        db
          .select({ session: handoffs.session })
          .from(handoffs)
          .where(and(eq(handoffs.tenant, tenant), eq(handoffs.id, handoffId))),
      )
      return row?.session ?? null
    },
    deleteSession(tenant, id) {
      return inOne([
        db
          .delete(customMessages)
          .where(
            and(eq(customMessages.tenant, tenant), eq(customMessages.session, id)),
          ) as unknown as Statement,
        db
          .delete(handoffs)
          .where(
            and(eq(handoffs.tenant, tenant), eq(handoffs.session, id)),
          ) as unknown as Statement,
        db
          .update(idempotencyKeys)
          .set({ session: GONE })
          .where(
            and(eq(idempotencyKeys.tenant, tenant), eq(idempotencyKeys.session, id)),
          ) as unknown as Statement,
        db
          .delete(sessions)
          .where(and(eq(sessions.tenant, tenant), eq(sessions.id, id))) as unknown as Statement,
      ])
    },
    async claim({ tenant, route, key, proposed, now }) {
      const stale = sql`${idempotencyKeys.createdAt} < ${now - KEPT_MS}`
      // One statement: two callers with the same key can not both believe that theirs was first.
      const [row] = await attempt(async () =>
        db
          .insert(idempotencyKeys)
          .values({ tenant, route, key, session: proposed, createdAt: now })
          .onConflictDoUpdate({
            target: [idempotencyKeys.tenant, idempotencyKeys.route, idempotencyKeys.key],
            set: {
              session: sql`iif(${stale}, excluded.session, ${idempotencyKeys.session})`,
              createdAt: sql`iif(${stale}, excluded.created_at, ${idempotencyKeys.createdAt})`,
            },
          })
          .returning({ session: idempotencyKeys.session }),
      )
      if (row === undefined) return proposed
      return row.session === GONE ? null : row.session
    },
    async tenantOfKey(digest) {
      const [row] = await attempt(async () =>
        db
          .select({ tenant: apiKeys.tenant })
          .from(apiKeys)
          .where(
            and(
              eq(apiKeys.digest, digest),
              isNull(apiKeys.revokedAt),
              or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, Date.now())),
            ),
          ),
      )
      return row?.tenant ?? null
    },
  }
}

/** `<created, base 36>.<id>`; anything else is refused. */
function readCursor(cursor: string): { readonly createdAt: number; readonly id: string } {
  const match = /^([0-9a-z]{1,12})\.([A-Za-z0-9_-]{8,64})$/.exec(cursor)
  if (match?.[1] === undefined || match[2] === undefined) {
    throw new BatonError('invalid', 'The cursor is not one of ours', {
      issues: [{ path: 'cursor', message: 'Pass nextCursor of the page before, unchanged' }],
    })
  }
  return { createdAt: Number.parseInt(match[1], 36), id: match[2] }
}
