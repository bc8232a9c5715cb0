import type { Entry, MessageEntry } from '../entry.ts'
import { isEntry } from '../entry.ts'
import type { Asked, QueueItem } from '../ports.ts'
import { appendEntries, branchAt, requireMeta } from './ledger.ts'
import type { LivePorts } from './ports.ts'
import type { Queue } from './queue.ts'
import { changeTurn } from './queue.ts'
import { queueTurn } from './turn-record.ts'

/** Claims the session for a turn and writes what was said, ready to be answered. Belongs into a transaction. */
export function beginTurn(
  ports: LivePorts,
  queue: Queue,
  item: QueueItem,
): { readonly answer: string } {
  const { journal, events, now, newId } = ports
  const { id, asked, after, createdAt } = item
  journal.putTurn({ id, startedAt: now() })
  if (journal.turnRecord(id) === null) {
    journal.putTurnRecord(queueTurn({ id, createdAt, clientId: asked.at(-1)?.clientId ?? null }))
  }
  if (after !== undefined) branchAt(ports, after)
  const entry = newId()
  const going = after === undefined && asked.every(({ message }) => message.role === 'toolResult')
  const answer = (going ? firstAnswer(ports) : null) ?? entry
  const place = { eventsAfter: events.last(), entriesAfter: journal.lastSeq(), answer }
  const started = { type: 'started', place } as const
  if (!queue.take(id, started)) changeTurn(ports, id, started)
  events.append({ type: 'turn_started', turn: id, session: ports.id, answer })
  for (const one of asked) say(ports, id, one)
  return { answer: entry }
}

/** Takes a waiting message into the turn that runs. Belongs into a transaction. */
export function joinTurn(
  ports: LivePorts,
  queue: Queue,
  { id, turn }: { readonly id: string; readonly turn: string },
): void {
  const item = ports.journal.queueItem(id)
  if (item === null || !queue.take(id, { type: 'joined', turn })) return
  for (const one of item.asked) say(ports, turn, one)
}

/** Stores a message under the name that it has with its client. */
function say(ports: LivePorts, turn: string, { message, clientId }: Asked): void {
  const entry = ports.newId()
  const named = clientId === undefined ? {} : { clientId }
  ports.events.append({ type: 'message_start', turn, entry, role: message.role })
  appendEntries(ports, [{ type: 'message', id: entry, message, ...named }])
  ports.events.append({ type: 'message_end', turn, entry, message })
}

/** The entry that began the answer at the end of the branch: the first of the model's since somebody else spoke. */
function firstAnswer(ports: LivePorts): string | null {
  let first: string | null = null
  for (let id = requireMeta(ports).leafId; id !== null;) {
    const seq = ports.journal.seqOf(id)
    const entry: Entry | undefined =
      seq === null ? undefined : ports.journal.entries({ after: seq - 1, limit: 1 })[0]
    if (entry === undefined || isEntry(entry, 'custom_message')) return first
    if (isEntry(entry, 'message')) {
      const { role } = (entry as MessageEntry).message
      if (role === 'assistant') first = entry.id
      else if (role !== 'toolResult') return first
    }
    id = entry.parentId
  }
  return first
}
