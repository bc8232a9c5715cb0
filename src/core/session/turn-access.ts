import type { Message, MessageEntry } from '../entry.ts'
import { isEntry } from '../entry.ts'
import type { EventEncoder, SessionEvent } from '../events.ts'
import type { Face } from '../faces/face.ts'
import { createEncoder } from '../faces/face.ts'
import type { QueueItem } from '../ports.ts'
import { HEARTBEAT } from '../sse.ts'
import { streamEvents } from './event-stream.ts'
import type { Idempotency, TurnMoved, TurnOutcome, TurnRequest, TurnStream } from './handle.ts'
import { forgetOld, mismatch } from './idempotency.ts'
import type { LivePorts } from './ports.ts'
import { noTurn } from './turn-lane.ts'
import type { TurnLane } from './turn-lane.ts'
import type { TurnRecord } from './turn-record.ts'
import { isOver } from './turn-record.ts'

/** How turns are begun and looked at, whatever the face; the session is awake. */
export interface TurnAccess {
  /** Begins a turn or puts it in line, one step without an await, and gives its id. The key is kept for that route. */
  begin(request: TurnRequest, route: string): string
  /** the turn that this key began there; null without one. Throws `idempotency_mismatch`. */
  known(route: string, idempotency: Idempotency | null): string | null
  outcome(id: string, mode: 'wait' | 'async'): Promise<TurnOutcome | TurnMoved>
  /** Throws `not_found`. */
  stream(id: string, face: Face): TurnStream
}

export function createTurnAccess(ports: LivePorts, turns: TurnLane): TurnAccess {
  const { journal, events, now, newId } = ports

  function begin(request: TurnRequest, route: string): string {
    const { asked, after, whenBusy, idempotency } = request
    const id = newId()
    const place = after === undefined ? {} : { after }
    const item: QueueItem = { id, kind: 'turn', asked, ...place, createdAt: now() }
    turns.take(item, whenBusy, () => {
      if (idempotency === null) return
      const answer = JSON.stringify(id)
      const row = { route, ...idempotency, handoffId: null, answer, createdAt: now() }
      journal.putIdempotency(row)
    })
    return id
  }

  function known(route: string, idempotency: Idempotency | null): string | null {
    forgetOld(ports)
    if (idempotency === null) return null
    const row = journal.idempotency(route, idempotency.key)
    if (row === null) return null
    if (row.fingerprint !== idempotency.fingerprint) throw mismatch()
    const id = row.answer === null ? null : (JSON.parse(row.answer) as string)
    return id !== null && journal.turnRecord(id) !== null ? id : null
  }

  function requireTurn(id: string): Exclude<TurnRecord, { status: 'joined' }> {
    const record = journal.turnRecord(id)
    if (record === null) throw noTurn()
    return record.status === 'joined' ? requireTurn(record.joined) : record
  }

  async function outcome(id: string, mode: 'wait' | 'async'): Promise<TurnOutcome | TurnMoved> {
    const record = mode === 'wait' ? await turns.settled(id) : requireTurn(id)
    return record.status === 'moved'
      ? { movedTo: record.movedTo, turn: record.id }
      : toOutcome(record)
  }

  function toOutcome(record: Exclude<TurnRecord, { status: 'moved' | 'joined' }>): TurnOutcome {
    const error = isOver(record) ? record.error : null
    return {
      turn: { id: record.id, status: record.status },
      session: ports.id,
      messages: messagesOf(record),
      ...(error === null ? {} : { error }),
    }
  }

  function messagesOf(record: TurnRecord): readonly Message[] {
    const running = record.status === 'running'
    const place = running ? record : 'place' in record ? record.place : null
    if (place === null) return []
    const last = 'lastEntry' in place ? place.lastEntry : journal.lastSeq()
    return journal
      .entries({ after: place.entriesAfter, limit: last - place.entriesAfter })
      .flatMap((entry) =>
        isEntry(entry, 'message') ? [(entry as MessageEntry).message as Message] : [],
      )
  }

  function stream(id: string, face: Face): TurnStream {
    const record = journal.turnRecord(id)
    if (record === null) throw noTurn()
    let turn = id
    let settled = record.status !== 'queued'
    /** A steering message is told of with the turn that takes it up. */
    function current(): string {
      if (settled) return turn
      const latest = journal.turnRecord(id)
      settled = latest === null || latest.status !== 'queued'
      if (latest?.status === 'joined') turn = latest.joined
      return turn
    }
    if (record.status === 'joined') turn = record.joined
    return {
      turn: id,
      queued: record.status === 'queued' || record.status === 'moved',
      stream: streamEvents(events, {
        after: startOf(record),
        encoder: encoderOf(record, face),
        // What waits shows that it is connected.
        prefix: record.status === 'queued' ? HEARTBEAT : '',
        accepts: (event) => 'turn' in event && event.turn === current(),
        ends: (event) => event.type === 'turn_ended',
        over: () => isGone(current()),
        last: () => lastOf(current()),
      }),
    }
  }

  /** The event right before the first one that a stream of this turn tells. */
  function startOf(record: TurnRecord): number {
    switch (record.status) {
      case 'running':
        return record.eventsAfter
      case 'joined':
      case 'moved':
      case 'queued':
        return events.last()
      default:
        return record.place?.eventsAfter ?? events.first() - 1
    }
  }

  /** It goes on elsewhere, or its events were forgotten. */
  function isGone(id: string): boolean {
    const record = journal.turnRecord(id)
    return record === null || isOver(record)
  }

  /** The end of a turn that nothing tells any more: its session was deleted, or its events were forgotten. */
  function lastOf(id: string): SessionEvent | null {
    const record = events.closed() ? null : journal.turnRecord(id)
    if (record?.status === 'moved' || record?.status === 'joined') return null
    const status = record === null || !isOver(record) ? 'cancelled' : record.status
    return { type: 'turn_ended', turn: id, session: ports.id, status }
  }

  /** An answer that went on after the client's tools is told from its beginning to whoever comes back to it. */
  function encoderOf(record: TurnRecord, face: Face): EventEncoder {
    const encoder = createEncoder(face)
    if (face.type !== 'ui' || !face.replay || record.status !== 'running') return encoder
    const { id: turn, answer, entriesAfter } = record
    const first = journal.seqOf(answer)
    if (first === null || first > entriesAfter) return encoder
    const before = journal
      .entries({ after: first - 1, limit: entriesAfter - first + 1 })
      .flatMap((entry) => (isEntry(entry, 'message') ? [entry as MessageEntry] : []))
    return {
      ...encoder,
      encode(event) {
        const text = encoder.encode(event)
        if (event.type !== 'turn_started') return text
        const told = before.map(({ id, message }) => {
          const whole = {
            type: 'message_end',
            turn,
            entry: id,
            message: message as Message,
          } as const
          return encoder.encode({ ...whole, seq: event.seq })
        })
        return text + told.join('')
      },
    }
  }

  return { begin, known, outcome, stream }
}
