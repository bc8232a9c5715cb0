import type { TurnStatus } from '../events.ts'

/**
 * The life of one turn that was asked for: two unions and one pure `reduce`.
 *
 *   queued ──started──▶ running ──ended──▶ completed | cancelled | failed | interrupted
 *     ├──moved──▶ moved      (a handoff took it along; the child knows how it went on)
 *     ├──joined──▶ joined    (a steering message that another turn took up)
 *     └──ended──▶ cancelled  (removed from the queue)
 */

interface TurnBase {
  readonly id: string
  /** ms since epoch */
  readonly createdAt: number
  /** the name that the client gave to what was said; null without one */
  readonly clientId: string | null
}

/** Where a turn stands in the journal. */
interface TurnPlace {
  /** the event right before its first one */
  readonly eventsAfter: number
  /** the entry right before its first one */
  readonly entriesAfter: number
  /** id of the entry that begins the answer */
  readonly answer: string
}

export type TurnRecord =
  | (TurnBase & { readonly status: 'queued' })
  | (TurnBase & { readonly status: 'moved'; readonly movedTo: string })
  | (TurnBase & { readonly status: 'joined'; readonly joined: string })
  | (TurnBase & TurnPlace & { readonly status: 'running' })
  | (TurnBase & {
      readonly status: TurnStatus
      /** null when it never began */
      readonly place: (TurnPlace & { readonly lastEntry: number }) | null
      readonly error: { readonly code: string; readonly detail: string } | null
    })

export type TurnChange =
  | { readonly type: 'started'; readonly place: TurnPlace }
  | { readonly type: 'moved'; readonly to: string }
  | { readonly type: 'joined'; readonly turn: string }
  | {
      readonly type: 'ended'
      readonly status: TurnStatus
      readonly lastEntry: number
      readonly error: { readonly code: string; readonly detail: string } | null
    }

/** The first state. */
export function queueTurn(base: TurnBase): TurnRecord {
  return { ...base, status: 'queued' }
}

/** The next state. A change that does not belong to a state leaves it as it is (same object). */
export function reduceTurn(record: TurnRecord, change: TurnChange): TurnRecord {
  const { id, createdAt, clientId } = record
  const base = { id, createdAt, clientId }
  if (record.status === 'queued') {
    switch (change.type) {
      case 'started':
        return { ...base, ...change.place, status: 'running' }
      case 'moved':
        return { ...base, status: 'moved', movedTo: change.to }
      case 'joined':
        return { ...base, status: 'joined', joined: change.turn }
      case 'ended':
        return { ...base, status: change.status, place: null, error: change.error }
    }
  }
  if (record.status === 'running' && change.type === 'ended') {
    const { eventsAfter, entriesAfter, answer } = record
    const place = { eventsAfter, entriesAfter, answer, lastEntry: change.lastEntry }
    return { ...base, status: change.status, place, error: change.error }
  }
  return record
}

/** True once nothing will happen to it here any more. */
export function isOver(
  record: TurnRecord,
): record is Exclude<TurnRecord, { status: 'queued' | 'running' }> {
  return record.status !== 'queued' && record.status !== 'running'
}
