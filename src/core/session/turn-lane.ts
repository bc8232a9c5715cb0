import { BatonError, toErrorData } from '../errors.ts'
import type { QueueItem } from '../ports.ts'
import type { Model } from '../providers/types.ts'
import type { HandoffLane } from './handoff-lane.ts'
import { requireMeta, touch } from './ledger.ts'
import { openCalls } from './open-calls.ts'
import type { LivePorts } from './ports.ts'
import type { Queue } from './queue.ts'
import { changeTurn } from './queue.ts'
import { requireModel } from './request.ts'
import { beginTurn, joinTurn } from './begin-turn.ts'
import { recoverTurn } from './recover-turn.ts'
import type { TurnEnd } from './turn.ts'
import { isAlive, runTurn } from './turn.ts'
import type { TurnRecord } from './turn-record.ts'
import { isOver } from './turn-record.ts'

/** The turns of one live session, strictly one after another and in the order they came. */
export interface TurnLane {
  /** Starts it or puts it in line, in one step without an await. `kept` runs in the transaction. Throws `session_busy`, `no_model`, `no_api_key`. */
  take(item: QueueItem, whenBusy: 'queue' | 'reject' | 'steer', kept: () => void): void
  /** Starts the next one that waits, if nothing runs. */
  next(): void
  running(): boolean
  /** something waits that only has to be looked at */
  waiting(): boolean
  /** Ends a turn that died with its process. */
  recover(): void
  /** Aborts the running turn, or only the one of this id, waiting ones too; resolves when it has settled, with null when there was none. */
  abort(reason: string, id?: string): Promise<TurnRecord | null>
  /** A waiting turn went to the child. */
  moved(id: string, child: string): void
  /** The session is being deleted: whoever waits for a turn hears of it. */
  gone(): void
  /** Resolves when the turn is over here. Throws `not_found`. */
  settled(id: string): Promise<Over>
}

export type Over = Exclude<TurnRecord, { status: 'queued' | 'running' | 'joined' }>

interface Run {
  readonly id: string
  readonly controller: AbortController
  readonly done: Promise<void>
}

/** `claimed` is called in the transaction of a claim, `changed` after a turn began or ended. */
export function createTurnLane(
  ports: LivePorts,
  of: { readonly handoffs: HandoffLane; readonly queue: Queue },
  host: { claimed(): void; changed(): void },
): TurnLane {
  const { journal, events } = ports
  const { handoffs, queue } = of
  let run: Run | null = null
  let wakers: (() => void)[] = []

  function tell(): void {
    for (const wake of wakers.splice(0)) wake()
  }

  function take(item: QueueItem, whenBusy: 'queue' | 'reject' | 'steer', kept: () => void): void {
    requireModel(ports, requireMeta(ports).config.model, 'this turn')
    const handingOff = handoffs.open() !== null
    const idle = run === null && !handingOff
    const line = journal.queue().length > 0
    const results = item.asked.length > 0 && item.asked.every(isResult)
    // Results of calls are what the others wait for.
    if (idle && (!line || results)) return start(item, kept)
    if (!idle && whenBusy === 'reject') throw sessionBusy(handingOff)
    const kind = whenBusy === 'steer' && run !== null ? 'steer' : 'turn'
    journal.transaction(() => {
      if (!queue.add({ ...item, kind })) throw full()
      kept()
      host.claimed()
    })
    // Whoever speaks now does not wait for results any more.
    if (idle) startHead()
    host.changed()
  }

  function next(): void {
    if (run !== null || handoffs.open() !== null || !waiting()) return
    startHead()
  }

  /** Calls that the client is to answer hold the line. */
  function waiting(): boolean {
    if (journal.queue().length === 0) return false
    return openCalls(ports, requireMeta(ports).leafId).length === 0
  }

  function startHead(): void {
    const head = journal.queue()[0]
    const item = head === undefined ? null : journal.queueItem(head.id)
    if (item !== null) start(item, () => undefined)
  }

  /** Claim and what was said in one step, then the provider. */
  function start(item: QueueItem, kept: () => void): void {
    const { id } = item
    const controller = new AbortController()
    const begun = journal.transaction(() => {
      const place = beginTurn(ports, queue, item)
      kept()
      host.claimed()
      return place
    })
    const done = Promise.resolve()
      .then(() =>
        runTurn(
          ports,
          { id, model: modelOf(), ...begun },
          { signal: controller.signal, host: { steers } },
        ),
      )
      .catch(failed)
      .then((end) => settle(id, end))
      .catch((thrown: unknown) => {
        ports.log({ name: 'turn_not_settled', session: ports.id, code: toErrorData(thrown).code })
      })
      .then(ended)
    run = { id, controller, done }
    host.changed()
    ports.keepAlive(done)
  }

  /** Configuration may have changed while it waited. */
  function modelOf(): Model {
    return requireModel(ports, requireMeta(ports).config.model, 'this turn')
  }

  function failed(thrown: unknown): TurnEnd {
    const { code, detail } = toErrorData(thrown)
    if (code === 'internal') ports.log({ name: 'turn_failed', session: ports.id, code })
    return { status: 'failed', error: { code, detail } }
  }

  /** The messages that steer the running turn, in order. */
  function steers(): boolean {
    const live = run
    if (live === null || live.controller.signal.aborted) return false
    const heads = journal.queue().filter(({ kind }) => kind === 'steer')
    for (const { id } of heads)
      journal.transaction(() => joinTurn(ports, queue, { id, turn: live.id }))
    if (heads.length > 0) tell()
    return heads.length > 0
  }

  /** The end of a turn and of its claim are one write. A session deleted meanwhile keeps nothing. */
  function settle(id: string, end: TurnEnd): void {
    journal.transaction(() => {
      if (!isAlive(ports, id)) return
      journal.putTurn(null)
      changeTurn(ports, id, { type: 'ended', ...end, lastEntry: journal.lastSeq() })
      const { status, error } = end
      const told = error === null ? {} : { error }
      events.append({ type: 'turn_ended', turn: id, session: ports.id, status, ...told })
      touch(ports)
      events.prune()
    })
  }

  function ended(): void {
    run = null
    tell()
    try {
      if (journal.meta()?.state === 'live') next()
    } catch (thrown) {
      ports.log({ name: 'queue_waits', session: ports.id, code: toErrorData(thrown).code })
    }
    host.changed()
  }

  async function settled(asked: string): Promise<Over> {
    let id = asked
    for (;;) {
      // Deleted meanwhile: what waited for it ends.
      requireMeta(ports)
      const record = journal.turnRecord(id)
      if (record === null) throw noTurn()
      if (record.status === 'joined') id = record.joined
      else if (isOver(record)) return record as Over
      else await new Promise<void>((resolve) => wakers.push(resolve))
    }
  }

  async function abort(reason: string, id?: string): Promise<TurnRecord | null> {
    const cancelled = { type: 'ended', status: 'cancelled', lastEntry: 0, error: null } as const
    if (id !== undefined && queue.take(id, cancelled)) {
      tell()
      host.changed()
      return journal.turnRecord(id)
    }
    const record = id === undefined ? null : journal.turnRecord(id)
    const named = record?.status === 'joined' ? record.joined : id
    const live = run
    if (live === null || (named !== undefined && named !== live.id)) return null
    live.controller.abort(new Error(reason))
    await live.done
    return journal.turnRecord(live.id)
  }

  return {
    take,
    next,
    running: () => run !== null,
    waiting,
    recover() {
      const marker = journal.turn()
      if (run !== null || marker === null) return
      recoverTurn(ports, marker.id)
      tell()
    },
    abort,
    moved(id, child) {
      queue.take(id, { type: 'moved', to: child })
      tell()
    },
    gone: tell,
    settled,
  }
}

function isResult({ message }: QueueItem['asked'][number]): boolean {
  return message.role === 'toolResult'
}

/** What somebody gets who would not wait. */
export function sessionBusy(handingOff: boolean): BatonError {
  const what = handingOff ? 'A handoff is running' : 'A turn is running'
  return new BatonError('session_busy', `${what} in this session; wait until it has ended`)
}

function full(): BatonError {
  const detail = 'Too many turns wait in this session; wait until some have run'
  return new BatonError('rate_limited', detail, { retryAfter: 5 })
}

/** The same words for a turn that never was and one that was forgotten. */
export function noTurn(): BatonError {
  return new BatonError('not_found', 'There is no such turn')
}
