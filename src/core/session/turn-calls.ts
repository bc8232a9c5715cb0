import { BatonError } from '../errors.ts'
import { createEncoder } from '../faces/face.ts'
import { encodeFrame, HEARTBEAT } from '../sse.ts'
import type { Answer } from './boundary.ts'
import { streamEvents } from './event-stream.ts'
import type { SessionHandle, TurnRequest } from './handle.ts'
import type { LivePorts } from './ports.ts'
import type { Queue } from './queue.ts'
import type { TurnAccess } from './turn-access.ts'
import type { TurnLane } from './turn-lane.ts'

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
  of: { readonly turns: TurnLane; readonly queue: Queue; readonly access: TurnAccess },
  host: { readonly answer: Answer; wake(): Promise<void> },
): TurnCalls {
  const { journal, events } = ports
  const { turns, queue, access } = of

  function begin(request: TurnRequest): string {
    return access.known(ROUTE, request.idempotency) ?? access.begin(request, ROUTE)
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
    turn: (request, mode) => awake(() => access.outcome(begin(request), mode)),
    turnEvents: (request, face) => awake(() => access.stream(begin(request), face)),
    followTurn: (id, mode) => awake(() => access.outcome(id, mode)),
    followTurnEvents: (id, face) => awake(() => access.stream(id, face)),
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
