import type { LoggedEvent, SessionEvent } from '../events.ts'
import { toHandoffView } from '../handoff/view.ts'
import type { MessageEntry } from '../entry.ts'
import type { SessionPorts } from './ports.ts'

/** Events that are kept beyond those of the turn that runs. */
export const EVENTS_KEPT = 10_000

/** What happened in one session, durable and numbered. Readers come back at any number that is still kept. */
export interface EventLog {
  /** Belongs into the transaction that makes it true; readers hear of it when that is over. */
  append(...events: readonly SessionEvent[]): void
  /** The same with numbers above `floor`: for a session that goes on where another one's readers were. */
  appendAbove(floor: number, ...events: readonly SessionEvent[]): void
  /** in order, `after` excluded */
  read(after: number, limit: number): readonly LoggedEvent[]
  first(): number
  last(): number
  /** Forgets what is older than the newest events; `keep` is the first that has to stay. */
  prune(keep?: number): void
  /** Called after every append and when the log closed. Returns the way to stop listening. */
  listen(listener: () => void): () => void
  /** The session is gone: readers end. */
  close(): void
  closed(): boolean
}

/** What is stored elsewhere is referred to, not said twice: a message may have megabytes. */
type StoredEvent =
  | Exclude<SessionEvent, { type: 'message_end' | HandoffEnd }>
  | {
      readonly type: 'message_end'
      readonly turn: string
      readonly entry: string
      readonly at: number
    }
  | { readonly type: HandoffEnd; readonly handoff: string }

type HandoffEnd = 'handoff_completed' | 'handoff_cancelled' | 'handoff_failed'

/** `at` of a message's entry is looked for at the end of the journal: it was appended right before. */
export function createEventLog({ journal }: Pick<SessionPorts, 'journal'>): EventLog {
  const listeners = new Set<() => void>()
  let closed = false

  function toStored(event: SessionEvent): StoredEvent {
    switch (event.type) {
      case 'message_end': {
        const { type, turn, entry } = event
        const at = journal.seqOf(entry)
        if (at === null) throw new Error('A message is told after it was stored')
        return { type, turn, entry, at }
      }
      case 'handoff_completed':
      case 'handoff_cancelled':
      case 'handoff_failed':
        return { type: event.type, handoff: event.handoff.id }
      default:
        return event
    }
  }

  function toEvent(stored: StoredEvent): SessionEvent | null {
    switch (stored.type) {
      case 'message_end': {
        const { at, ...event } = stored
        const [entry] = journal.entries({ after: at - 1, limit: 1 })
        if (entry === undefined) return null
        return { ...event, message: (entry as MessageEntry).message } as SessionEvent
      }
      case 'handoff_completed':
      case 'handoff_cancelled':
      case 'handoff_failed': {
        const record = journal.handoff(stored.handoff)
        return record === null ? null : { type: stored.type, handoff: toHandoffView(record) }
      }
      default:
        return stored
    }
  }

  function appendAbove(floor: number, ...events: readonly SessionEvent[]): void {
    journal.appendEvents(
      events.map((event) => JSON.stringify(toStored(event))),
      floor,
    )
    tell()
  }

  function tell(): void {
    for (const listener of listeners) listener()
  }

  return {
    append: (...events) => appendAbove(0, ...events),
    appendAbove,
    read(after, limit) {
      return journal.events(after, limit).flatMap(({ seq, body }) => {
        const event = toEvent(JSON.parse(body) as StoredEvent)
        return event === null ? [] : [{ ...event, seq }]
      })
    },
    first: () => journal.eventRange().first,
    last: () => journal.eventRange().last,
    prune(keep = Infinity) {
      const { first, last } = journal.eventRange()
      const before = Math.min(last - EVENTS_KEPT, keep)
      if (before > first) journal.forgetEvents(before)
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      closed = true
      tell()
    },
    closed: () => closed,
  }
}
