import { and, asc, desc, eq, gt, inArray, lt, max, sql } from 'drizzle-orm'
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import type { Entry, StoredEntry } from '../core/entry.ts'
import type { HandoffRecord } from '../core/handoff/machine.ts'
import type { Journal, OutboxItem, SessionMeta, TurnMarker } from '../core/ports.ts'
import { assertRowSize, CHUNK_UNITS, splitText } from './chunks.ts'
import {
  journalChunks,
  journalEntries,
  journalHandoffs,
  journalIdempotency,
  journalMeta,
  journalNotes,
  journalOutbox,
} from './journal-schema.ts'

/** Drizzle's synchronous SQLite: `durable-sqlite`, over an object's storage or a look-alike of it. */
export type SyncDatabase = BaseSQLiteDatabase<'sync', unknown, Record<string, never>>

/** Rows a statement may carry: SQLite in workerd takes 100 bound parameters. */
const ENTRY_ROWS = 16
const IDS_PER_QUERY = 90

const TURN = '\u0000turn'
const EVENTS = '\u0000events'

/** The store of one session. Its tables must exist; `owner` names the session among all that share them. */
export function createJournal(db: SyncDatabase, owner: string): Journal {
  /** Keeps the head of a long text in its row and the rest beside it; returns the head. */
  function store(kind: string, ref: string, body: string): string {
    const [head = '', ...rest] = splitText(body)
    assertRowSize([head])
    db.delete(journalChunks)
      .where(
        and(
          eq(journalChunks.owner, owner),
          eq(journalChunks.kind, kind),
          eq(journalChunks.ref, ref),
        ),
      )
      .run()
    for (const [part, text] of rest.entries()) {
      assertRowSize([text])
      db.insert(journalChunks).values({ owner, kind, ref, part, text }).run()
    }
    return head
  }

  /** What `store` kept beside the row. */
  function restOf(kind: string, ref: string): string {
    const rows = db
      .select({ text: journalChunks.text })
      .from(journalChunks)
      .where(
        and(
          eq(journalChunks.owner, owner),
          eq(journalChunks.kind, kind),
          eq(journalChunks.ref, ref),
        ),
      )
      .orderBy(asc(journalChunks.part))
      .all()
    return rows.map((row) => row.text).join('')
  }

  /** A stored text whole again. */
  function load(kind: string, ref: string, head: string): string {
    return mayHaveRest(head) ? head + restOf(kind, ref) : head
  }

  /** What `store` kept beside these entries, by `seq`: one query for many of them. */
  function restOfEntries(seqs: readonly number[]): ReadonlyMap<number, string> {
    const rest = new Map<number, string>()
    for (let at = 0; at < seqs.length; at += IDS_PER_QUERY) {
      const refs = seqs.slice(at, at + IDS_PER_QUERY).map(String)
      const rows = db
        .select({ ref: journalChunks.ref, text: journalChunks.text })
        .from(journalChunks)
        .where(
          and(
            eq(journalChunks.owner, owner),
            eq(journalChunks.kind, 'entry'),
            inArray(journalChunks.ref, refs),
          ),
        )
        .orderBy(asc(journalChunks.ref), asc(journalChunks.part))
        .all()
      for (const { ref, text } of rows) rest.set(Number(ref), (rest.get(Number(ref)) ?? '') + text)
    }
    return rest
  }

  function transaction<T>(run: () => T): T {
    return db.transaction(() => {
      const result = run()
      // A Durable Object accepts an async callback and commits before it ends; that would be no transaction.
      if (result instanceof Promise) throw new Error('A transaction must be synchronous')
      return result
    })
  }

  function note(name: string): string | null {
    const row = db
      .select({ value: journalNotes.value })
      .from(journalNotes)
      .where(and(eq(journalNotes.owner, owner), eq(journalNotes.name, name)))
      .get()
    return row === undefined ? null : (JSON.parse(load('note', name, row.value)) as string)
  }

  function putNote(name: string, text: string): void {
    transaction(() => {
      // As JSON, which escapes NUL: Deno's node:sqlite (2.9.6) reads a text only up to there.
      const value = store('note', name, JSON.stringify(text))
      db.insert(journalNotes)
        .values({ owner, name, value })
        .onConflictDoUpdate({ target: [journalNotes.owner, journalNotes.name], set: { value } })
        .run()
    })
  }

  function meta(): SessionMeta | null {
    const row = db
      .select({ body: journalMeta.body })
      .from(journalMeta)
      .where(eq(journalMeta.owner, owner))
      .get()
    if (row === undefined) return null
    return JSON.parse(load('meta', '', row.body)) as SessionMeta
  }

  function readEntries(where: ReturnType<typeof and>, limit?: number): readonly StoredEntry[] {
    const query = db
      .select({ seq: journalEntries.seq, body: journalEntries.body })
      .from(journalEntries)
      .where(and(eq(journalEntries.owner, owner), where))
      .orderBy(asc(journalEntries.seq))
    const rows = limit === undefined ? query.all() : query.limit(limit).all()
    const rest = restOfEntries(rows.filter(({ body }) => mayHaveRest(body)).map(({ seq }) => seq))
    return rows.map(({ seq, body }) => {
      return { ...(JSON.parse(body + (rest.get(seq) ?? '')) as Entry), seq }
    })
  }

  return {
    transaction,
    meta,
    putMeta(value) {
      transaction(() => {
        const body = store('meta', '', JSON.stringify(value))
        db.insert(journalMeta)
          .values({ owner, body })
          .onConflictDoUpdate({ target: journalMeta.owner, set: { body } })
          .run()
      })
    },
    append(entries) {
      return transaction(() => {
        const last = db
          .select({ seq: max(journalEntries.seq) })
          .from(journalEntries)
          .where(eq(journalEntries.owner, owner))
          .get()
        let seq = last?.seq ?? 0
        const rows = entries.map((entry) => {
          seq += 1
          const json = JSON.stringify(entry)
          const body = json.length > CHUNK_UNITS ? store('entry', String(seq), json) : json
          return { owner, seq, id: entry.id, parentId: entry.parentId, type: entry.type, body }
        })
        for (let at = 0; at < rows.length; at += ENTRY_ROWS) {
          db.insert(journalEntries)
            .values(rows.slice(at, at + ENTRY_ROWS))
            .run()
        }
        return entries.map((entry, at) => ({ ...entry, seq: rows[at]?.seq ?? 0 }))
      })
    },
    entries({ after = 0, limit } = {}) {
      return readEntries(gt(journalEntries.seq, after), limit)
    },
    entriesById(ids) {
      const found = new Map<string, StoredEntry>()
      for (let at = 0; at < ids.length; at += IDS_PER_QUERY) {
        const some = inArray(journalEntries.id, ids.slice(at, at + IDS_PER_QUERY))
        for (const entry of readEntries(some)) found.set(entry.id, entry)
      }
      return ids.flatMap((id) => found.get(id) ?? [])
    },
    entry(id) {
      return readEntries(eq(journalEntries.id, id), 1)[0] ?? null
    },
    spine() {
      return db
        .select({
          seq: journalEntries.seq,
          id: journalEntries.id,
          parentId: journalEntries.parentId,
          type: journalEntries.type,
        })
        .from(journalEntries)
        .where(eq(journalEntries.owner, owner))
        .orderBy(asc(journalEntries.seq))
        .all()
    },
    handoff(id) {
      const row = db
        .select({ body: journalHandoffs.body })
        .from(journalHandoffs)
        .where(and(eq(journalHandoffs.owner, owner), eq(journalHandoffs.id, id)))
        .get()
      if (row === undefined) return null
      return JSON.parse(load('handoff', id, row.body)) as HandoffRecord
    },
    latestHandoff() {
      const row = db
        .select({ id: journalHandoffs.id, body: journalHandoffs.body })
        .from(journalHandoffs)
        .where(eq(journalHandoffs.owner, owner))
        .orderBy(desc(journalHandoffs.number))
        .limit(1)
        .get()
      if (row === undefined) return null
      return JSON.parse(load('handoff', row.id, row.body)) as HandoffRecord
    },
    putHandoff(record) {
      transaction(() => {
        const body = store('handoff', record.id, JSON.stringify(record))
        const next = sql<number>`(select coalesce(max(${journalHandoffs.number}), 0) + 1 from ${journalHandoffs} where ${journalHandoffs.owner} = ${owner})`
        db.insert(journalHandoffs)
          .values({ owner, id: record.id, number: next, body })
          .onConflictDoUpdate({
            target: [journalHandoffs.owner, journalHandoffs.id],
            set: { body },
          })
          .run()
      })
    },
    turn() {
      const value = note(TURN)
      return value === null || value === '' ? null : (JSON.parse(value) as TurnMarker)
    },
    putTurn(turn) {
      putNote(TURN, turn === null ? '' : JSON.stringify(turn))
    },
    idempotency(route, key) {
      const row = db
        .select()
        .from(journalIdempotency)
        .where(
          and(
            eq(journalIdempotency.owner, owner),
            eq(journalIdempotency.route, route),
            eq(journalIdempotency.key, key),
          ),
        )
        .get()
      if (row === undefined) return null
      const ref = `${route} ${key}`
      const { owner: _owner, ...rest } = row
      return row.answer === null ? rest : { ...rest, answer: load('answer', ref, row.answer) }
    },
    putIdempotency(row) {
      transaction(() => {
        const ref = `${row.route} ${row.key}`
        const answer = row.answer === null ? null : store('answer', ref, row.answer)
        const values = { ...row, owner, answer }
        db.insert(journalIdempotency)
          .values(values)
          .onConflictDoUpdate({
            target: [journalIdempotency.owner, journalIdempotency.route, journalIdempotency.key],
            set: values,
          })
          .run()
      })
    },
    forgetIdempotency(before) {
      transaction(() => {
        const old = and(
          eq(journalIdempotency.owner, owner),
          lt(journalIdempotency.createdAt, before),
        )
        const rows = db
          .select({ route: journalIdempotency.route, key: journalIdempotency.key })
          .from(journalIdempotency)
          .where(old)
          .all()
        for (const { route, key } of rows) store('answer', `${route} ${key}`, '')
        if (rows.length > 0) db.delete(journalIdempotency).where(old).run()
      })
    },
    note,
    putNote,
    enqueue(item) {
      transaction(() => {
        const ref = item.kind === 'session' ? item.meta.id : item.record.id
        const json = JSON.stringify(item)
        const same = and(
          eq(journalOutbox.owner, owner),
          eq(journalOutbox.kind, item.kind),
          eq(journalOutbox.ref, ref),
        )
        db.delete(journalOutbox).where(same).run()
        const body = store(`outbox ${item.kind}`, ref, json)
        db.insert(journalOutbox).values({ owner, kind: item.kind, ref, body }).run()
      })
    },
    outbox(limit) {
      const rows = db
        .select()
        .from(journalOutbox)
        .where(eq(journalOutbox.owner, owner))
        .orderBy(asc(journalOutbox.token))
        .limit(limit)
        .all()
      return rows.map(({ token, kind, ref, body }) => {
        return { token, item: JSON.parse(load(`outbox ${kind}`, ref, body)) as OutboxItem }
      })
    },
    settle(tokens) {
      transaction(() => {
        for (const token of tokens) {
          const mine = and(eq(journalOutbox.owner, owner), eq(journalOutbox.token, token))
          const row = db.select().from(journalOutbox).where(mine).get()
          if (row === undefined) continue
          store(`outbox ${row.kind}`, row.ref, '')
          db.delete(journalOutbox).where(mine).run()
        }
      })
    },
    nextEvent() {
      const rows = db
        .insert(journalNotes)
        .values({ owner, name: EVENTS, value: '1' })
        .onConflictDoUpdate({
          target: [journalNotes.owner, journalNotes.name],
          set: { value: sql`cast(cast(${journalNotes.value} as integer) + 1 as text)` },
        })
        .returning({ value: journalNotes.value })
        .all()
      return Number(rows[0]?.value)
    },
    wipe() {
      transaction(() => {
        for (const table of [
          journalMeta,
          journalEntries,
          journalChunks,
          journalHandoffs,
          journalIdempotency,
          journalNotes,
          journalOutbox,
        ]) {
          db.delete(table).where(eq(table.owner, owner)).run()
        }
      })
    },
  }
}

/** A head that fills its row (less one unit, where a pair was kept whole) may go on in chunks. */
function mayHaveRest(head: string): boolean {
  return head.length >= CHUNK_UNITS - 1
}
