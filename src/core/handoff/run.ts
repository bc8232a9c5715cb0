import { ask } from '../ask.ts'
import { BatonError, isBatonError, toErrorData } from '../errors.ts'
import { describeFailure } from '../failure.ts'
import type { Model } from '../providers/types.ts'
import { nextMeta, requireMeta, saveMeta, touch } from '../session/ledger.ts'
import type { LivePorts, SessionPorts } from '../session/ports.ts'
import { buildRequest, levelOf } from '../session/request.ts'
import { readAbort } from './cancel.ts'
import { extractDocument, warningsOf } from './extract-document.ts'
import { inheritConfig } from './inherit.ts'
import type { HandoffEvent, HandoffRecord } from './machine.ts'
import { isOpen, reduce } from './machine.ts'
import { createHandoffPrompt } from './prompt.ts'
import { toBirth, toHandoffView } from './view.ts'

/**
 * The order of steps of a handoff; nobody else knows it.
 *
 *   generate ─▶ record the document ─▶ hooks ─▶ commit ─▶ record the end
 *
 * Each step begins from what the journal says, so a run can be started again after a crash at any point.
 */

export interface HandoffRunPorts extends LivePorts {
  /** told when text arrived, and with 0 when it begins anew */
  onReceived(chars: number): void
}

/**
 * Brings the open handoff to its end. Resolves with its last record: an ended one, or one still `committing`
 * because the catalog is out of reach; then it is to be run again later. Rejects only when the journal does.
 */
export async function runHandoff(
  ports: HandoffRunPorts,
  id: string,
  run: { readonly model: Model | null; readonly signal: AbortSignal },
): Promise<HandoffRecord> {
  const { journal, now } = ports
  let record = requireRecord(ports, id)
  try {
    if (record.status === 'generating') record = await generate(ports, record, run)
    if (record.status === 'committing') record = await commit(ports, record)
  } catch (thrown) {
    const late = journal.handoff(id)
    if (late === null) return record
    // The journal's own storage failed: nothing can be recorded, and the record as it is will be found again.
    if (toErrorData(thrown).code === 'unavailable') throw thrown
    const end =
      run.signal.aborted && late.status === 'generating'
        ? readAbort(run.signal.reason)
        : {
            status: 'failed' as const,
            error: describeFailure(thrown, 'Handoff generation failed'),
          }
    record = apply(ports, id, { type: end.status, at: now(), error: end.error })
  }
  if (record.status === 'failed' || record.status === 'cancelled') {
    ports.log({
      name: `handoff_${record.status}`,
      session: ports.id,
      handoff: id,
      code: record.error.code,
    })
  }
  return record
}

/** Steps 1 to 4: one cache-aligned side request, and its document into the journal. */
async function generate(
  ports: HandoffRunPorts,
  record: HandoffRecord,
  { model, signal }: { readonly model: Model | null; readonly signal: AbortSignal },
): Promise<HandoffRecord> {
  signal.throwIfAborted()
  if (model === null) throw new BatonError('no_model', 'No model selected for handoff')
  const { config } = requireMeta(ports)
  const live = await buildRequest(ports, {
    model,
    thinkingLevel: levelOf(config, record.thinkingLevel),
  })
  const answer = await ask(
    {
      request: {
        ...live,
        appended: [createHandoffPrompt(record.focus)],
        toolChoice: 'none',
        sessionId: `${ports.id}:side:${ports.newId()}`,
      },
      kind: 'handoff',
      signal,
      onAttempt: () => {
        ports.onReceived(0)
        apply(ports, record.id, { type: 'attempted' })
      },
      onEvent: (event) => {
        if (event.type === 'text') ports.onReceived(event.delta.length)
      },
    },
    ports,
  )
  // The last moment at which a cancellation counts (C6): no await between this check and the record.
  signal.throwIfAborted()
  return apply(ports, record.id, {
    type: 'document',
    document: extractDocument(answer),
    usage: answer.usage,
    child: inheritConfig(requireMeta(ports).config),
    warnings: warningsOf(answer),
    at: ports.now(),
  })
}

/** Steps 5 to 7: veto, the commit point, and the old session's pointer. The document is safe in the journal all along. */
async function commit(
  ports: HandoffRunPorts,
  record: Extract<HandoffRecord, { status: 'committing' }>,
): Promise<HandoffRecord> {
  const { catalog, hooks, now, tenant, id: session } = ports
  const verdict = await hooks.sessionBeforeSwitch?.({
    reason: 'handoff',
    session,
    tenant,
    document: record.document,
  })
  if (verdict?.cancel === true) {
    const error = { code: 'switch_vetoed' as const, detail: 'Handoff cancelled' }
    return apply(ports, record.id, { type: 'cancelled', at: now(), error })
  }
  const done = reduce(record, { type: 'committed', at: now() })
  const parent = nextMeta(ports, { ...requireMeta(ports), handedOffTo: record.childId })
  try {
    await catalog.commit({ child: toBirth(record), parent, handoff: done })
  } catch (thrown) {
    if (!isBatonError(thrown) || thrown.code !== 'unavailable') throw thrown
    ports.log({ name: 'handoff_commit_waits', session, handoff: record.id, code: thrown.code })
    return record
  }
  const finished = ports.journal.transaction(() => {
    saveMeta(ports, { ...requireMeta(ports), handedOffTo: record.childId })
    // Taken now: what was removed meanwhile stays removed (S3).
    ports.journal.sendQueue(record.childId)
    ports.events.append({
      type: 'session_switch',
      reason: 'handoff',
      previousSession: session,
      session: record.childId,
    })
    return apply(ports, record.id, { type: 'committed', at: now() })
  })
  await tellSwitch(ports, record.childId)
  return finished
}

/** A hook that throws here is too late to change anything. */
async function tellSwitch(ports: HandoffRunPorts, child: string): Promise<void> {
  try {
    await ports.hooks.sessionSwitch?.({
      reason: 'handoff',
      previousSession: ports.id,
      session: child,
      tenant: ports.tenant,
    })
  } catch (thrown) {
    ports.log({
      name: 'hook_failed',
      hook: 'sessionSwitch',
      session: ports.id,
      code: toErrorData(thrown).code,
    })
  }
}

/** Moves the record on and writes it; an event that no longer fits changes nothing. */
export function apply(
  ports: Pick<HandoffRunPorts, 'journal' | 'events'>,
  id: string,
  event: HandoffEvent,
): HandoffRecord {
  const before = requireRecord(ports, id)
  const after = reduce(before, event)
  if (after === before) return before
  ports.journal.transaction(() => {
    ports.journal.putHandoff(after)
    ports.journal.enqueue({ kind: 'handoff', id })
    tellChange(ports, before, after)
    if (!isOpen(after)) touch(ports)
  })
  return after
}

/** What the session's readers hear: hooks are about to decide, or how it ended. */
function tellChange(
  { events }: Pick<HandoffRunPorts, 'events'>,
  before: HandoffRecord,
  after: HandoffRecord,
): void {
  if (before.status === 'generating' && after.status === 'committing') {
    const { id, session } = after
    events.append({ type: 'session_before_switch', reason: 'handoff', session, handoff: id })
  }
  if (isOpen(after)) return
  events.append({ type: `handoff_${after.status}`, handoff: toHandoffView(after) })
}

/** The record of a handoff of this session. Throws `not_found`. */
export function requireRecord(
  { journal }: Pick<SessionPorts, 'journal'>,
  id: string,
): HandoffRecord {
  const record = journal.handoff(id)
  if (record === null) throw new BatonError('not_found', 'There is no such handoff')
  return record
}
