import type { HandoffView } from '../session/handle.ts'
import { newSessionMeta, toIso, toSessionView } from '../session/view.ts'
import type { Birth } from '../ports.ts'
import { wrapDocument } from './frame.ts'
import type { HandoffRecord } from './machine.ts'

type Committed = Extract<HandoffRecord, { status: 'committing' | 'completed' }>

/** The child that a handoff gives birth to: row and first entry. The same for every repetition of the commit. */
export function toBirth(record: Committed): Birth {
  const meta = newSessionMeta({
    id: record.childId,
    tenant: record.tenant,
    config: record.child,
    parentSession: record.session,
    createdAt: record.bornAt,
  })
  return {
    meta: { ...meta, leafId: record.entryId },
    entries: [
      {
        type: 'custom_message',
        id: record.entryId,
        parentId: null,
        timestamp: toIso(record.bornAt),
        customType: 'handoff',
        content: wrapDocument(record.document),
        display: true,
        attribution: 'agent',
      },
    ],
  }
}

/** The Handoff object of the HTTP contract. `receivedChars` of a live run is newer than its record. */
export function toHandoffView(
  record: HandoffRecord,
  liveChars = record.receivedChars,
): HandoffView {
  const ended = record.status !== 'generating' && record.status !== 'committing'
  return {
    id: record.id,
    session: record.session,
    status: record.status,
    trigger: record.trigger,
    focus: record.focus,
    model: record.model,
    startedAt: toIso(record.startedAt),
    finishedAt: ended ? toIso(record.finishedAt) : null,
    document: record.status === 'generating' ? null : record.document,
    newSession: record.status === 'completed' ? toSessionView(toBirth(record).meta, 'idle') : null,
    savedPath: null,
    attempts: Math.max(1, record.attempts),
    receivedChars: liveChars,
    usage:
      record.usage === null
        ? null
        : {
            ...record.usage,
            reasoning: record.usage.reasoning ?? null,
            cost: record.usage.cost ?? null,
          },
    warnings: record.warnings,
    error:
      record.status === 'cancelled' || record.status === 'failed'
        ? { code: record.error.code, detail: record.error.detail }
        : null,
  }
}
