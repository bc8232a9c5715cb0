import type { QueueHead, QueueItem } from '../ports.ts'
import type { QueueItemView } from './handle.ts'
import type { LivePorts } from './ports.ts'
import type { TurnChange } from './turn-record.ts'
import { queueTurn, reduceTurn } from './turn-record.ts'
import { toIso } from './view.ts'

/** Turns that may wait in one session. */
export const MAX_QUEUED = 50

/** The turns of a session that wait, in the order they came. Every write is a transaction or belongs into one. */
export interface Queue {
  /** false when there is no more room */
  add(item: QueueItem): boolean
  view(): readonly QueueItemView[]
  /** Takes it out of the line, with what becomes of it. False when it did not wait. */
  take(id: string, change: TurnChange): boolean
}

export function createQueue(ports: LivePorts): Queue {
  const { journal, events } = ports

  function head({ id, kind, createdAt }: QueueHead): QueueItemView {
    return { id, kind, createdAt: toIso(createdAt) }
  }

  /** Who waits, without what they say: that may be megabytes, and is there to be asked for. */
  function tell(): void {
    events.append({ type: 'queue_changed', items: journal.queue().map(head) })
  }

  return {
    view: () =>
      journal.queue().map((waiting) => {
        const said = journal.queueItem(waiting.id)?.asked ?? []
        return { ...head(waiting), messages: said.map(({ message }) => message) }
      }),
    add(item) {
      if (journal.queue().length >= MAX_QUEUED) return false
      journal.transaction(() => {
        journal.enqueueTurn(item)
        const { id, createdAt } = item
        const clientId = item.asked.at(-1)?.clientId ?? null
        if (journal.turnRecord(id) === null) {
          journal.putTurnRecord(queueTurn({ id, createdAt, clientId }))
        }
        tell()
      })
      return true
    },
    take: (id, change) =>
      journal.transaction(() => {
        if (!journal.removeTurn(id)) return false
        changeTurn(ports, id, change)
        if (change.type === 'ended') {
          const { status } = change
          events.append({ type: 'turn_ended', turn: id, session: ports.id, status })
        }
        tell()
        return true
      }),
  }
}

/** Moves the record of a turn on; a change that no longer fits changes nothing. */
export function changeTurn({ journal }: LivePorts, id: string, change: TurnChange): void {
  const record = journal.turnRecord(id)
  if (record === null) return
  const next = reduceTurn(record, change)
  if (next !== record) journal.putTurnRecord(next)
}
