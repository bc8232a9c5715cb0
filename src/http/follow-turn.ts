import { BatonError } from '../core/errors.ts'
import type { Result } from '../core/errors.ts'
import type { Face } from '../core/faces/face.ts'
import type { TurnMoved, TurnOutcome, TurnStream } from '../core/session/handle.ts'
import type { Call } from './operation.ts'
import { unwrap } from './operation.ts'

/** Handoffs that one waiting turn may follow from child to child. */
const MAX_MOVES = 10

type Sessions = Pick<Call, 'ports' | 'tenant'>

/** The outcome of a turn, from the child where a handoff took it. */
export async function followOutcome(
  { ports, tenant }: Sessions,
  answer: Promise<Result<TurnOutcome | TurnMoved>>,
  mode: 'wait' | 'async' = 'wait',
): Promise<TurnOutcome> {
  let outcome = await unwrap(answer)
  for (let move = 0; move < MAX_MOVES; move += 1) {
    if (!('movedTo' in outcome)) return outcome
    const { movedTo, turn } = outcome
    outcome = await unwrap(ports.open(tenant, movedTo).followTurn(turn, mode))
  }
  throw lost()
}

/**
 * The bytes of a turn; of one that waits, those of the child too when a handoff takes it there. A reader that leaves only
 * stops reading.
 */
export function followStream(
  { ports, tenant }: Sessions,
  of: {
    readonly session: string
    readonly first: TurnStream
    readonly face: Face
    /** text to end with when the session cannot be heard any more */
    readonly lost?: string
  },
): ReadableStream<Uint8Array> {
  const { first, face } = of
  if (!first.queued && of.lost === undefined) return first.stream
  let session = of.session
  let reader = first.stream.getReader()
  let moves = 0

  /** Where the turn went when its stream ended without its last event; false when it did not go anywhere. */
  async function move(): Promise<boolean> {
    if (!first.queued) return false
    const outcome = await unwrap(ports.open(tenant, session).followTurn(first.turn, 'async'))
    if (!('movedTo' in outcome) || (moves += 1) > MAX_MOVES) return false
    session = outcome.movedTo
    const next = await unwrap(ports.open(tenant, session).followTurnEvents(first.turn, face))
    reader = next.stream.getReader()
    return true
  }

  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        for (;;) {
          const { done, value } = await reader.read()
          if (!done) return controller.enqueue(value)
          if (!(await move())) return controller.close()
        }
      } catch {
        // The session's object was reset; the end of the stream sends the client to ask again.
        if (of.lost !== undefined) controller.enqueue(new TextEncoder().encode(of.lost))
        controller.close()
      }
    },
    cancel: () => reader.cancel(),
  })
}

function lost(): BatonError {
  return new BatonError(
    'conflict',
    'The session was handed off again and again; ask the newest one',
  )
}
