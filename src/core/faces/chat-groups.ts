import type {
  AssistantMessage,
  CustomMessageEntry,
  Message,
  MessageEntry,
  StoredEntry,
  ToolResultMessage,
} from '../entry.ts'
import { isEntry } from '../entry.ts'

/** What a chat frontend sees as one message: what was said, or a whole answer with its tool calls and their results. */
export interface ChatGroup {
  /** the client's own name of what it said, else the id of the first entry */
  readonly id: string
  readonly role: 'user' | 'assistant' | 'system'
  /** in order; a handoff's document has none */
  readonly messages: readonly Message[]
  /** the entry that it ends with */
  readonly last: string
  /** a client may not know of it: answers that failed, what nobody said */
  readonly optional: boolean
  /** a document that the session was born with */
  readonly document: CustomMessageEntry | null
}

interface OpenGroup {
  id: string
  role: ChatGroup['role']
  messages: Message[]
  last: string
  document: CustomMessageEntry | null
}

/** The branch of a session as a chat frontend sees it, root first. Linear; bodies are not copied. */
export function toChatGroups(branch: readonly StoredEntry[]): readonly ChatGroup[] {
  const groups: OpenGroup[] = []
  for (const entry of branch) {
    if (isEntry(entry, 'custom_message')) {
      if (entry.display) groups.push(open(entry, 'assistant', entry))
    } else if (isEntry(entry, 'message')) add(groups, entry)
  }
  return groups.map((group) => ({ ...group, optional: isOptional(group) }))
}

function add(groups: OpenGroup[], entry: StoredEntry & MessageEntry): void {
  const message = entry.message as Message
  const last = groups.at(-1)
  switch (message.role) {
    case 'assistant':
    case 'toolResult': {
      if (last?.role === 'assistant' && last.document === null) {
        last.messages.push(message)
        last.last = entry.id
      } else if (message.role === 'assistant') groups.push(open(entry, 'assistant', null, message))
      return
    }
    case 'user':
    case 'developer':
      groups.push(open(entry, message.role === 'user' ? 'user' : 'system', null, message))
  }
}

function open(
  entry: StoredEntry,
  role: ChatGroup['role'],
  document: CustomMessageEntry | null,
  ...messages: Message[]
): OpenGroup {
  const { clientId } = entry as { clientId?: unknown }
  const id = typeof clientId === 'string' ? clientId : entry.id
  return { id, role, messages, last: entry.id, document }
}

function isOptional({ role, messages }: OpenGroup): boolean {
  if (role === 'system') return true
  if (role === 'user') return false
  const answers = messages.filter((message) => message.role === 'assistant')
  return answers.every(({ stopReason }) => stopReason === 'error' || stopReason === 'aborted')
}

/** The results that a group holds, by the call that they answer. */
export function resultsOf(
  group: Pick<ChatGroup, 'messages'>,
): ReadonlyMap<string, ToolResultMessage> {
  return new Map(
    group.messages.flatMap((message) =>
      message.role === 'toolResult' ? [[message.toolCallId, message] as const] : [],
    ),
  )
}

/** All text of some messages: what two of them are compared by. */
export function textOf(
  messages: readonly (Message | Omit<AssistantMessage, 'stopReason'>)[],
): string {
  return messages
    .flatMap((message) => {
      if (message.role === 'toolResult') return []
      const { content } = message
      if (typeof content === 'string') return [content]
      return (content as readonly { type: string; text?: string }[]).flatMap(({ type, text }) =>
        type === 'text' && text !== undefined ? [text] : [],
      )
    })
    .join('')
    .trim()
}
