import type { Message, Usage } from '../../entry.ts'
import type { ModelRequest, StreamFn } from '../types.ts'
import { writeOutline } from './write-outline.ts'

const TURN =
  'This is the embedded outline model: it runs without network and writes handoff documents, but it does not converse; configure a provider to chat.'
const FOCUS = /^Additional focus:/m
const UNKNOWN: Usage = { input: null, output: null, cacheRead: null, cacheWrite: null }

/** Answers a handoff with a document made from the transcript itself, and a turn with a sentence that says what this model is. */
export const streamOutline: StreamFn = async (request, io) => {
  io.signal.throwIfAborted()
  const text = request.toolChoice === 'none' ? answerHandoff(request) : TURN
  io.onEvent?.({ type: 'text', delta: text })
  io.signal.throwIfAborted()
  return { content: [{ type: 'text', text }], stopReason: 'stop', usage: UNKNOWN }
}

function answerHandoff({ context, appended = [] }: ModelRequest): string {
  const asked = appended.at(-1)
  return writeOutline(
    context.messages,
    asked?.role === 'user' ? { focus: readFocus(asked.content) } : {},
  )
}

/** The focus is everything behind its label: it may have several lines. */
function readFocus(content: Extract<Message, { role: 'user' }>['content']): string | null {
  const text =
    typeof content === 'string'
      ? content
      : content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
  const label = FOCUS.exec(text)
  if (label === null) return null
  const focus = text.slice(label.index + label[0].length).trim()
  return focus === '' ? null : focus
}
