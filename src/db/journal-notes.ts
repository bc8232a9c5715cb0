import { and, eq } from 'drizzle-orm'
import type { Journal, TurnMarker } from '../core/ports.ts'
import { journalNotes } from './journal-schema.ts'
import type { JournalTexts } from './journal-texts.ts'
import type { Owned } from './sync-database.ts'

/** A name that no caller can give: theirs have no NUL. */
const TURN = '\u0000turn'

/** Named facts of one session: the running turn, an imported file's header. */
export function createNotes(
  { db, owner }: Owned,
  texts: JournalTexts,
): Pick<Journal, 'note' | 'putNote' | 'turn' | 'putTurn'> {
  function note(name: string): string | null {
    const row = db
      .select({ value: journalNotes.value })
      .from(journalNotes)
      .where(and(eq(journalNotes.owner, owner), eq(journalNotes.name, name)))
      .get()
    return row === undefined ? null : (JSON.parse(texts.load('note', name, row.value)) as string)
  }

  function putNote(name: string, text: string): void {
    // As JSON, which escapes NUL: Deno's node:sqlite (2.9.6) reads a text only up to there.
    const value = texts.store('note', name, JSON.stringify(text))
    db.insert(journalNotes)
      .values({ owner, name, value })
      .onConflictDoUpdate({ target: [journalNotes.owner, journalNotes.name], set: { value } })
      .run()
  }

  return {
    note,
    putNote,
    turn() {
      const value = note(TURN)
      return value === null || value === '' ? null : (JSON.parse(value) as TurnMarker)
    },
    putTurn(turn) {
      putNote(TURN, turn === null ? '' : JSON.stringify(turn))
    },
  }
}
