import { toAbortReason } from '../handoff/cancel.ts'
import { apply, runHandoff } from '../handoff/run.ts'
import type { HandoffRecord } from '../handoff/machine.ts'
import { isOpen, startHandoff } from '../handoff/machine.ts'
import type { HandoffNews } from '../handoff/stream.ts'
import { streamHandoff } from '../handoff/stream.ts'
import { toHandoffView } from '../handoff/view.ts'
import type { Message, StoredEntry } from '../entry.ts'
import type { ErrorData, Result } from '../errors.ts'
import { BatonError, toErrorData } from '../errors.ts'
import type { Context, Model } from '../providers/types.ts'
import type { SessionConfig, SessionMeta } from '../ports.ts'
import { countMessages, walkBranch } from './context.ts'
import { answerOnce, forgetOld } from './idempotency.ts'
import { createBirthplace } from './birth.ts'
import { readFile } from './import.ts'
import { exportStream } from './export.ts'
import { appendEntries, changeEntries, requireMeta, saveMeta } from './ledger.ts'
import type {
  CreateInput,
  HandoffRequest,
  HandoffView,
  Idempotency,
  ImportReport,
  SessionHandle,
  SessionView,
  TurnMoved,
  TurnOutcome,
  TurnRequest,
} from './handle.ts'
import { createOutbox } from './outbox.ts'
import type { SessionPorts } from './ports.ts'
import { levelOf, modelName, readContext, requireModel } from './request.ts'
import { runTurn, settleTurn } from './turn.ts'
import { toSessionView } from './view.ts'

/** Milliseconds until the alarm looks whether a claimed run is still alive; below the 70 s after which an idle object may go. */
const LEASE_MS = 30_000
/** A handoff that was begun this often without ending was interrupted for good. */
const MAX_STARTS = 3
/** Milliseconds between two progress events. */
const PROGRESS_MS = 250

export interface LiveSession extends SessionHandle {
  /** Recovers what a crash left, tells the catalog what it missed, and arms itself again. Never rejects. */
  onAlarm(): Promise<void>
  /** nothing runs and nobody waits: the object may be dropped */
  idle(): boolean
}

interface LiveHandoff {
  readonly id: string
  readonly controller: AbortController
  readonly done: Promise<HandoffRecord>
  received: number
}

/**
 * One live session: what may run now, abort, recovery. Every guard and the record it protects are one
 * synchronous step; what a crash interrupts is found in the journal by the next call or the alarm.
 */
export function createSession(ports: SessionPorts): LiveSession {
  const { journal, catalog, now, newId } = ports
  const birthplace = createBirthplace(ports)
  const outbox = createOutbox(ports, arm)
  const listeners = new Set<(news: HandoffNews) => void>()
  const running = new Map<string, Promise<unknown>>()
  let handoff: LiveHandoff | null = null
  let turn: { readonly id: string; readonly controller: AbortController; readonly done: Promise<unknown> } | null = null
  let line: Promise<void> = Promise.resolve()
  let waiting = 0
  let commitFailures = 0
  let commitAt = 0
  let toldAt = 0

  // ── what is going on ────────────────────────────────────────────────────────────────────────────────────────

  function status(): SessionView['status'] {
    if (openHandoff() !== null) return 'handing_off'
    return turn === null ? 'idle' : 'running'
  }

  function openHandoff(): Extract<HandoffRecord, { status: 'generating' | 'committing' }> | null {
    const latest = journal.latestHandoff()
    return latest !== null && isOpen(latest) ? latest : null
  }

  function view(meta: SessionMeta = requireMeta(ports)): SessionView {
    return toSessionView(meta, status())
  }

  function viewHandoff(record: HandoffRecord): HandoffView {
    return toHandoffView(record, handoff?.id === record.id ? handoff.received : record.receivedChars)
  }

  /** The next time the alarm has something to look at; called inside the transaction that changed it. */
  function arm(): void {
    const open = journal.meta() === null ? null : openHandoff()
    const times = [
      open === null && turn === null ? null : now() + LEASE_MS,
      open !== null && handoff === null ? commitAt : null,
      outbox.nextTry(),
    ].filter((time) => time !== null)
    ports.alarm.set(times.length === 0 ? null : Math.min(...times))
  }

  /** Makes the session present in this process: born, and rid of what a crash left. */
  async function wake(): Promise<void> {
    await birthplace.ensure()
    recover()
  }

  function recover(): void {
    const open = openHandoff()
    if (open !== null && handoff === null) {
      if (open.status === 'committing') {
        if (now() >= commitAt) launch(open.id, null)
      }
      else if (open.cancel !== null) launch(open.id, null, toAbortReason(open.cancel), true)
      else if (open.starts >= MAX_STARTS) {
        const error = { code: 'unavailable' as const, detail: 'Handoff generation was interrupted' }
        apply(runPorts, open.id, { type: 'failed', at: now(), error })
        arm()
      } else {
        apply(runPorts, open.id, { type: 'restarted' })
        launch(open.id, ports.resolveModel(open.model))
      }
    }
    if (turn === null && journal.turn() !== null) journal.putTurn(null)
  }

  // ── handoff ─────────────────────────────────────────────────────────────────────────────────────────────────

  const runPorts = {
    ...ports,
    onChange: (record: HandoffRecord): void => {
      if (!isOpen(record)) tell({ type: 'ended', handoff: viewHandoff(record) })
    },
    onReceived: (chars: number): void => {
      if (handoff === null) return
      handoff.received = chars === 0 ? 0 : handoff.received + chars
      if (now() - toldAt < PROGRESS_MS) return
      toldAt = now()
      const startedAt = journal.handoff(handoff.id)?.startedAt ?? now()
      tell({ type: 'progress', receivedChars: handoff.received, elapsedMs: now() - startedAt })
    },
  }

  function tell(news: HandoffNews): void {
    for (const listener of listeners) listener(news)
  }

  /** Begins or resumes the run of an open handoff. Synchronous up to the run's first await. */
  function launch(id: string, model: Model | null, reason?: unknown, aborted = false): LiveHandoff {
    const controller = new AbortController()
    if (aborted) controller.abort(reason)
    const done = Promise.resolve()
      .then(() => runHandoff(runPorts, id, { model, signal: controller.signal }))
      .then((record) => {
        handoff = null
        commitFailures = record.status === 'committing' ? commitFailures + 1 : 0
        commitAt = now() + Math.min(500 * 2 ** commitFailures, LEASE_MS)
        arm()
        outbox.drain()
        return record
      })
    handoff = { id, controller, done, received: 0 }
    arm()
    ports.keepAlive(done)
    return handoff
  }

  /** Every guard, then the record and its lease, in one step without an await (G1, G3, G4, G7, G8, G10). */
  function claimHandoff(request: HandoffRequest): LiveHandoff {
    const meta = requireMeta(ports)
    if (turn !== null) {
      throw new BatonError('session_busy', 'Wait for the current response to finish or abort it before handing off.')
    }
    if (openHandoff() !== null) {
      throw new BatonError('handoff_in_progress', 'Handoff generation is already in progress.')
    }
    if (meta.config.mode === 'vibe') {
      throw new BatonError(
        'vibe_mode',
        'Cannot handoff to a new session while vibe mode is active. Exit vibe mode first.',
      )
    }
    if (countMessages(walkBranch(journal.spine(), meta.leafId)) < 2) {
      throw new BatonError('nothing_to_hand_off', 'Nothing to hand off (no messages yet)')
    }
    const model = requireModel(ports, request.model ?? meta.config.model)
    return journal.transaction(() => {
      const record = startHandoff({
        id: newId(),
        session: ports.id,
        tenant: ports.tenant,
        childId: newId(),
        entryId: newId(),
        startedAt: now(),
        focus: request.focus,
        model: modelName(model),
        thinkingLevel: levelOf(meta.config, request.thinkingLevel),
        trigger: 'manual',
      })
      journal.putHandoff(record)
      journal.enqueue({ kind: 'handoff', record })
      if (request.idempotency !== null) {
        const { key, fingerprint } = request.idempotency
        journal.putIdempotency({ route: 'handoff', key, fingerprint, handoffId: record.id, answer: null, createdAt: now() })
      }
      return launch(record.id, model)
    })
  }

  /** The record of a new handoff, or of the one that this idempotency key began. */
  async function beginHandoff(request: HandoffRequest): Promise<HandoffRecord> {
    await wake()
    const known = knownHandoff(request.idempotency)
    if (known !== null) return known
    const { id } = claimHandoff(request)
    const drained = outbox.drain()
    ports.keepAlive(drained)
    return requireHandoff(id)
  }

  function knownHandoff(idempotency: Idempotency | null): HandoffRecord | null {
    if (idempotency === null) return null
    forgetOld(ports)
    const row = journal.idempotency('handoff', idempotency.key)
    if (row === null) return null
    if (row.fingerprint !== idempotency.fingerprint) throw mismatch()
    return row.handoffId === null ? null : journal.handoff(row.handoffId)
  }

  function requireHandoff(id: string): HandoffRecord {
    const record = journal.handoff(id)
    if (record === null) throw new BatonError('not_found', 'There is no such handoff')
    return record
  }

  async function settledHandoff(record: HandoffRecord): Promise<HandoffRecord> {
    if (!isOpen(record)) return record
    return handoff?.id === record.id ? handoff.done : requireHandoff(record.id)
  }

  function subscribe(record: HandoffRecord, listener: (news: HandoffNews) => void): () => void {
    const latest = requireHandoff(record.id)
    if (!isOpen(latest)) {
      listener({ type: 'ended', handoff: viewHandoff(latest) })
      return () => undefined
    }
    const own = (news: HandoffNews): void => {
      if (news.type === 'progress' || news.handoff.id === record.id) listener(news)
    }
    listeners.add(own)
    return () => listeners.delete(own)
  }

  // ── turns ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** Strictly first come, first served: only the head of the line looks at what runs. */
  async function takeTurn(request: TurnRequest): Promise<TurnOutcome | TurnMoved> {
    await wake()
    if (request.whenBusy === 'reject' && (status() !== 'idle' || waiting > 0)) throw busy()
    const before = line
    let leave = (): void => undefined
    line = new Promise((resolve) => {
      leave = resolve
    })
    waiting += 1
    try {
      await before
      const moved = await free()
      if (moved !== null) return { movedTo: moved }
      return await startTurn(request)
    } finally {
      waiting -= 1
      leave()
    }
  }

  /** Waits until nothing runs. The child's id when a handoff that was waited for succeeded. */
  async function free(): Promise<string | null> {
    for (;;) {
      const live = handoff
      if (live !== null) {
        const record = await live.done
        if (record.status === 'completed') return record.childId
      } else if (openHandoff() !== null) {
        await new Promise((resolve) => setTimeout(resolve, 250))
        await wake()
      } else if (turn !== null) await turn.done
      else return null
    }
  }

  /** Claim → user message durable → provider, with no await between the claim and the message. */
  function startTurn(request: TurnRequest): Promise<TurnOutcome> {
    const { config } = requireMeta(ports)
    const model = requireModel(ports, config.model)
    const asked = (Array.isArray(request.message) ? request.message : [request.message]) as readonly Message[]
    const id = newId()
    const controller = new AbortController()
    journal.transaction(() => {
      journal.putTurn({ id, startedAt: now() })
      appendEntries(ports, asked.map((message) => ({ type: 'message', message })))
    })
    const done = runTurn(ports, { id, model, asked }, controller.signal).then((outcome) => {
      settleTurn(ports, outcome)
      turn = null
      arm()
      outbox.drain()
      return outcome
    })
    turn = { id, controller, done }
    arm()
    ports.keepAlive(done)
    return done
  }

  function requireIdle(): void {
    if (status() !== 'idle') throw busy()
  }

  function busy(): BatonError {
    const what = status() === 'handing_off' ? 'A handoff is running' : 'A turn is running'
    return new BatonError('session_busy', `${what} in this session; wait until it has ended`)
  }

  // ── the rest of the handle ──────────────────────────────────────────────────────────────────────────────────

  function update(patch: Partial<SessionConfig>): SessionView {
    const saved = journal.transaction(() => {
      const { config } = requireMeta(ports)
      const next = { ...config, ...patch }
      appendEntries(ports, changeEntries(config, next))
      return saveMeta(ports, { ...requireMeta(ports), config: next })
    })
    arm()
    outbox.drain()
    return view(saved)
  }

  function append(messages: readonly Message[]): { readonly entries: readonly StoredEntry[] } {
    requireIdle()
    const entries = appendEntries(ports, messages.map((message) => ({ type: 'message', message })))
    arm()
    outbox.drain()
    return { entries }
  }

  async function destroy(): Promise<null> {
    await wake()
    const open = openHandoff()
    if (open?.status === 'committing') throw committing()
    journal.transaction(() => {
      journal.putMeta({ ...requireMeta(ports), state: 'deleted' })
      ports.alarm.set(now() + LEASE_MS)
    })
    handoff?.controller.abort(toAbortReason({ given: true, reason: 'Session deleted' }))
    turn?.controller.abort(new Error('Session deleted'))
    await Promise.allSettled([handoff?.done, turn?.done, outbox.settled()])
    await birthplace.remove()
    return null
  }

  async function cancel(reason: string | null): Promise<{ readonly cancelled: boolean; readonly handoff?: HandoffView }> {
    await wake()
    const open = openHandoff()
    if (open?.status === 'committing') throw committing()
    if (open === null || handoff === null) return { cancelled: false }
    const request = { given: reason !== null, reason }
    const live = handoff
    // Durable before it is carried out: a crash in between must not revive the run.
    apply(runPorts, open.id, { type: 'cancel_requested', cancel: request })
    live.controller.abort(toAbortReason(request))
    return { cancelled: true, handoff: viewHandoff(await live.done) }
  }

  function committing(): BatonError {
    return new BatonError('handoff_committing', 'The handoff is already being committed and will complete')
  }

  function page(range: { readonly after: number; readonly limit: number }): {
    readonly items: readonly StoredEntry[]
    readonly nextCursor: string | null
  } {
    const found = journal.entries({ after: range.after, limit: range.limit + 1 })
    const items = found.slice(0, range.limit)
    return { items, nextCursor: found.length > items.length ? String(items.at(-1)?.seq) : null }
  }

  async function answer<T>(work: () => T | Promise<T>): Promise<Result<T>> {
    try {
      return { ok: true, value: await work() }
    } catch (thrown) {
      const error = toErrorData(thrown)
      if (error.code === 'internal') ports.log({ name: 'internal_error', session: ports.id, code: nameOf(thrown) })
      return { ok: false, error }
    }
  }

  function awake<T>(work: () => T | Promise<T>): Promise<Result<T>> {
    return answer(async () => {
      await wake()
      return work()
    })
  }

  return {
    create: (input: CreateInput) =>
      answer(() =>
        answerOnce(ports, running, { route: 'create', idempotency: input.idempotency }, async () => {
          await birthplace.create(input)
          arm()
          await outbox.drain()
          return view()
        }),
      ),
    importFile: (file, options) =>
      answer(() =>
        answerOnce<ImportReport>(ports, running, { route: 'import', idempotency: options.idempotency }, async () => {
          const report = await readFile(ports, birthplace, file, options.maxBytes)
          arm()
          await outbox.drain()
          return { ...report, session: view() }
        }),
      ),
    exportFile: () => awake(() => exportStream(ports)),
    view: () => awake(() => view()),
    update: (patch) => awake(() => update(patch)),
    destroy: () => answer(destroy),
    entries: (range) => awake(() => page(range)),
    append: (messages, idempotency) =>
      awake(() => answerOnce(ports, running, { route: 'entries', idempotency }, () => append(messages))),
    context: () => awake((): Context => {
      requireMeta(ports)
      return readContext(ports)
    }),
    turn: (request) =>
      awake(() =>
        answerOnce(ports, running, { route: 'turns', idempotency: request.idempotency }, () => takeTurn(request)),
      ),
    handoff: (request, mode) =>
      answer(async () => {
        const begun = await beginHandoff(request)
        if (mode === 'async') return { handoff: viewHandoff(begun), error: null }
        const record = await settledHandoff(begun)
        return { handoff: viewHandoff(record), error: outcomeError(record) }
      }),
    handoffEvents: (request) =>
      answer(async () => {
        const record = await beginHandoff(request)
        return streamHandoff(viewHandoff(record), () => journal.nextEvent(), (listener) => subscribe(record, listener))
      }),
    latestHandoff: () =>
      awake(() => {
        const record = journal.latestHandoff()
        if (record === null) throw new BatonError('no_handoff', 'This session was never handed off')
        return viewHandoff(record)
      }),
    handoffById: (id) => awake(() => viewHandoff(requireHandoff(id))),
    cancelHandoff: (reason) => answer(() => cancel(reason)),
    async onAlarm() {
      try {
        await wake()
      } catch (thrown) {
        if (toErrorData(thrown).code !== 'not_found') {
          ports.log({ name: 'alarm_failed', session: ports.id, code: nameOf(thrown) })
          ports.alarm.set(now() + LEASE_MS)
        }
        return
      }
      await outbox.drain()
      arm()
    },
    idle: () => handoff === null && turn === null && waiting === 0 && running.size === 0 && !outbox.busy(),
  }
}

/** Why a handoff did not succeed, for a caller who waited for it; null when it did. */
function outcomeError(record: HandoffRecord): ErrorData | null {
  switch (record.status) {
    case 'completed':
      return null
    case 'cancelled':
    case 'failed':
      return record.error
    case 'committing':
    case 'generating':
      return {
        code: 'commit_pending',
        detail: 'The document is kept and will be committed as soon as the catalog is back',
        location: `/v1/handoffs/${record.id}`,
      }
  }
}

function mismatch(): BatonError {
  return new BatonError('idempotency_mismatch', 'This Idempotency-Key was used with another request')
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : typeof thrown
}
