import type { AssistantMessage, Message, ToolResultMessage } from '../entry.ts'
import type { EventEncoder, LoggedEvent, SessionEvent } from '../events.ts'
import { HEARTBEAT } from '../sse.ts'
import { createHandoffParts } from './encode-ui-handoff.ts'
import { resultText, toolOutput } from './tool-output.ts'
import { createUiCalls } from './ui-calls.ts'
import type { UiPart } from './ui-frame.ts'
import { UI_DONE, uiFrame } from './ui-frame.ts'

type Delta = Extract<SessionEvent, { type: 'text_delta' | 'thinking_delta' }>

/**
 * A turn as the AI SDK's UI message stream: one answer with a step for each message of the model. What was begun is
 * always ended before the one terminal part.
 */
export function createUiEncoder(): EventEncoder {
  let open: { readonly kind: 'text' | 'reasoning'; readonly id: string } | null = null
  let parts = 0
  /** of the message of the model that is told now */
  let step: { told: boolean } | null = null
  let answering = false
  const calls = createUiCalls()
  const handoff = createHandoffParts()

  function close(): readonly UiPart[] {
    if (open === null) return []
    const { kind, id } = open
    open = null
    return [{ type: `${kind}-end`, id }]
  }

  function say(kind: 'text' | 'reasoning', delta: string): readonly UiPart[] {
    if (delta === '') return []
    if (step !== null) step.told = true
    const before = open?.kind === kind ? [] : close()
    const started: readonly UiPart[] =
      open === null ? [{ type: `${kind}-start`, id: `part-${(parts += 1)}` }] : []
    open ??= { kind, id: `part-${parts}` }
    return [...before, ...started, { type: `${kind}-delta`, id: open.id, delta }]
  }

  function hear({ type, delta }: Delta): readonly UiPart[] {
    return say(type === 'text_delta' ? 'text' : 'reasoning', delta)
  }

  function begin(): readonly UiPart[] {
    if (step !== null) return []
    step = { told: false }
    answering = true
    calls.clear()
    return [{ type: 'start-step' }]
  }

  /** Ends a message of the model. What was told of it counts; one that was never told is told whole. */
  function end(message: AssistantMessage): readonly UiPart[] {
    const begun = begin()
    const told = step?.told === true ? [] : message.content.flatMap(whole)
    const asked = message.content.filter((block) => block.type === 'toolCall')
    const ended = [...begun, ...told, ...close(), ...calls.end(asked)]
    step = null
    return [...ended, { type: 'finish-step' }]
  }

  function whole(block: AssistantMessage['content'][number]): readonly UiPart[] {
    if (block.type === 'text') return say('text', block.text)
    return block.type === 'thinking' ? say('reasoning', block.thinking) : []
  }

  function told(message: Message): readonly UiPart[] {
    if (message.role === 'assistant') return end(message)
    // What the client itself said before the answer is there already.
    return message.role === 'toolResult' && answering ? [result(message)] : []
  }

  function terminal(event: Extract<LoggedEvent, { type: 'turn_ended' }>): readonly UiPart[] {
    const before = [...close(), ...calls.end([]), ...(step === null ? [] : [FINISH_STEP])]
    switch (event.status) {
      case 'completed':
        return [...before, { type: 'finish' }]
      case 'cancelled':
        return [...before, CANCELLED, { type: 'abort' }]
      case 'failed':
        return [...before, failed(event.error?.detail ?? 'The turn failed')]
      case 'interrupted':
        return [...before, failed('The answer was interrupted; ask for it again')]
    }
  }

  function toParts(event: LoggedEvent): readonly UiPart[] {
    switch (event.type) {
      case 'turn_started': {
        const { turn, session, answer } = event
        return [{ type: 'start', messageId: answer, messageMetadata: { session, turn } }]
      }
      case 'message_start':
        return event.role === 'assistant' ? begin() : []
      case 'text_delta':
      case 'thinking_delta':
        return hear(event)
      case 'toolcall_delta':
        return [...close(), ...calls.push(event)]
      case 'message_end':
        return told(event.message)
      case 'turn_ended':
        return terminal(event)
      default:
        return handoff.toParts(event)
    }
  }

  return {
    encode(event) {
      const told = toParts(event).map(uiFrame).join('')
      const last = event.type === 'turn_ended' || handoff.ends(event)
      return last ? told + UI_DONE : told
    },
    heartbeat: HEARTBEAT,
  }
}

const FINISH_STEP: UiPart = { type: 'finish-step' }
const CANCELLED: UiPart = { type: 'message-metadata', messageMetadata: { status: 'cancelled' } }

function failed(errorText: string): UiPart {
  return { type: 'error', errorText }
}

function result(message: ToolResultMessage): UiPart {
  const { toolCallId } = message
  return message.isError
    ? { type: 'tool-output-error', toolCallId, errorText: resultText(message.content) }
    : { type: 'tool-output-available', toolCallId, output: toolOutput(message) }
}
