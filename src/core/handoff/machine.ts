import type { ErrorData } from '../errors.ts'
import type { ThinkingLevel, Usage } from '../entry.ts'
import type { SessionConfig } from '../ports.ts'

/**
 * The life of one handoff: two unions and one pure `reduce`. No I/O, no clock, no ids: they arrive in the events.
 *
 *   generating ──document──▶ committing ──committed──▶ completed
 *        │  └──cancelled──▶ cancelled      │
 *        └─────failed─────▶ failed ◀──failed┘   (a veto is a cancellation after the document)
 */

export type HandoffTrigger = 'manual' | 'threshold' | 'incomplete' | 'idle'

/** What was asked for, fixed at the start. */
export interface HandoffInput {
  readonly focus: string | null
  readonly model: string
  readonly thinkingLevel: ThinkingLevel | null
  readonly trigger: HandoffTrigger
}

interface HandoffBase extends HandoffInput {
  readonly id: string
  readonly session: string
  readonly tenant: string
  /** ids chosen at the start, so that the commit can be repeated */
  readonly childId: string
  readonly entryId: string
  /** ms since epoch */
  readonly startedAt: number
  /** times a process began to generate it */
  readonly starts: number
  /** requests sent to the provider */
  readonly attempts: number
  readonly receivedChars: number
  readonly usage: Usage | null
  readonly warnings: readonly { readonly code: string; readonly detail: string }[]
  /** grows with every change; the catalog keeps the highest */
  readonly revision: number
}

/** A cancellation that was asked for and is durable, but not carried out yet. `given` is false without a reason. */
export interface CancelRequest {
  readonly given: boolean
  readonly reason: string | null
}

export type HandoffRecord =
  | (HandoffBase & { readonly status: 'generating'; readonly cancel: CancelRequest | null })
  | (HandoffBase & {
      readonly status: 'committing'
      readonly document: string
      readonly child: SessionConfig
      /** ms since epoch; the child's time of birth, the same in every repetition of the commit */
      readonly bornAt: number
    })
  | (HandoffBase & {
      readonly status: 'completed'
      readonly document: string
      readonly child: SessionConfig
      readonly bornAt: number
      readonly finishedAt: number
    })
  | (HandoffBase & {
      readonly status: 'cancelled' | 'failed'
      readonly document: string | null
      readonly finishedAt: number
      readonly error: ErrorData
    })

export type HandoffEvent =
  | { readonly type: 'restarted' }
  | { readonly type: 'attempted' }
  | { readonly type: 'cancel_requested'; readonly cancel: CancelRequest }
  | {
      readonly type: 'document'
      readonly document: string
      readonly usage: Usage | null
      readonly child: SessionConfig
      readonly warnings: HandoffBase['warnings']
      readonly at: number
    }
  | { readonly type: 'committed'; readonly at: number }
  | { readonly type: 'cancelled' | 'failed'; readonly at: number; readonly error: ErrorData }

/** The first state. */
export function startHandoff(
  start: HandoffInput &
    Pick<HandoffBase, 'id' | 'session' | 'tenant' | 'childId' | 'entryId' | 'startedAt'>,
): HandoffRecord {
  return {
    ...start,
    status: 'generating',
    cancel: null,
    starts: 1,
    attempts: 0,
    receivedChars: 0,
    usage: null,
    warnings: [],
    revision: 1,
  }
}

/** True while the session is taken by it. */
export function isOpen(
  record: HandoffRecord,
): record is Extract<HandoffRecord, { status: 'generating' | 'committing' }> {
  return isOpenStatus(record.status)
}

/** The same for what is known without the record. */
export function isOpenStatus(status: HandoffRecord['status']): boolean {
  return status === 'generating' || status === 'committing'
}

/**
 * The next state. An event that does not belong to a state leaves it as it is (same object): late completions,
 * second cancellations and repeated commits are all harmless.
 */
export function reduce(record: HandoffRecord, event: HandoffEvent): HandoffRecord {
  const revision = record.revision + 1
  if (record.status === 'generating') {
    switch (event.type) {
      case 'restarted':
        return { ...record, starts: record.starts + 1, receivedChars: 0, revision }
      case 'attempted':
        return { ...record, attempts: record.attempts + 1, receivedChars: 0, revision }
      case 'cancel_requested':
        return record.cancel === null ? { ...record, cancel: event.cancel, revision } : record
      case 'document': {
        if (record.cancel !== null) return record
        const { cancel: _, ...base } = record
        return {
          ...base,
          status: 'committing',
          document: event.document,
          child: event.child,
          bornAt: event.at,
          usage: event.usage,
          warnings: event.warnings,
          receivedChars: event.document.length,
          revision,
        }
      }
      case 'cancelled':
      case 'failed': {
        const { cancel: _, ...base } = record
        return {
          ...base,
          status: event.type,
          document: null,
          finishedAt: event.at,
          error: event.error,
          revision,
        }
      }
      case 'committed':
        return record
    }
  }
  if (record.status === 'committing') {
    switch (event.type) {
      case 'committed':
        return { ...record, status: 'completed', finishedAt: event.at, revision }
      case 'cancelled':
      case 'failed': {
        const { child: _child, bornAt: _bornAt, ...base } = record
        return { ...base, status: event.type, finishedAt: event.at, error: event.error, revision }
      }
      case 'restarted':
      case 'attempted':
      case 'cancel_requested':
      case 'document':
        return record
    }
  }
  return record
}
