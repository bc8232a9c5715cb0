import { and, asc, eq, inArray } from 'drizzle-orm'
import { assertRowSize, CHUNK_UNITS, splitText } from './chunks.ts'
import { journalChunks } from './journal-schema.ts'
import type { Owned } from './sync-database.ts'

/** Parameters that leave room for others: SQLite in workerd binds 100 a statement. */
const REFS_PER_QUERY = 90

/** Texts longer than a row: the head stays in its own row, the rest beside it under kind and ref. */
export interface JournalTexts {
  /** Keeps what does not fit and returns the head. Belongs into the transaction that writes the row. */
  store(kind: string, ref: string, text: string): string
  /** A stored text whole again. */
  load(kind: string, ref: string, head: string): string
  /** Many texts of one kind whole again, in one query for those that are long. */
  loadAll(
    kind: string,
    heads: readonly { readonly ref: string; readonly head: string }[],
  ): readonly string[]
}

export function createTexts({ db, owner }: Owned): JournalTexts {
  function at(kind: string) {
    return and(eq(journalChunks.owner, owner), eq(journalChunks.kind, kind))
  }

  function rests(kind: string, refs: readonly string[]): ReadonlyMap<string, string> {
    const rest = new Map<string, string>()
    for (let from = 0; from < refs.length; from += REFS_PER_QUERY) {
      const some = inArray(journalChunks.ref, refs.slice(from, from + REFS_PER_QUERY))
      const rows = db
        .select({ ref: journalChunks.ref, text: journalChunks.text })
        .from(journalChunks)
        .where(and(at(kind), some))
        .orderBy(asc(journalChunks.ref), asc(journalChunks.part))
        .all()
      for (const { ref, text } of rows) rest.set(ref, (rest.get(ref) ?? '') + text)
    }
    return rest
  }

  function loadAll(
    kind: string,
    heads: readonly { readonly ref: string; readonly head: string }[],
  ): readonly string[] {
    const long = heads.filter(({ head }) => mayHaveRest(head)).map(({ ref }) => ref)
    const rest = rests(kind, long)
    return heads.map(({ ref, head }) => head + (rest.get(ref) ?? ''))
  }

  return {
    store(kind, ref, text) {
      const [head = '', ...rest] = splitText(text)
      assertRowSize([head])
      db.delete(journalChunks)
        .where(and(at(kind), eq(journalChunks.ref, ref)))
        .run()
      for (const [part, piece] of rest.entries()) {
        assertRowSize([piece])
        db.insert(journalChunks).values({ owner, kind, ref, part, text: piece }).run()
      }
      return head
    },
    load: (kind, ref, head) => loadAll(kind, [{ ref, head }])[0] ?? head,
    loadAll,
  }
}

/** A head that fills its row (less one unit, where a pair was kept whole) may go on in chunks. */
function mayHaveRest(head: string): boolean {
  return head.length >= CHUNK_UNITS - 1
}
