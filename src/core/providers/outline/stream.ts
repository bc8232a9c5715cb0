import type { Message } from '../../entry.ts'
import type { StreamFn } from '../types.ts'
import { writeOutline } from './write-outline.ts'

const FOCUS = '\n\nAdditional focus: '

const ABOUT =
  'I am the embedded outline model: I run without a network and write handoff documents from the transcript, but I do not converse; configure a provider to chat.'

/** The embedded model: a handoff gets a document made of the transcript itself, a turn one honest sentence. */
export const streamOutline: StreamFn = async (request, { signal, onEvent }) => {
  signal.throwIfAborted()
  const { messages } = request.context
  const text =
    request.toolChoice === 'none'
      ? writeOutline(messages.slice(0, -1), { focus: focusOf(messages.at(-1)) })
      : ABOUT
  onEvent?.({ type: 'text', delta: text })
  return {
    content: [{ type: 'text', text }],
    stopReason: 'stop',
    usage: { input: null, output: null, cacheRead: null, cacheWrite: null },
  }
}

/** The focus stands verbatim at the end of the handoff prompt. */
function focusOf(prompt: Message | undefined): string | null {
  const content = prompt?.content
  const block = typeof content === 'string' ? content : content?.[0]
  const text = typeof block === 'string' ? block : block?.type === 'text' ? block.text : ''
  const at = text.indexOf(FOCUS)
  return at < 0 ? null : text.slice(at + FOCUS.length)
}
