import type { AssistantMessage, InputBlock, Message, Tool, ToolResultMessage } from '../entry.ts'
import type { ProviderCall } from './call-provider.ts'
import { createResponsesDecoder } from './decode-responses.ts'
import { isFields } from './fields.ts'
import { fitMessages } from './fit-messages.ts'
import { toParameters } from './tool-schema.ts'
import type { Model, ModelRequest, StreamFn } from './types.ts'
import { createStream, toHeaders } from './wire.ts'

/**
 * The wire of OpenAI's Responses API, stateless: nothing is stored there, and reasoning comes back encrypted and is
 * sent again. Live turn and handoff both go through here. What may differ stands at the end of the body, so that their
 * bytes are the same up to there.
 */
export function encodeOpenAiResponses(request: ModelRequest): ProviderCall {
  const { model, context, cacheKey, effort, toolChoice } = request
  const { options } = model
  const { history, tail } = fitMessages(request)
  const instructions = context.systemPrompt.filter((text) => text !== '').join('\n\n')
  const choice = context.tools.length > 0 && options.toolChoice !== false && toolChoice
  const body = {
    model: model.id,
    stream: true,
    ...(options.store === false ? {} : { store: false }),
    ...(model.reasoning ? { include: ['reasoning.encrypted_content'] } : {}),
    ...(options.promptCacheKey === true ? { prompt_cache_key: cacheKey } : {}),
    ...(model.maxTokens === null
      ? {}
      : { max_output_tokens: Math.max(LEAST_OUTPUT, model.maxTokens) }),
    ...(effort === null
      ? {}
      : { reasoning: { effort, ...(options.summaries === false ? {} : { summary: 'auto' }) } }),
    ...(instructions === '' ? {} : { instructions }),
    ...(context.tools.length === 0 ? {} : { tools: context.tools.map(toTool) }),
    input: toInput([history, tail], model),
    ...(choice ? { tool_choice: choice } : {}),
  }
  return {
    url: `${model.baseUrl}/responses`,
    headers: toHeaders(
      request,
      model.apiKey === null ? {} : { authorization: `Bearer ${model.apiKey}` },
    ),
    body: JSON.stringify(body),
  }
}

/** One request over this wire; see StreamFn. */
export const streamOpenAiResponses: StreamFn = createStream({
  encode: encodeOpenAiResponses,
  createDecoder: createResponsesDecoder,
})

/** The API refuses a smaller limit. */
const LEAST_OUTPUT = 16

type Wire = Readonly<Record<string, unknown>>

function toInput(parts: readonly (readonly Message[])[], model: Model): readonly Wire[] {
  const input: Wire[] = []
  for (const messages of parts) {
    for (const message of messages) {
      if (message.role === 'assistant') pushAssistant(message, input)
      else input.push(toItem(message, model))
    }
  }
  return input
}

function toItem(message: Exclude<Message, AssistantMessage>, model: Model): Wire {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: toContent(message.content) }
    case 'developer': {
      const role = model.options.systemRole === 'system' ? 'system' : 'developer'
      return { role, content: toContent(message.content) }
    }
    case 'toolResult':
      return {
        type: 'function_call_output',
        call_id: message.toolCallId,
        output: toOutput(message),
      }
  }
}

/** In their order. A reasoning item goes back whole, and only before the item that it led to: alone it is refused. */
function pushAssistant({ content }: AssistantMessage, input: Wire[]): void {
  let reasoning: Wire[] = []
  for (const block of content) {
    if (block.type === 'thinking') {
      const item = toReasoning(block.signature)
      if (item !== null) reasoning.push(item)
      continue
    }
    const item = fromBlock(block)
    if (item === null) continue
    if (reasoning.length > 0) input.push(...reasoning)
    input.push(item)
    reasoning = []
  }
}

function fromBlock(block: AssistantMessage['content'][number]): Wire | null {
  switch (block.type) {
    case 'text':
      return block.text === '' ? null : { role: 'assistant', content: block.text }
    case 'toolCall': {
      const { id, name } = block
      const json = JSON.stringify(block.arguments)
      return { type: 'function_call', call_id: id, name, arguments: json }
    }
    case 'thinking':
    case 'image':
      return null
  }
}

/** Nothing is stored, so an item without its encrypted content is one that the API does not find. */
function toReasoning(signature: string | undefined): Wire | null {
  if (signature === undefined) return null
  try {
    const item: unknown = JSON.parse(signature)
    const whole = isFields(item) && item['type'] === 'reasoning'
    return whole && typeof item['encrypted_content'] === 'string' ? item : null
  } catch {
    return null
  }
}

function toOutput({ content }: ToolResultMessage): string | readonly Wire[] {
  const [only, ...more] = content
  if (only?.type === 'text' && more.length === 0) return only.text
  if (content.some(({ type }) => type === 'image')) return toParts(content)
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
}

function toContent(content: string | readonly InputBlock[]): string | readonly Wire[] {
  return typeof content === 'string' ? content : toParts(content)
}

function toParts(content: readonly InputBlock[]): readonly Wire[] {
  return content.map((block) =>
    block.type === 'text'
      ? { type: 'input_text', text: block.text }
      : {
          type: 'input_image',
          detail: 'auto',
          image_url: `data:${block.mimeType};base64,${block.data}`,
        },
  )
}

/** Not strict: that would want every property to be required. */
function toTool({ name, description, parameters }: Tool): Wire {
  return {
    type: 'function',
    name,
    ...(description === undefined ? {} : { description }),
    parameters: toParameters(parameters),
    strict: false,
  }
}
