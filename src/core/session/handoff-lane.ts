import { toAbortReason } from '../handoff/cancel.ts'
import type { HandoffRecord } from '../handoff/machine.ts'
import { isOpenStatus, startHandoff } from '../handoff/machine.ts'
import { apply, requireRecord, runHandoff } from '../handoff/run.ts'
import { toHandoffView } from '../handoff/view.ts'
import { BatonError, toErrorData } from '../errors.ts'
import type { Model } from '../providers/types.ts'
import { countMessages, walkBranch } from './context.ts'
import type { HandoffRequest, HandoffView } from './handle.ts'
import { requireMeta, touch } from './ledger.ts'
import type { LivePorts } from './ports.ts'
import { levelOf, modelName, requireKnownModel, requireModel } from './request.ts'

/** A handoff that was begun this often without ending was interrupted for good. */
const MAX_STARTS = 3
/** Milliseconds between two progress events. */
const PROGRESS_MS = 250
const FIRST_COMMIT_WAIT_MS = 500
const LONGEST_COMMIT_WAIT_MS = 30_000

type OpenHandoff = Extract<HandoffRecord, { status: 'generating' | 'committing' }>

/** The handoffs of one live session: at most one is open, and an open one has at most one run. */
export interface HandoffLane {
  /** every guard, then the record and its lease, in one step without an await (G1, G3, G4, G7, G8, G10) */
  claim(request: HandoffRequest): HandoffRecord
  /** Gives an open handoff without a run its run again, or its end. */
  recover(): void
  open(): OpenHandoff | null
  /** the run in progress; resolves with the record it ended on, never rejects */
  running(): Promise<HandoffRecord> | null
  /** when an open handoff without a run is to be looked at; null when there is none */
  nextTry(): number | null
  cancel(reason: string | null): Promise<{ cancelled: boolean; handoff?: HandoffView }>
  /** aborts the run if there is one */
  abort(reason: string): void
  record(id: string): HandoffRecord
  view(record: HandoffRecord): HandoffView
}

interface Run {
  readonly id: string
  readonly startedAt: number
  readonly controller: AbortController
  readonly done: Promise<HandoffRecord>
  received: number
}

/** `changed` is called inside the transaction that began a run, and after one ended. */
export function createHandoffLane(
  ports: LivePorts,
  host: { turnRunning(): boolean; changed(): void; ended(): void },
): HandoffLane {
  const { journal, events, now, newId } = ports
  let run: Run | null = null
  let commitFailures = 0
  let commitAt = 0
  let toldAt = 0

  const runPorts = {
    ...ports,
    onReceived(chars: number) {
      if (run === null) return
      run.received = chars === 0 ? 0 : run.received + chars
      if (now() - toldAt < PROGRESS_MS) return
      toldAt = now()
      const elapsedMs = toldAt - run.startedAt
      const { id, received } = run
      events.append({ type: 'handoff_progress', handoff: id, receivedChars: received, elapsedMs })
    },
  }

  function open(): OpenHandoff | null {
    const head = journal.handoffHead()
    if (head === null || !isOpenStatus(head.status)) return null
    return requireRecord(ports, head.id) as OpenHandoff
  }

  function view(record: HandoffRecord): HandoffView {
    return toHandoffView(record, run?.id === record.id ? run.received : record.receivedChars)
  }

  /** Begins the run of an open handoff; nothing of it happens before this call has returned. */
  function launch(of: HandoffRecord, model: Model | null, aborted?: { reason: unknown }): void {
    const controller = new AbortController()
    if (aborted !== undefined) controller.abort(aborted.reason)
    const done = Promise.resolve()
      .then(() => runHandoff(runPorts, of.id, { model, signal: controller.signal }))
      .then((last) => {
        run = null
        commitFailures = last.status === 'committing' ? commitFailures + 1 : 0
        commitAt =
          now() + Math.min(FIRST_COMMIT_WAIT_MS * 2 ** commitFailures, LONGEST_COMMIT_WAIT_MS)
        host.ended()
        return last
      })
      .catch((thrown: unknown) => {
        // Only the journal itself can fail here; the record stays as it is for the next start to find.
        run = null
        ports.log({ name: 'handoff_lost', session: ports.id, code: toErrorData(thrown).code })
        return of
      })
    run = { id: of.id, startedAt: of.startedAt, controller, done, received: 0 }
    host.changed()
    ports.keepAlive(done)
  }

  function recover(): void {
    const left = open()
    if (left === null || run !== null) return
    if (left.status === 'committing') {
      if (now() >= commitAt) launch(left, null)
    } else if (left.cancel !== null) {
      launch(left, null, { reason: toAbortReason(left.cancel) })
    } else if (left.starts >= MAX_STARTS) {
      const error = { code: 'unavailable' as const, detail: 'Handoff generation was interrupted' }
      apply(runPorts, left.id, { type: 'failed', at: now(), error })
      host.ended()
    } else {
      launch(apply(runPorts, left.id, { type: 'restarted' }), ports.resolveModel(left.model))
    }
  }

  function claim(request: HandoffRequest): HandoffRecord {
    const meta = requireMeta(ports)
    requireKnownModel(ports, request.model)
    if (host.turnRunning()) {
      throw new BatonError(
        'session_busy',
        'Wait for the current response to finish or abort it before handing off.',
      )
    }
    if (open() !== null) {
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
    const model = requireModel(ports, request.model ?? meta.config.model, 'handoff')
    const started = startHandoff({
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
    journal.transaction(() => {
      journal.putHandoff(started)
      journal.enqueue({ kind: 'handoff', id: started.id })
      events.append({ type: 'handoff_started', handoff: view(started) })
      touch(ports)
      if (request.idempotency !== null) {
        journal.putIdempotency({
          route: 'handoff',
          ...request.idempotency,
          handoffId: started.id,
          answer: null,
          createdAt: now(),
        })
      }
      launch(started, model)
    })
    return started
  }

  async function cancel(
    reason: string | null,
  ): Promise<{ cancelled: boolean; handoff?: HandoffView }> {
    const left = open()
    if (left?.status === 'committing') throw committing()
    const live = run
    if (left === null || live === null) return { cancelled: false }
    const request = { given: reason !== null, reason }
    // Durable before it is carried out: a crash in between must not revive the run.
    apply(runPorts, left.id, { type: 'cancel_requested', cancel: request })
    live.controller.abort(toAbortReason(request))
    return { cancelled: true, handoff: view(await live.done) }
  }

  return {
    claim,
    recover,
    open,
    running: () => run?.done ?? null,
    nextTry: () => (run === null && open() !== null ? commitAt : null),
    cancel,
    abort: (reason) => run?.controller.abort(toAbortReason({ given: true, reason })),
    record: (id) => requireRecord(ports, id),
    view,
  }
}

/** What a caller gets who wants to stop a handoff whose document is already safe. */
export function committing(): BatonError {
  return new BatonError(
    'handoff_committing',
    'The handoff is already being committed and will complete',
  )
}
