import type { AssistantMessage, MessageEntry, ToolCallBlock, ToolResultMessage } from '../entry.ts'
import { isEntry } from '../entry.ts'
import type { SessionPorts } from './ports.ts'

/**
 * The calls at the end of a branch that nothing has answered yet: somebody may still answer them, as long as nobody
 * said anything else. Reads backwards from the leaf, no further than the latest answer of the model.
 */
export function openCalls(
  { journal }: Pick<SessionPorts, 'journal'>,
  leafId: string | null,
): readonly ToolCallBlock[] {
  const answered = new Set<string>()
  for (let id = leafId; id !== null;) {
    const seq = journal.seqOf(id)
    const [entry] = seq === null ? [] : journal.entries({ after: seq - 1, limit: 1 })
    if (entry === undefined) return []
    id = entry.parentId
    if (isEntry(entry, 'custom_message')) return []
    if (!isEntry(entry, 'message')) continue
    const { message } = entry as MessageEntry
    if (message.role === 'toolResult') answered.add((message as ToolResultMessage).toolCallId)
    else if (message.role !== 'assistant') return []
    else return callsOf(message as AssistantMessage).filter((call) => !answered.has(call.id))
  }
  return []
}

/** The tool calls of an answer, in order. */
export function callsOf(message: AssistantMessage): readonly ToolCallBlock[] {
  return message.content.filter((block) => block.type === 'toolCall')
}

/** An answer to a call that will not get one of its own. */
export function failedResult(
  call: ToolCallBlock,
  why: string,
  timestamp: number,
): ToolResultMessage {
  return {
    role: 'toolResult',
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: 'text', text: why }],
    isError: true,
    timestamp,
  }
}
