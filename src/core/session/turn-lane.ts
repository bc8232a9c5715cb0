import type { Message } from '../entry.ts'
import { BatonError } from '../errors.ts'
import { isOpenStatus } from '../handoff/machine.ts'
import type { TurnMoved, TurnOutcome, TurnRequest } from './handle.ts'
import type { HandoffLane } from './handoff-lane.ts'
import type { Keep } from './idempotency.ts'
import { appendEntries, requireMeta, touch } from './ledger.ts'
import type { SessionPorts } from './ports.ts'
import { requireModel } from './request.ts'
import { runTurn, settleTurn } from './turn.ts'

/** Milliseconds between two looks at a handoff whose commit waits for the catalog. */
const LOOK_AGAIN_MS = 250

/** The turns of one live session, strictly one after another and in the order they came. */
export interface TurnLane {
  take(request: TurnRequest, keep: Keep<TurnOutcome | TurnMoved>): Promise<TurnOutcome | TurnMoved>
  running(): boolean
  /** somebody waits for their turn */
  crowded(): boolean
  /** Clears the claim of a turn that died with its process. */
  recover(): void
  /** Aborts the running turn and resolves when it has settled. */
  abort(reason: string): Promise<void>
}

/** `host.wake` recovers what a crash left; it may throw when the session is gone. `claimed` is called in the transaction of a claim. */
export function createTurnLane(
  ports: SessionPorts,
  handoffs: HandoffLane,
  host: { wake(): Promise<void>; claimed(): void; begun(): void; ended(): void },
): TurnLane {
  const { journal, now, newId } = ports
  let run: { readonly controller: AbortController; readonly done: Promise<TurnOutcome> } | null =
    null
  let line: Promise<void> = Promise.resolve()
  let waiting = 0

  /** Only the head of the line looks at what runs. */
  async function take(
    request: TurnRequest,
    keep: Keep<TurnOutcome | TurnMoved>,
  ): Promise<TurnOutcome | TurnMoved> {
    const busy = run !== null || handoffs.open() !== null || waiting > 0
    if (request.whenBusy === 'reject' && busy) throw sessionBusy(handoffs.open() !== null)
    const over = lastOver()
    const before = line
    let leave = (): void => undefined
    line = new Promise((resolve) => {
      leave = resolve
    })
    waiting += 1
    try {
      await before
      await free()
      // Not only the head of the line follows: a handoff that ended while somebody waited took all of them along.
      const latest = journal.handoffHead()
      const moved = latest?.status === 'completed' && latest.id !== over
      if (moved) return keep({ movedTo: handoffs.record(latest.id).childId })
      return await start(request, keep)
    } finally {
      waiting -= 1
      leave()
    }
  }

  /** The handoff that was over already when somebody came, so that they belong to this session all the same. */
  function lastOver(): string | null {
    const latest = journal.handoffHead()
    return latest === null || isOpenStatus(latest.status) ? null : latest.id
  }

  /** Waits until nothing runs. */
  async function free(): Promise<void> {
    for (;;) {
      const handoff = handoffs.running()
      if (handoff !== null) await handoff
      else if (handoffs.open() !== null) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
        await host.wake()
      } else if (run !== null) await run.done
      else return
    }
  }

  /** Claim and user message in one step, then the provider. */
  function start(request: TurnRequest, keep: Keep<TurnOutcome | TurnMoved>): Promise<TurnOutcome> {
    const model = requireModel(ports, requireMeta(ports).config.model, 'this turn')
    const asked = [request.message].flat() as readonly Message[]
    const id = newId()
    const controller = new AbortController()
    journal.transaction(() => {
      journal.putTurn({ id, startedAt: now() })
      appendEntries(
        ports,
        asked.map((message) => ({ type: 'message', message })),
      )
      host.claimed()
      // What a retry hears when this process dies with the turn: the message is kept, and not said twice.
      keep({ turn: { id, status: 'interrupted' }, session: ports.id, messages: asked })
    })
    const done = Promise.resolve()
      .then(() => runTurn(ports, { id, model, asked }, controller.signal))
      .then((outcome) => {
        settleTurn(ports, outcome, () => keep(outcome))
        return outcome
      })
      .finally(() => {
        run = null
        host.ended()
      })
    run = { controller, done }
    host.begun()
    ports.keepAlive(done.catch(() => undefined))
    return done
  }

  return {
    take,
    running: () => run !== null,
    crowded: () => waiting > 0,
    recover() {
      if (run !== null || journal.turn() === null) return
      journal.transaction(() => {
        journal.putTurn(null)
        touch(ports)
      })
    },
    async abort(reason) {
      const live = run
      if (live === null) return
      live.controller.abort(new Error(reason))
      await live.done.catch(() => undefined)
    },
  }
}

/** What somebody gets who would not wait. */
export function sessionBusy(handingOff: boolean): BatonError {
  const what = handingOff ? 'A handoff is running' : 'A turn is running'
  return new BatonError('session_busy', `${what} in this session; wait until it has ended`)
}
