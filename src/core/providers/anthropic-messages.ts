import type { AssistantMessage, InputBlock, Message, Tool, ToolResultMessage } from '../entry.ts'
import { toThinking } from './anthropic-thinking.ts'
import { findBreakpoints } from './breakpoints.ts'
import type { ProviderCall } from './call-provider.ts'
import { createAnthropicDecoder } from './decode-anthropic.ts'
import { fitMessages } from './fit-messages.ts'
import { toParameters } from './tool-schema.ts'
import type { ModelRequest, StreamFn } from './types.ts'
import { createStream, toHeaders } from './wire.ts'

/**
 * The wire of Anthropic's Messages API. Live turn and handoff both go through here. What may differ stands at the end
 * of the body, so that their bytes are the same up to there, and cache breakpoints are where the live turn had them.
 */
export function encodeAnthropicMessages(request: ModelRequest): ProviderCall {
  const { model, context, toolChoice } = request
  const { history, tail } = fitMessages(request)
  const marks = model.options.cacheControl !== false
  const marked = marks ? findBreakpoints(history) : NONE
  const maxTokens = model.maxTokens ?? model.outputLimit ?? USUAL_LIMIT
  const choice = context.tools.length > 0 && model.options.toolChoice !== false && toolChoice
  const body = {
    model: model.id,
    max_tokens: maxTokens,
    stream: true,
    ...toThinking(request, maxTokens),
    ...(context.tools.length === 0 ? {} : { tools: toTools(context.tools, marks) }),
    ...toSystem(context.systemPrompt, marks),
    messages: [
      ...(history[0]?.role === 'assistant' ? [toUser([OPENING], false)] : []),
      ...toMessages(history, marked),
      ...toMessages(tail, NONE),
    ],
    ...(choice ? { tool_choice: { type: choice } } : {}),
  }
  return {
    url: `${model.baseUrl}/v1/messages`,
    headers: toHeaders(request, {
      'anthropic-version': '2023-06-01',
      ...(model.apiKey === null ? {} : { 'x-api-key': model.apiKey }),
    }),
    body: JSON.stringify(body),
  }
}

/** One request over this wire; see StreamFn. */
export const streamAnthropicMessages: StreamFn = createStream({
  encode: encodeAnthropicMessages,
  createDecoder: createAnthropicDecoder,
})

/** This API wants a limit; a model that nobody knows is newer than those with less. */
const USUAL_LIMIT = 32_000
/** The API begins with the user; a branch may begin with an answer. */
const OPENING: Message = { role: 'user', content: '(The conversation continues.)' }
const NONE: ReadonlySet<number> = new Set()
const EPHEMERAL = { cache_control: { type: 'ephemeral' } } as const

type Wire = Readonly<Record<string, unknown>>

/** One mark on the last tool covers all of them. */
function toTools(tools: readonly Tool[], marks: boolean): readonly Wire[] {
  return tools.map(({ name, description, parameters }, at) => ({
    name,
    ...(description === undefined ? {} : { description }),
    input_schema: toParameters(parameters),
    ...(marks && at === tools.length - 1 ? EPHEMERAL : {}),
  }))
}

function toSystem(systemPrompt: readonly string[], marks: boolean): Wire {
  const texts = systemPrompt.filter((text) => text !== '')
  if (texts.length === 0) return {}
  return {
    system: texts.map((text, at) => ({
      type: 'text',
      text,
      ...(marks && at === texts.length - 1 ? EPHEMERAL : {}),
    })),
  }
}

/** What stands between two answers is one user message, tool results first: the API refuses them anywhere else. */
function toMessages(messages: readonly Message[], marked: ReadonlySet<number>): readonly Wire[] {
  const wire: Wire[] = []
  for (let at = 0; at < messages.length;) {
    const message = messages[at]!
    if (message.role === 'assistant') {
      const content = fromAssistant(message)
      if (content.length > 0) wire.push({ role: 'assistant', content })
      at += 1
      continue
    }
    const begin = at
    while (at < messages.length && messages[at]!.role !== 'assistant') at += 1
    wire.push(toUser(messages.slice(begin, at), marked.has(at - 1)))
  }
  return wire
}

function toUser(turn: readonly Message[], marked: boolean): Wire {
  const results: Wire[] = []
  const said: Wire[] = []
  for (const message of turn) {
    if (message.role === 'toolResult') results.push(toResult(message))
    else if (typeof message.content === 'string') said.push({ type: 'text', text: message.content })
    else for (const block of message.content) said.push(toBlock(block as InputBlock))
  }
  const content = [...results, ...said]
  const last = content.at(-1)
  if (marked && last !== undefined) content[content.length - 1] = { ...last, ...EPHEMERAL }
  return { role: 'user', content }
}

/** An error result may hold nothing but text. */
function toResult({ toolCallId, content, isError }: ToolResultMessage): Wire {
  const blocks = content.map((block) =>
    isError && block.type === 'image' ? { type: 'text', text: '[An image]' } : toBlock(block),
  )
  return {
    type: 'tool_result',
    tool_use_id: toolCallId,
    content: blocks,
    ...(isError ? { is_error: true } : {}),
  }
}

function toBlock(block: InputBlock): Wire {
  if (block.type === 'text') return { type: 'text', text: block.text }
  const source = { type: 'base64', media_type: block.mimeType, data: block.data }
  return { type: 'image', source }
}

/** Thoughts go back exactly as they came; one without its signature was cut off and is refused. */
function fromAssistant({ content }: AssistantMessage): readonly Wire[] {
  return content.flatMap((block): readonly Wire[] => {
    switch (block.type) {
      case 'text':
        return block.text === '' ? [] : [{ type: 'text', text: block.text }]
      case 'toolCall':
        return [{ type: 'tool_use', id: block.id, name: block.name, input: block.arguments }]
      case 'thinking':
        if (block.signature === undefined) return []
        return block.redacted === true
          ? [{ type: 'redacted_thinking', data: block.signature }]
          : [{ type: 'thinking', thinking: block.thinking, signature: block.signature }]
      case 'image':
        return []
    }
  })
}
