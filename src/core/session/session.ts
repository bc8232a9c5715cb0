import { digestStream } from '../digest-stream.ts'
import type { StoredEntry } from '../entry.ts'
import type { Result } from '../errors.ts'
import { toErrorData } from '../errors.ts'
import type { SessionConfig, SessionStatus } from '../ports.ts'
import { createBirthplace } from './birth.ts'
import { createBoundary, nameOf } from './boundary.ts'
import type { GivenMessage } from './complete-message.ts'
import { createChatCalls } from './chat-calls.ts'
import { completeMessage } from './complete-message.ts'
import { requireConfigSize } from './config-size.ts'
import { exportStream } from './export.ts'
import type {
  Appended,
  HandoffView,
  Idempotency,
  ImportReport,
  SessionHandle,
  SessionView,
  TurnCancelled,
} from './handle.ts'
import { createHandoffCalls } from './handoff-calls.ts'
import { committing, createHandoffLane } from './handoff-lane.ts'
import type { Keep, RunningRequests } from './idempotency.ts'
import { answerOnce, answerStreamOnce } from './idempotency.ts'
import { importFile } from './import.ts'
import { appendEntries, changeEntries, requireMeta, saveMeta } from './ledger.ts'
import { createEventLog } from './event-log.ts'
import { adopt, createForwarder } from './forward-queue.ts'
import { createOutbox } from './outbox.ts'
import type { SessionPorts } from './ports.ts'
import { readContext, requireKnownModel } from './request.ts'
import { createQueue } from './queue.ts'
import { createTurnAccess } from './turn-access.ts'
import { createTurnCalls } from './turn-calls.ts'
import { createTurnLane, sessionBusy } from './turn-lane.ts'
import { toSessionView } from './view.ts'

/** Milliseconds until the alarm looks whether a claimed run is still alive; below the 70 s after which an idle object may go. */
const LEASE_MS = 30_000

export interface LiveSession extends SessionHandle {
  /** Recovers what a crash left, tells the catalog what it missed, and arms itself again. Never rejects. */
  onAlarm(): Promise<void>
  /** nothing runs and nobody waits: the object may be dropped */
  idle(): boolean
}

/**
 * One live session: what may run now, abort, recovery. Every guard and the record it protects are one
 * synchronous step; what a crash interrupted is found in the journal by the next call or the alarm.
 */
export function createSession(borrowed: SessionPorts): LiveSession {
  const events = createEventLog(borrowed)
  const ports = { ...borrowed, events }
  const { journal, now } = ports
  const birthplace = createBirthplace(borrowed)
  const outbox = createOutbox(ports, { changed: arm, status })
  const joined: RunningRequests = new Map()
  const answer = createBoundary(ports)
  const handoffs = createHandoffLane(ports, {
    turnRunning: () => turns.running(),
    changed: arm,
    ended: released,
  })
  const queue = createQueue(ports)
  const turns = createTurnLane(ports, { handoffs, queue }, { claimed: arm, changed: publish })
  const access = createTurnAccess(ports, turns)
  const forwarder = createForwarder(ports, { changed: arm, moved: turns.moved })

  /** Sets the alarm to the next time at which there is something to look at. */
  function arm(): void {
    const state = journal.meta()?.state
    // An import or a deletion is in progress, or its process died with it.
    if (state === 'deleted' || state === 'loading') return ports.alarm.set(now() + LEASE_MS)
    const live = journal.turn() !== null || handoffs.running() !== null
    const times = [
      live || turns.waiting() ? now() + LEASE_MS : null,
      handoffs.nextTry(),
      outbox.nextTry(),
      forwarder.nextTry(),
    ]
    const next = times.filter((time) => time !== null)
    ports.alarm.set(state !== 'live' || next.length === 0 ? null : Math.min(...next))
  }

  /** Something was written: the alarm is the promise that the catalog will hear of it. */
  function publish(): void {
    arm()
    void outbox.drain()
  }

  /** A handoff ended: what waited goes on, in the child or here. */
  function released(): void {
    void forwarder.run()
    turns.next()
    publish()
  }

  /** The same for a newborn, which the next list should show: waits for the first try, not for a success. */
  async function published(): Promise<void> {
    publish()
    await outbox.settled()
  }

  /** Makes the session present in this process: born, and rid of what a crash left. */
  async function wake(): Promise<void> {
    await birthplace.ensure()
    handoffs.recover()
    turns.recover()
    turns.next()
    void forwarder.run()
  }

  function status(): SessionStatus {
    if (handoffs.open() !== null) return 'handing_off'
    return turns.running() ? 'running' : 'idle'
  }

  function view(): SessionView {
    return toSessionView(requireMeta(ports), status())
  }

  function update(patch: Partial<SessionConfig>): SessionView {
    requireKnownModel(ports, patch.model)
    journal.transaction(() => {
      const { config } = requireMeta(ports)
      const next = { ...config, ...patch }
      // What changes nothing leaves no trace.
      if (JSON.stringify(next) === JSON.stringify(config)) return
      requireConfigSize(next)
      appendEntries(ports, changeEntries(config, next))
      saveMeta(ports, { ...requireMeta(ports), config: next })
      arm()
    })
    publish()
    return view()
  }

  function append(messages: readonly GivenMessage[], keep: Keep<Appended>): Appended {
    const handingOff = handoffs.open() !== null
    if (handingOff || turns.running()) throw sessionBusy(handingOff)
    if (journal.queue().length > 0 && turns.waiting()) throw sessionBusy(false)
    const { model } = requireMeta(ports).config
    const drafts = messages.map((given) => {
      return { type: 'message', message: completeMessage(given, model, ports.resolveModel) }
    })
    const appended = journal.transaction(() =>
      armed(keep)({ entries: appendEntries(ports, drafts) }),
    )
    publish()
    return appended
  }

  async function destroy(): Promise<null> {
    await wake()
    if (handoffs.open()?.status === 'committing') throw committing()
    journal.transaction(() => {
      journal.putMeta({ ...requireMeta(ports), state: 'deleted' })
      arm()
    })
    handoffs.abort('Session deleted')
    turns.gone()
    await Promise.all([handoffs.running(), turns.abort('Session deleted'), outbox.settled()])
    events.close()
    await birthplace.remove()
    return null
  }

  /** The handoff first: what stops it must not look like the end of a turn (C2). */
  async function abortAll(
    reason: string | null,
  ): Promise<TurnCancelled & { readonly handoff?: HandoffView }> {
    const open = handoffs.open()
    if (open?.status === 'committing') throw committing()
    const handoff = open === null ? null : await handoffs.cancel(reason ?? '')
    const turn = await turns.abort(reason ?? 'Aborted by session')
    return {
      cancelled: handoff?.cancelled === true || turn !== null,
      ...(handoff?.handoff === undefined ? {} : { handoff: handoff.handoff }),
      ...(turn === null ? {} : { turn: { id: turn.id, status: turn.status } }),
    }
  }

  function page(
    after: number,
    limit: number,
  ): { items: readonly StoredEntry[]; nextCursor: string | null } {
    const found = journal.entries({ after, limit: limit + 1 })
    const items = found.slice(0, limit)
    return { items, nextCursor: found.length > limit ? String(items.at(-1)?.seq) : null }
  }

  function awake<T>(work: () => T | Promise<T>): Promise<Result<T>> {
    return answer(async () => {
      await wake()
      return work()
    })
  }

  function once<T>(
    route: string,
    idempotency: Idempotency | null,
    work: (keep: Keep<T>) => T | Promise<T>,
  ): Promise<T> {
    return answerOnce(ports, joined, { route, idempotency }, work)
  }

  /** Kept together with the alarm. */
  function armed<T>(keep: Keep<T>): Keep<T> {
    return (answer) => {
      arm()
      return keep(answer)
    }
  }

  function importOnce(
    file: ReadableStream<Uint8Array>,
    { maxBytes, key }: { readonly maxBytes: number; readonly key: string | null },
  ): Promise<ImportReport> {
    if (key === null) {
      return importFile(ports, birthplace, { file, maxBytes }, async () =>
        armed((report) => report),
      )
    }
    const body = digestStream(file, maxBytes)
    return answerStreamOnce(ports, joined, { route: 'import', key, body }, (ready) =>
      importFile(ports, birthplace, { file: body.stream, maxBytes }, async () =>
        armed(await ready()),
      ),
    )
  }

  return {
    ...createTurnCalls(ports, { turns, queue, access }, { answer, wake }),
    ...createChatCalls(ports, access, { answer, wake }),
    ...createHandoffCalls(ports, handoffs, { answer, wake, told: () => void outbox.drain() }),
    create: (input) =>
      answer(async () => {
        const born = await once<SessionView>('create', input.idempotency, (keep) =>
          birthplace.create(input, () => armed(keep)(view())),
        )
        await published()
        return born
      }),
    importFile: (file, options) =>
      answer(async () => {
        const report = await importOnce(file, options)
        await published()
        return report
      }),
    exportFile: () => awake(() => exportStream(ports)),
    view: () => awake(view),
    update: (patch) => awake(() => update(patch)),
    destroy: () => answer(destroy),
    entries: ({ after, limit }) => awake(() => page(after, limit)),
    append: (messages, idempotency) =>
      awake(() => once<Appended>('entries', idempotency, (keep) => append(messages, keep))),
    context: () => awake(() => readContext(ports)),
    abort: (reason) => awake(() => abortAll(reason)),
    adopt: (from) =>
      awake(() => {
        adopt(ports, queue, from)
        turns.next()
        publish()
        return null
      }),
    async onAlarm() {
      try {
        await wake()
        await outbox.drain()
        arm()
      } catch (thrown) {
        if (toErrorData(thrown).code === 'not_found') return arm()
        ports.log({ name: 'alarm_failed', session: ports.id, code: nameOf(thrown) })
        ports.alarm.set(now() + LEASE_MS)
      }
    },
    idle: () =>
      handoffs.running() === null &&
      !turns.running() &&
      !forwarder.busy() &&
      joined.size === 0 &&
      !outbox.busy(),
  }
}
