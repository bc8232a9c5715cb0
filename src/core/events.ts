import type { Message } from './entry.ts'
import type { HandoffView, QueueItemView } from './session/handle.ts'

/**
 * What is told of a session, numbered by `seq` in the order it happened. The log stores these; HTTP faces are encoders
 * over them. Of every turn: one `turn_started`, pairs of `message_start` and `message_end` for each message that it
 * adds (deltas come in between, of the assistant's only), one `turn_ended` and nothing after it.
 */

/** How a turn ended. */
export type TurnStatus = 'completed' | 'cancelled' | 'failed' | 'interrupted'

export type SessionEvent =
  | {
      readonly type: 'turn_started'
      readonly turn: string
      readonly session: string
      /** id of the entry that begins the answer: the first assistant message since the user spoke, which may be an earlier turn's */
      readonly answer: string
    }
  | {
      readonly type: 'message_start'
      readonly turn: string
      /** the id that the entry will have */
      readonly entry: string
      readonly role: Message['role']
    }
  | {
      readonly type: 'text_delta' | 'thinking_delta'
      readonly turn: string
      readonly entry: string
      readonly delta: string
    }
  | {
      readonly type: 'toolcall_delta'
      readonly turn: string
      readonly entry: string
      /** ordinal of the call within its message */
      readonly index: number
      /** empty as long as the provider has not told it; then they may be told by `message_end` only */
      readonly id: string
      readonly name: string
      /** the next piece of the arguments' JSON */
      readonly delta: string
    }
  | {
      readonly type: 'message_end'
      readonly turn: string
      readonly entry: string
      /** the whole message as it is stored: it counts where the deltas told something else */
      readonly message: Message
    }
  | {
      readonly type: 'turn_ended'
      readonly turn: string
      readonly session: string
      readonly status: TurnStatus
      /** why a turn failed */
      readonly error?: { readonly code: string; readonly detail: string }
    }
  | {
      readonly type: 'entry_appended'
      readonly entry: {
        readonly id: string
        readonly seq: number
        readonly parentId: string | null
        readonly type: string
      }
    }
  | { readonly type: 'queue_changed'; readonly items: readonly QueueItemView[] }
  | { readonly type: 'handoff_started'; readonly handoff: HandoffView }
  | {
      readonly type: 'handoff_progress'
      readonly handoff: string
      readonly receivedChars: number
      readonly elapsedMs: number
    }
  | {
      readonly type: 'handoff_completed' | 'handoff_cancelled' | 'handoff_failed'
      readonly handoff: HandoffView
    }
  | {
      readonly type: 'session_before_switch'
      readonly reason: 'handoff'
      readonly session: string
      readonly handoff: string
    }
  | {
      readonly type: 'session_switch'
      readonly reason: 'handoff'
      readonly previousSession: string
      readonly session: string
    }

/** An event in its place; strictly increasing within a session. */
export type LoggedEvent = SessionEvent & { readonly seq: number }

/** Events → the text of one face's stream. Has state: one for each stream, fed in order from the operation's first event. */
export interface EventEncoder {
  /** the text to send, empty when this face does not tell the event */
  encode(event: LoggedEvent): string
  /** a comment that keeps a quiet connection open */
  readonly heartbeat: string
}
