import type { Message, MessageEntry } from '../entry.ts'
import { isEntry } from '../entry.ts'
import { BatonError } from '../errors.ts'
import type { Face } from '../faces/face.ts'
import { createEncoder } from '../faces/face.ts'
import type { QueueItem } from '../ports.ts'
import type { Answer } from './boundary.ts'
import { streamEvents } from './event-stream.ts'
import type {
  Idempotency,
  SessionHandle,
  TurnMoved,
  TurnOutcome,
  TurnRequest,
  TurnStream,
} from './handle.ts'
import { encodeFrame, HEARTBEAT } from '../sse.ts'
import { forgetOld, mismatch } from './idempotency.ts'
import type { LivePorts } from './ports.ts'
import type { Queue } from './queue.ts'
import { noTurn } from './turn-lane.ts'
import type { TurnLane } from './turn-lane.ts'
import type { TurnRecord } from './turn-record.ts'
import { isOver } from './turn-record.ts'

type TurnCalls = Pick<
  SessionHandle,
  | 'turn'
  | 'turnEvents'
  | 'followTurn'
  | 'followTurnEvents'
  | 'cancelTurn'
  | 'queue'
  | 'removeQueued'
  | 'events'
>

const ROUTE = 'turn'

/** The calls of a session's handle that are about its turns. `host.wake` may throw `not_found`. */
export function createTurnCalls(
  ports: LivePorts,
  of: { readonly turns: TurnLane; readonly queue: Queue },
  host: { readonly answer: Answer; wake(): Promise<void> },
): TurnCalls {
  const { journal, events, now, newId } = ports
  const { turns, queue } = of

  /** The id of the new turn, or of the one that this idempotency key began. */
  async function begin(request: TurnRequest): Promise<string> {
    await host.wake()
    const known = knownTurn(request.idempotency)
    if (known !== null) return known
    const { asked, after, whenBusy, idempotency } = request
    const id = newId()
    const place = after === undefined ? {} : { after }
    const item: QueueItem = { id, kind: 'turn', asked, ...place, createdAt: now() }
    turns.take(item, whenBusy, () => {
      if (idempotency === null) return
      const answer = JSON.stringify(id)
      const row = { route: ROUTE, ...idempotency, handoffId: null, answer, createdAt: now() }
      journal.putIdempotency(row)
    })
    return id
  }

  function knownTurn(idempotency: Idempotency | null): string | null {
    forgetOld(ports)
    if (idempotency === null) return null
    const row = journal.idempotency(ROUTE, idempotency.key)
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
        encoder: createEncoder(face),
        // What waits shows that it is connected.
        prefix: record.status === 'queued' ? HEARTBEAT : '',
        accepts: (event) => 'turn' in event && event.turn === current(),
        ends: (event) => event.type === 'turn_ended',
        over: () => isGone(current()),
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

  /** A reader that was away too long hears that something is missing for it, before it goes on. */
  function prefixOf(after: number): string {
    const first = events.first()
    if (after === 0 || after >= first - 1) return HEARTBEAT
    const data = { from: after + 1, to: first - 1, detail: 'Read the entries to catch up' }
    return encodeFrame({ id: first - 1, event: 'events_lost', data })
  }

  function awake<T>(work: () => T | Promise<T>) {
    return host.answer(async () => {
      await host.wake()
      return work()
    })
  }

  return {
    turn: (request, mode) => host.answer(async () => outcome(await begin(request), mode)),
    turnEvents: (request, face) => host.answer(async () => stream(await begin(request), face)),
    followTurn: (id, mode) => awake(() => outcome(id, mode)),
    followTurnEvents: (id, face) => awake(() => stream(id, face)),
    cancelTurn: (reason, id) =>
      awake(async () => {
        const record = await turns.abort(reason, id)
        if (record === null) return { cancelled: false }
        return { cancelled: true, turn: { id: record.id, status: record.status } }
      }),
    queue: () => awake(() => queue.view()),
    removeQueued: (id) =>
      awake(async () => {
        const waiting = journal.queue().some((item) => item.id === id)
        if (!waiting) throw new BatonError('not_found', 'Nothing of this id waits in the queue')
        await turns.abort('Removed from the queue', id)
        return null
      }),
    events: (after) =>
      awake(() =>
        streamEvents(events, {
          prefix: prefixOf(after),
          // A number that is not there yet is another log's: nothing of this one is left out for it.
          after: after > events.last() ? 0 : after,
          encoder: createEncoder({ type: 'native' }),
          accepts: () => true,
          ends: () => false,
        }),
      ),
  }
}
