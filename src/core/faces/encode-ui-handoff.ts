import type { LoggedEvent } from '../events.ts'
import type { HandoffView } from '../session/handle.ts'
import type { UiPart } from './ui-frame.ts'

/** What a person reads when a handoff has succeeded. */
const DONE = 'New session started with handoff context'

export interface HandoffParts {
  toParts(event: LoggedEvent): readonly UiPart[]
  ends(event: LoggedEvent): boolean
}

/** A handoff as an answer: one `data-handoff` part that is replaced as it goes on; its last one names the new session. */
export function createHandoffParts(): HandoffParts {
  let begun: HandoffView | null = null

  function part(handoff: HandoffView, more: object = {}): UiPart {
    const { id, session, status, focus, receivedChars, document, newSession, error } = handoff
    const child = newSession?.id ?? null
    const data = { status, session, focus, receivedChars, document, newSession: child, error }
    return { type: 'data-handoff', id, data: { ...data, ...more } }
  }

  function ended(handoff: HandoffView): readonly UiPart[] {
    const told = part(handoff)
    if (handoff.status === 'completed') {
      return [
        told,
        { type: 'text-start', id: 'handoff' },
        { type: 'text-delta', id: 'handoff', delta: DONE },
        { type: 'text-end', id: 'handoff' },
        { type: 'finish' },
      ]
    }
    if (handoff.status === 'cancelled') {
      const messageMetadata = { status: 'cancelled' } as const
      return [told, { type: 'message-metadata', messageMetadata }, { type: 'abort' }]
    }
    return [told, { type: 'error', errorText: handoff.error?.detail ?? 'Handoff failed' }]
  }

  return {
    toParts(event) {
      switch (event.type) {
        case 'handoff_started':
          begun = event.handoff
          return [{ type: 'start', messageId: event.handoff.id }, part(event.handoff)]
        case 'handoff_progress': {
          const { receivedChars, elapsedMs } = event
          return begun === null ? [] : [part(begun, { receivedChars, elapsedMs })]
        }
        case 'handoff_completed':
        case 'handoff_cancelled':
        case 'handoff_failed':
          return ended(event.handoff)
        default:
          return []
      }
    },
    ends: ({ type }) => /^handoff_(?:completed|cancelled|failed)$/.test(type),
  }
}
