/**
 * Frames of the AI SDK's UI message stream. Only parts and keys that ai 5.0.60, 6.0.200 and every later release accept:
 * the strict releases refuse any other key and type (measured with those, 5.0.277, 6.0.326 and 7.0.173).
 */
export type UiPart =
  | { readonly type: 'start'; readonly messageId: string; readonly messageMetadata?: UiMetadata }
  | { readonly type: 'start-step' | 'finish-step' | 'finish' | 'abort' }
  | {
      readonly type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end'
      readonly id: string
    }
  | {
      readonly type: 'text-delta' | 'reasoning-delta'
      readonly id: string
      readonly delta: string
    }
  | {
      readonly type: 'tool-input-start'
      readonly toolCallId: string
      readonly toolName: string
    }
  | {
      readonly type: 'tool-input-delta'
      readonly toolCallId: string
      readonly inputTextDelta: string
    }
  | {
      readonly type: 'tool-input-available'
      readonly toolCallId: string
      readonly toolName: string
      readonly input: unknown
    }
  | {
      readonly type: 'tool-input-error'
      readonly toolCallId: string
      readonly toolName: string
      readonly input: unknown
      readonly errorText: string
    }
  | {
      readonly type: 'tool-output-available'
      readonly toolCallId: string
      readonly output: unknown
    }
  | {
      readonly type: 'tool-output-error'
      readonly toolCallId: string
      readonly errorText: string
    }
  | { readonly type: 'data-handoff'; readonly id: string; readonly data: unknown }
  | { readonly type: 'message-metadata'; readonly messageMetadata: UiMetadata }
  | { readonly type: 'error'; readonly errorText: string }

/** What a message says of its turn: where it ran, and how it ended when that was not its regular end. */
export interface UiMetadata {
  readonly session?: string
  readonly turn?: string
  readonly status?: 'cancelled'
}

/** `type` stands first and there are no spaces: readers look for `"type":"finish"` in the bytes. */
export function uiFrame(part: UiPart): string {
  const { type, ...rest } = part
  return `data: ${JSON.stringify({ type, ...rest })}\n\n`
}

/** After the one terminal part; assistant-stream fails without it. */
export const UI_DONE = 'data: [DONE]\n\n'

/** The end of a stream whose session could not be heard any more. */
export const UI_LOST =
  uiFrame({ type: 'error', errorText: 'The connection to the session was lost; reload to go on' }) +
  UI_DONE
