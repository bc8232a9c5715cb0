import type { ErrorData, Result } from '../errors.ts'
import { BatonError } from '../errors.ts'
import type { LoggedEvent } from '../events.ts'
import type { HandoffRecord } from '../handoff/machine.ts'
import { isOpen } from '../handoff/machine.ts'
import { createEncoder } from '../faces/face.ts'
import type { Answer } from './boundary.ts'
import type { HandoffRequest, Idempotency, SessionHandle } from './handle.ts'
import type { HandoffLane } from './handoff-lane.ts'
import { forgetOld, mismatch } from './idempotency.ts'
import type { LivePorts } from './ports.ts'
import { streamEvents } from './event-stream.ts'

type HandoffCalls = Pick<
  SessionHandle,
  'handoff' | 'handoffEvents' | 'latestHandoff' | 'handoffById' | 'cancelHandoff'
>

/** The calls of a session's handle that are about its handoffs. `host.wake` may throw `not_found`; `told` is called when a handoff began. */
export function createHandoffCalls(
  ports: LivePorts,
  handoffs: HandoffLane,
  host: { readonly answer: Answer; wake(): Promise<void>; told(): void },
): HandoffCalls {
  const { journal, events } = ports

  /** The record of a new handoff, or of the one that this idempotency key began. */
  async function beginHandoff(request: HandoffRequest): Promise<HandoffRecord> {
    await host.wake()
    const known = knownHandoff(request.idempotency)
    if (known !== null) return known
    const record = handoffs.claim(request)
    host.told()
    return record
  }

  function knownHandoff(idempotency: Idempotency | null): HandoffRecord | null {
    if (idempotency === null) return null
    forgetOld(ports)
    const row = journal.idempotency('handoff', idempotency.key)
    if (row === null) return null
    if (row.fingerprint !== idempotency.fingerprint) throw mismatch()
    return row.handoffId === null ? null : journal.handoff(row.handoffId)
  }

  async function settled(record: HandoffRecord): Promise<HandoffRecord> {
    if (isOpen(record)) await handoffs.running()
    return handoffs.record(record.id)
  }

  function awake<T>(work: () => T | Promise<T>): Promise<Result<T>> {
    return host.answer(async () => {
      await host.wake()
      return work()
    })
  }

  return {
    handoff: (request, mode) =>
      host.answer(async () => {
        const begun = await beginHandoff(request)
        if (mode === 'async') return { handoff: handoffs.view(begun), error: null }
        const record = await settled(begun)
        return { handoff: handoffs.view(record), error: outcomeError(record) }
      }),
    handoffEvents: (request, face) =>
      host.answer(async () => {
        await host.wake()
        const after = events.last()
        const known = knownHandoff(request.idempotency)
        const { id } = known ?? (await beginHandoff(request))
        return streamEvents(events, {
          after: known === null ? after : 0,
          encoder: createEncoder(face),
          accepts: (event) => handoffOf(event) === id,
          ends: (event) => END.test(event.type),
          over: () => !isOpen(handoffs.record(id)),
        })
      }),
    latestHandoff: () =>
      awake(() => {
        const record = journal.latestHandoff()
        if (record !== null) return handoffs.view(record)
        throw new BatonError('no_handoff', 'This session was never handed off')
      }),
    handoffById: (id) => awake(() => handoffs.view(handoffs.record(id))),
    cancelHandoff: (reason) => awake(() => handoffs.cancel(reason)),
  }
}

const END = /^handoff_(?:completed|cancelled|failed)$/

/** The id of the handoff that an event is about. */
function handoffOf(event: LoggedEvent): string | null {
  switch (event.type) {
    case 'handoff_progress':
      return event.handoff
    case 'handoff_started':
    case 'handoff_completed':
    case 'handoff_cancelled':
    case 'handoff_failed':
      return event.handoff.id
    default:
      return null
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
    case 'generating':
      return {
        code: 'unavailable',
        detail: 'The handoff was interrupted and will be generated again',
        location: `/v1/handoffs/${record.id}`,
      }
    case 'committing':
      return {
        code: 'commit_pending',
        detail: 'The document is kept and will be committed as soon as the catalog is back',
        location: `/v1/handoffs/${record.id}`,
      }
  }
}
