import type { AssistantMessage, Block, InputBlock, Message, ToolResultMessage } from '../entry.ts'
import type { ToolCallIds } from './tool-call-ids.ts'
import { createToolCallIds } from './tool-call-ids.ts'
import type { Model, ModelRequest } from './types.ts'

/**
 * Repairs a transcript for the model that is to read it. What is stored never changes. Live turn and handoff both go
 * through here, and a message is fitted by what came before it alone: the same history is the same bytes.
 */

export interface FittedMessages {
  readonly history: readonly Message[]
  /** the one-off messages, with what had to come between */
  readonly tail: readonly Message[]
}

const UNSEEN: InputBlock = { type: 'text', text: '[An image that this model cannot see]' }
const NO_OUTPUT: InputBlock = { type: 'text', text: '(no output)' }
/** Said by nobody; it only stands between two messages that a provider refuses side by side. */
const BRIDGE: AssistantMessage = {
  role: 'assistant',
  content: [{ type: 'text', text: 'Noted.' }],
  stopReason: 'stop',
}

/** The messages of a request as its model takes them; a message that needs nothing is the same object. */
export function fitMessages({ model, context, appended = [] }: ModelRequest): FittedMessages {
  const fit = createFit(model, new Set(context.tools.map(({ name }) => name)))
  return { history: fit(context.messages), tail: fit(appended) }
}

function createFit(
  model: Model,
  tools: ReadonlySet<string>,
): (messages: readonly Message[]) => readonly Message[] {
  const fitting: Fitting = { model, tools, ids: createToolCallIds(model) }
  let before: Message['role'] | null = null
  return (messages) => {
    const fitted: Message[] = []
    let images: InputBlock[] = []
    const push = (message: Message): void => {
      if (needsBridge(model, before, message.role)) fitted.push(BRIDGE)
      fitted.push(message)
      before = message.role
    }
    const flush = (): void => {
      if (images.length > 0) push({ role: 'user', content: images, attribution: 'agent' })
      images = []
    }
    for (const message of messages) {
      if (message.role !== 'toolResult') flush()
      const fit = fitMessage(message, fitting)
      if (fit === null) continue
      if (fit.role !== 'toolResult' || takesImages(model)) push(fit)
      else {
        // Results must follow each other: their images come after the last of them, as the user's.
        images.push(...fit.content.filter(isImage))
        push(withoutImages(fit))
      }
    }
    flush()
    return fitted
  }
}

interface Fitting {
  readonly model: Model
  /** names of the tools that the request offers */
  readonly tools: ReadonlySet<string>
  readonly ids: ToolCallIds
}

function fitMessage(message: Message, fitting: Fitting): Message | null {
  if (message.role === 'assistant') return fitAssistant(message, fitting)
  const { model, ids } = fitting
  const content =
    typeof message.content === 'string' ? message.content : seen(message.content, model)
  if (message.role !== 'toolResult') {
    if (typeof content === 'string' ? isBlank(content) : content.length === 0) return null
    return content === message.content ? message : { ...message, content }
  }
  const toolCallId = ids.result(message.toolCallId)
  const whole = content.length === 0 ? [NO_OUTPUT] : (content as readonly InputBlock[])
  if (toolCallId === message.toolCallId && whole === message.content) return message
  return { ...message, toolCallId, content: whole }
}

/** Null when nothing but thoughts is left: no provider takes a thought alone. The same object when nothing changes. */
function fitAssistant(message: AssistantMessage, fitting: Fitting): AssistantMessage | null {
  const { model, ids } = fitting
  ids.next()
  const own =
    message.provider === model.provider && message.model === model.id && message.api === model.api
  const said: Block[] = []
  const calls: Block[] = []
  let speaks = false
  let same = true
  for (const block of message.content) {
    const fit = fitBlock(block, own, fitting)
    same &&= fit === block && (calls.length === 0 || block.type === 'toolCall')
    if (fit === null) continue
    speaks ||= fit.type !== 'thinking'
    if (fit.type === 'toolCall') calls.push(fit)
    else said.push(fit)
  }
  if (!speaks) return null
  return same ? message : { ...message, content: [...said, ...calls] }
}

/** Null for a block that stays behind. What another model signed is signed for that model, and refused from this one. */
function fitBlock(block: Block, own: boolean, { model, tools, ids }: Fitting): Block | null {
  switch (block.type) {
    case 'text':
      if (isBlank(block.text) && !(own && signatureOf(block) !== undefined)) return null
      return own ? block : unsigned(block)
    case 'image':
      return UNSEEN
    case 'toolCall': {
      const id = ids.call(block.id)
      if (id === null) return null
      const call = own ? block : unsigned(block)
      const name = tools.has(block.name) ? block.name : fitName(block.name, model)
      return id === block.id && name === block.name ? call : { ...call, id, name }
    }
    default:
      return own && model.options.replayThinking !== false ? toThinking(block) : null
  }
}

/** Of a tool that is no longer offered only the name is left, and a vendor may refuse what another one took. */
function fitName(name: string, { api }: Model): string {
  if (api === 'google-generative-ai' || /^[\w-]{1,64}$/.test(name)) return name
  return name.replace(/[^\w-]/g, '_').slice(0, 64)
}

/** Session files have thoughts under older names too. */
function toThinking(block: Block): Block | null {
  const { type, data } = block as { readonly type: string; readonly data?: unknown }
  if (type === 'redactedThinking') {
    return typeof data === 'string'
      ? { type: 'thinking', thinking: '', signature: data, redacted: true }
      : null
  }
  if (block.type !== 'thinking') return null
  const signature = signatureOf(block)
  if (block.thinking === '' && signature === undefined) return null
  return signature === block.signature ? block : { ...block, signature }
}

/** Names of the provider's mark on a block: ours, and those of coding agents. */
const MARKS = ['signature', 'thinkingSignature', 'thoughtSignature', 'textSignature'] as const

/** The provider's mark on a block, under our name or those of coding agents; undefined without one. */
export function signatureOf(block: Block): string | undefined {
  const marks = block as { readonly [name in (typeof MARKS)[number]]?: unknown }
  for (const name of MARKS) {
    const mark = marks[name]
    if (typeof mark === 'string' && mark !== '') return mark
  }
  return undefined
}

function unsigned<T extends Block>(block: T): T {
  if (signatureOf(block) === undefined) return block
  return { ...block, ...Object.fromEntries(MARKS.map((name) => [name, undefined])) }
}

/** Without blank texts, and with words for images that the model cannot see; the same list when nothing changes. */
function seen(content: readonly InputBlock[], model: Model): readonly InputBlock[] {
  const blind = !model.input.includes('image')
  const fits = content.every((block) => (block.type === 'text' ? !isBlank(block.text) : !blind))
  if (fits) return content
  return content.flatMap((block) => {
    if (block.type === 'text') return isBlank(block.text) ? [] : [block]
    return [blind ? UNSEEN : block]
  })
}

function needsBridge(
  { options }: Model,
  before: Message['role'] | null,
  role: Message['role'],
): boolean {
  if (options.bridge === undefined || before === null) return false
  if (role !== 'user' && role !== 'developer') return false
  if (before === 'toolResult') return true
  return options.bridge === 'alternate' && before !== 'assistant'
}

/** Chat Completions and Gemini take only text as a tool's result. */
function takesImages({ api }: Model): boolean {
  return api !== 'openai-completions' && api !== 'google-generative-ai'
}

function withoutImages(message: ToolResultMessage): ToolResultMessage {
  if (!message.content.some(isImage)) return message
  const content = message.content.filter((block) => !isImage(block))
  return {
    ...message,
    content: content.length === 0 ? [{ type: 'text', text: '(see the image below)' }] : content,
  }
}

/** Anthropic refuses texts of nothing but white space. */
function isBlank(text: string): boolean {
  return !/\S/.test(text)
}

function isImage(block: InputBlock): boolean {
  return block.type === 'image'
}
