import type { AssistantMessage, Block, Message, ToolResultMessage, UserMessage } from '../entry.ts'

/** Told to the model where a call has no result: it ran or it did not, nobody knows. */
const NO_RESULT = 'No result was recorded for this call; it may have been interrupted.'

/**
 * Every tool call directly followed by its one result, as all providers want it. A call that nothing answered gets an
 * error result; a result that came while others spoke moves up to its call; one that answers no call of the latest
 * assistant message becomes a note. Pure, and a longer transcript only ever adds to the end of what a shorter one gave,
 * as long as no call was open.
 */
export function pairTools(messages: readonly Message[]): readonly Message[] {
  const paired: Message[] = []
  for (let at = 0; at < messages.length;) {
    const given = messages[at]!
    at += 1
    if (given.role === 'toolResult') {
      paired.push(orphanNote(given))
      continue
    }
    const message = given.role === 'assistant' ? withoutNameless(given) : given
    paired.push(message)
    if (message.role !== 'assistant') continue
    const open = openCalls(message)
    if (open.size === 0) continue
    // Until somebody answers again, what follows may hold the results.
    const between: Message[] = []
    while (at < messages.length && messages[at]!.role !== 'assistant') {
      const next = messages[at]!
      at += 1
      if (next.role === 'toolResult' && open.get(next.toolCallId) === null) {
        open.set(next.toolCallId, next)
      } else between.push(next.role === 'toolResult' ? orphanNote(next) : next)
    }
    for (const block of message.content) {
      if (block.type !== 'toolCall' || !open.has(block.id)) continue
      paired.push(open.get(block.id) ?? missing(block.id, block.name))
      open.delete(block.id)
    }
    paired.push(...between)
  }
  return paired
}

/** A call that names no tool can be neither run nor sent back. */
function withoutNameless(message: AssistantMessage): AssistantMessage {
  const named = (block: Block): boolean => block.type !== 'toolCall' || /\S/.test(block.name)
  if (message.content.every(named)) return message
  return { ...message, content: message.content.filter(named) }
}

function openCalls({ content }: AssistantMessage): Map<string, ToolResultMessage | null> {
  return new Map(content.flatMap((block) => (block.type === 'toolCall' ? [[block.id, null]] : [])))
}

function missing(toolCallId: string, toolName: string): ToolResultMessage {
  return {
    role: 'toolResult',
    toolCallId,
    toolName,
    content: [{ type: 'text', text: NO_RESULT }],
    isError: true,
  }
}

function orphanNote({ toolName, content }: ToolResultMessage): UserMessage {
  const label = {
    type: 'text' as const,
    text: `Result of an earlier call of the tool ${toolName}:`,
  }
  return { role: 'user', content: [label, ...content], attribution: 'agent' }
}
