import type { ToolCallBlock } from '../entry.ts'
import type { SessionEvent } from '../events.ts'
import type { UiPart } from './ui-frame.ts'

type CallDelta = Extract<SessionEvent, { type: 'toolcall_delta' }>

interface Known {
  /** empty until the provider has told both */
  id: string
  name: string
  json: string
  started: boolean
}

/** The calls of one message of the model on their way into parts. */
export interface UiCalls {
  clear(): void
  push(delta: CallDelta): readonly UiPart[]
  /** The calls as they are stored; one that was begun and is not among them did not come whole. */
  end(stored: readonly ToolCallBlock[]): readonly UiPart[]
}

export function createUiCalls(): UiCalls {
  let calls: Known[] = []

  function start(call: Known): readonly UiPart[] {
    call.started = true
    return [{ type: 'tool-input-start', toolCallId: call.id, toolName: call.name }]
  }

  return {
    clear() {
      calls = []
    },
    push({ index, id, name, delta }) {
      const call = (calls[index] ??= { id: '', name: '', json: '', started: false })
      call.id ||= id
      call.name ||= name
      const held = call.json
      call.json += delta
      // A call without a name or an id is told at the end of its message.
      if (call.id === '' || call.name === '') return []
      const begun = call.started ? [] : start(call)
      const text = begun.length > 0 ? held + delta : delta
      if (text === '') return begun
      return [...begun, { type: 'tool-input-delta', toolCallId: call.id, inputTextDelta: text }]
    },
    end(stored) {
      const whole = new Set(stored.map(({ id }) => id))
      const broken = calls.filter((call) => call?.started === true && !whole.has(call.id))
      const begun = new Set(calls.flatMap((call) => (call?.started === true ? [call.id] : [])))
      calls = []
      return [
        ...broken.map(({ id, name, json }): UiPart => {
          const errorText = 'The call did not come whole'
          return {
            type: 'tool-input-error',
            toolCallId: id,
            toolName: name,
            input: json,
            errorText,
          }
        }),
        ...stored.flatMap(({ id, name, arguments: input }): readonly UiPart[] => [
          ...(begun.has(id)
            ? []
            : ([{ type: 'tool-input-start', toolCallId: id, toolName: name }] as const)),
          { type: 'tool-input-available', toolCallId: id, toolName: name, input },
        ]),
      ]
    },
  }
}
