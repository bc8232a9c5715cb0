import type { AssistantMessage, Block, InputBlock, Message, ToolResultMessage } from '../entry.ts'
import { BatonError } from '../errors.ts'
import type { GivenMessage } from '../session/complete-message.ts'
import type { ChatGroup } from './chat-groups.ts'
import { resultsOf } from './chat-groups.ts'
import type { ToldMessage } from './reconcile.ts'
import { resultText, toolOutput } from './tool-output.ts'

/** A part as the AI SDK sends it: clients of several majors, so everything but the type may be missing. */
export interface UiMessagePart {
  readonly type: string
  readonly [field: string]: unknown
}

/** The AI SDK's UIMessage. */
export interface UiMessage {
  readonly id: string
  readonly role: 'user' | 'assistant' | 'system'
  readonly parts: readonly UiMessagePart[]
}

/** A stored message as a frontend takes it to show it again. */
export function toUiMessage(group: ChatGroup): UiMessage {
  const { id, role, document } = group
  if (document !== null) return { id, role, parts: [documentPart(group)] }
  const results = resultsOf(group)
  const parts = group.messages.flatMap((message): readonly UiMessagePart[] => {
    if (message.role === 'toolResult') return []
    if (message.role === 'assistant')
      return [{ type: 'step-start' }, ...answerParts(message, results)]
    return typeof message.content === 'string'
      ? [{ type: 'text', text: message.content }]
      : message.content.map(inputPart)
  })
  return { id, role, parts }
}

function documentPart({ id, document }: ChatGroup): UiMessagePart {
  const content = document?.content ?? ''
  const text = typeof content === 'string' ? content : resultText(content)
  return { type: 'data-handoff', id, data: { status: 'context', document: text } }
}

function inputPart(block: InputBlock): UiMessagePart {
  if (block.type === 'text') return { type: 'text', text: block.text }
  const { data, mimeType } = block
  return { type: 'file', mediaType: mimeType, url: `data:${mimeType};base64,${data}` }
}

function answerParts(
  message: AssistantMessage,
  results: ReadonlyMap<string, ToolResultMessage>,
): readonly UiMessagePart[] {
  return message.content.flatMap((block): readonly UiMessagePart[] => {
    if (block.type === 'text') return [{ type: 'text', text: block.text, state: 'done' }]
    if (block.type === 'thinking') {
      return block.thinking === ''
        ? []
        : [{ type: 'reasoning', text: block.thinking, state: 'done' }]
    }
    return block.type === 'toolCall' ? [callPart(block, results.get(block.id))] : [inputPart(block)]
  })
}

function callPart(
  { id, name, arguments: input }: Extract<Block, { type: 'toolCall' }>,
  result: ToolResultMessage | undefined,
): UiMessagePart {
  const call = { type: `tool-${name}`, toolCallId: id, input }
  if (result === undefined) return { ...call, state: 'input-available' }
  return result.isError
    ? { ...call, state: 'output-error', errorText: resultText(result.content) }
    : { ...call, state: 'output-available', output: toolOutput(result) }
}

/** What a frontend sends as it counts for the store; null for what is none of the talk: a handoff that it shows, a system message. */
export function fromUiMessage(message: UiMessage, now: number): ToldMessage | null {
  const { id, role, parts } = message
  if (role === 'system' || parts.some(({ type }) => type === 'data-handoff')) return null
  if (role === 'user') {
    const content = parts.flatMap(toInput)
    const only = content.length === 1 ? content[0] : undefined
    const said: Message = { role, content: only?.type === 'text' ? only.text : content }
    return { id, role, messages: content.length === 0 ? [] : [said], results: [] }
  }
  const steps = splitSteps(parts)
  const results = parts.flatMap((part) => toResult(part, now))
  const messages = steps.flatMap((step): readonly GivenMessage[] => {
    const content = step.flatMap(toBlock)
    const answer = { role: 'assistant' as const, content }
    return content.length === 0 ? [] : [answer, ...step.flatMap((part) => toResult(part, now))]
  })
  return { id, role, messages, results }
}

function toInput(part: UiMessagePart): readonly InputBlock[] {
  if (part.type === 'text')
    return part['text'] === '' ? [] : [{ type: 'text', text: String(part['text']) }]
  if (part.type !== 'file') return []
  const [, mimeType, data] = /^data:([^;,]+);base64,([\s\S]*)$/.exec(String(part['url'])) ?? []
  if (mimeType?.startsWith('image/') && data !== undefined)
    return [{ type: 'image', data, mimeType }]
  throw new BatonError('invalid', 'Only images, sent as data: URLs, can be attached')
}

function splitSteps(parts: readonly UiMessagePart[]): readonly (readonly UiMessagePart[])[] {
  const steps: UiMessagePart[][] = [[]]
  for (const part of parts) {
    if (part.type === 'step-start') steps.push([])
    else steps.at(-1)?.push(part)
  }
  return steps
}

function isCall({ type, state }: UiMessagePart): boolean {
  const answered = state === 'output-available' || state === 'output-error'
  return answered && (type === 'dynamic-tool' || type.startsWith('tool-'))
}

function nameOf(part: UiMessagePart): string {
  return part.type === 'dynamic-tool' ? String(part['toolName']) : part.type.slice('tool-'.length)
}

/** A call that nothing answered is left out: no provider would take it. */
function toBlock(part: UiMessagePart): readonly Block[] {
  if (part.type === 'text') return [{ type: 'text', text: String(part['text']) }]
  if (!isCall(part)) return []
  const { input } = part
  const args = typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {}
  const call = { id: String(part['toolCallId']), name: nameOf(part) }
  return [{ type: 'toolCall', ...call, arguments: args as Readonly<Record<string, unknown>> }]
}

function toResult(part: UiMessagePart, timestamp: number): readonly ToolResultMessage[] {
  if (!isCall(part)) return []
  const isError = part['state'] === 'output-error'
  const said = isError ? part['errorText'] : part['output']
  const text = typeof said === 'string' ? said : (JSON.stringify(said) ?? '')
  const call = { toolCallId: String(part['toolCallId']), toolName: nameOf(part) }
  const content = [{ type: 'text' as const, text }]
  return [{ role: 'toolResult', ...call, content, isError, timestamp }]
}
