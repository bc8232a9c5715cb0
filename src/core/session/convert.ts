import type { ForeignMessage, ImageBlock, InputBlock, Message, UserMessage } from '../entry.ts'
import { isEntry } from '../entry.ts'
import { neutralise, toPromptFrame } from '../handoff/frame.ts'
import type { ContextItem } from './context.ts'
import { pairTools } from './pair-tools.ts'

/**
 * Context items → the four roles that every provider wire knows, every tool call with its result. Pure; live turn and
 * handoff both go through here, which is what makes their prefixes the same bytes.
 */
export function convertMessages(items: readonly ContextItem[]): readonly Message[] {
  return pairTools(
    items.flatMap((item) =>
      item.kind === 'message' ? fromMessage(item.message) : fromEntry(item),
    ),
  )
}

function fromMessage(message: Message | ForeignMessage): readonly Message[] {
  switch (message.role) {
    case 'user':
    case 'developer':
    case 'assistant':
    case 'toolResult':
      return [message as Message]
    case 'bashExecution':
    case 'pythonExecution':
      return fromExecution(message as ForeignMessage)
    case 'fileMention':
      return fromFileMention(message as ForeignMessage)
    case 'custom':
    case 'hookMessage':
      return fromContent((message as ForeignMessage)['content'])
    default:
      return []
  }
}

/** A handoff document arrives as the user's, not the developer's: generated text gets no more authority than a user has (I3). */
function fromEntry(item: Extract<ContextItem, { kind: 'entry' }>): readonly Message[] {
  const { entry } = item
  if (isEntry(entry, 'custom_message')) {
    if (entry.customType !== 'handoff') return fromContent(entry.content)
    const content =
      typeof entry.content === 'string'
        ? toPromptFrame(entry.content)
        : entry.content.map((block) =>
            block.type === 'text' ? { ...block, text: toPromptFrame(block.text) } : block,
          )
    return [{ role: 'user', content, attribution: 'agent' }]
  }
  if (isEntry(entry, 'compaction')) {
    return [
      agentText(
        framed(
          'compaction-summary',
          'Earlier parts of this conversation, summarised',
          entry.summary,
        ),
      ),
    ]
  }
  if (isEntry(entry, 'branch_summary')) {
    return [
      agentText(
        framed(
          'branch-summary',
          'What was tried on another branch of this conversation, summarised',
          entry.summary,
        ),
      ),
    ]
  }
  return []
}

function fromContent(content: unknown): readonly Message[] {
  if (typeof content !== 'string' && !Array.isArray(content)) return []
  return [
    { role: 'developer', content: content as string | readonly InputBlock[], attribution: 'agent' },
  ]
}

function fromExecution(message: ForeignMessage): readonly Message[] {
  if (message['excludeFromContext']) return []
  const shell = message.role === 'bashExecution'
  const input = String(message[shell ? 'command' : 'code'] ?? '')
  const output = String(message['output'] ?? '')
  const exit = message['exitCode']
  const notes = [
    message['cancelled'] ? 'It was cancelled.' : null,
    typeof exit === 'number' && exit !== 0 ? `It ended with exit code ${exit}.` : null,
    message['truncated'] ? 'Its output was truncated.' : null,
  ].filter((note) => note !== null)
  const text = [
    `The user ran this ${shell ? 'command' : 'Python code'}:`,
    fence(input),
    output === '' ? 'It printed nothing.' : `Output:\n${fence(output)}`,
    ...notes,
  ].join('\n')
  return [{ role: 'user', content: text, attribution: 'user' }]
}

function fromFileMention(message: ForeignMessage): readonly Message[] {
  const files = Array.isArray(message['files']) ? (message['files'] as readonly unknown[]) : []
  return files.flatMap((file): readonly Message[] => {
    if (typeof file !== 'object' || file === null) return []
    const { path, content, image } = file as Record<string, unknown>
    if (isImage(image)) {
      const { data, mimeType } = image
      const label = { type: 'text' as const, text: `File ${String(path)}` }
      return [{ role: 'user', content: [label, { type: 'image', data, mimeType }] }]
    }
    return typeof content === 'string'
      ? [
          {
            role: 'developer',
            content: `File ${String(path)}:\n${fence(content)}`,
            attribution: 'user',
          },
        ]
      : []
  })
}

function isImage(value: unknown): value is Pick<ImageBlock, 'data' | 'mimeType'> {
  if (typeof value !== 'object' || value === null) return false
  const { data, mimeType } = value as Record<string, unknown>
  return typeof data === 'string' && typeof mimeType === 'string'
}

function agentText(text: string): UserMessage {
  return { role: 'user', content: [{ type: 'text', text }], attribution: 'agent' }
}

function framed(tag: string, label: string, text: string): string {
  return `${label}:\n\n<${tag}>\n${neutralise(text)}\n</${tag}>`
}

/** A fence longer than any run of backticks inside. */
function fence(text: string): string {
  let longest = 2
  for (const run of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run[0].length)
  const ticks = '`'.repeat(longest + 1)
  return `${ticks}\n${text}\n${ticks}`
}
