import type { AssistantMessage, InputBlock, Message, Tool } from '../entry.ts'
import type { ProviderCall } from './call-provider.ts'
import { callProvider } from './call-provider.ts'
import { createCompletionsDecoder } from './decode-completions.ts'
import { readSse } from './read-sse.ts'
import type { Model, ModelRequest, StreamFn } from './types.ts'

/** The wire of OpenAI's Chat Completions and everybody compatible: a request out, an answer in. */

/** Live turn and handoff both go through here, so that their bodies are the same bytes up to what was appended. */
export function encodeOpenAiCompletions(request: ModelRequest): ProviderCall {
  const { model, context } = request
  const { options } = model
  const tools = context.tools.map(toTool)
  // `none` needs tools to be about (a 400 without them), and no host takes null.
  const toolChoice =
    request.toolChoice === 'none' && tools.length > 0 && options.toolChoice !== false
  const body = {
    model: model.id,
    messages: [...toSystem(request), ...toMessages(context.messages, model)],
    ...(tools.length > 0 ? { tools } : {}),
    ...(toolChoice ? { tool_choice: 'none' } : {}),
    ...(model.maxTokens === null
      ? {}
      : { [options.maxTokensField ?? 'max_tokens']: model.maxTokens }),
    ...(request.effort === null ? {} : { reasoning_effort: request.effort }),
    ...(options.promptCacheKey ? { prompt_cache_key: request.cacheKey } : {}),
    stream: true,
    ...(options.streamUsage === false ? {} : { stream_options: { include_usage: true } }),
  }
  return {
    url: `${model.baseUrl}/chat/completions`,
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      ...(model.apiKey === null ? {} : { authorization: `Bearer ${model.apiKey}` }),
      // In lower case: two spellings of one name would be joined to a single, wrong value.
      ...Object.fromEntries(
        Object.entries(model.headers).map(([name, value]) => [name.toLowerCase(), value]),
      ),
    },
    body: JSON.stringify(body),
  }
}

/** One request over this wire; see StreamFn. */
export const streamOpenAiCompletions: StreamFn = (request, { signal, onEvent }) =>
  callProvider(request.model, encodeOpenAiCompletions(request), {
    signal,
    async read(body, progressed) {
      const decoder = createCompletionsDecoder(request.model.apiKey, onEvent ?? (() => undefined))
      for await (const data of readSse(body)) if (decoder.push(data)) progressed()
      return decoder.finish()
    },
  })

type Wire = Readonly<Record<string, unknown>>

function toSystem({ model, context }: ModelRequest): readonly Wire[] {
  const text = context.systemPrompt.filter((block) => block !== '').join('\n\n')
  return text === '' ? [] : [{ role: model.options.systemRole ?? 'system', content: text }]
}

/** Tool messages take no images and must follow each other: their images come after the last of them, as the user's. */
function toMessages(messages: readonly Message[], model: Model): readonly Wire[] {
  const wire: Wire[] = []
  let images: InputBlock[] = []
  const flush = (): void => {
    const content = toContent(images, model)
    if (content !== null) wire.push({ role: 'user', content })
    images = []
  }
  for (const message of messages) {
    if (message.role !== 'toolResult') flush()
    else images.push(...message.content.filter((block) => block.type === 'image'))
    wire.push(...toWire(message, model))
  }
  flush()
  return wire
}

function toWire(message: Message, model: Model): readonly Wire[] {
  switch (message.role) {
    case 'user': {
      const content = toContent(message.content, model)
      return content === null ? [] : [{ role: 'user', content }]
    }
    case 'developer': {
      const content = toContent(message.content, model)
      return content === null ? [] : [{ role: model.options.systemRole ?? 'system', content }]
    }
    case 'assistant':
      return fromAssistant(message)
    case 'toolResult': {
      return [
        { role: 'tool', tool_call_id: message.toolCallId, content: joinTexts(message.content) },
      ]
    }
  }
}

/** Thinking stays behind: this API has no field for it that every host takes. */
function fromAssistant({ content }: AssistantMessage): readonly Wire[] {
  const text = joinTexts(content)
  const calls = content.flatMap((block) =>
    block.type === 'toolCall'
      ? [
          {
            id: block.id,
            type: 'function',
            function: { name: block.name, arguments: JSON.stringify(block.arguments) },
          },
        ]
      : [],
  )
  if (calls.length === 0) return text === '' ? [] : [{ role: 'assistant', content: text }]
  // DeepSeek refuses an empty string beside tool calls; null is what the API documents.
  return [{ role: 'assistant', content: text === '' ? null : text, tool_calls: calls }]
}

function joinTexts(content: AssistantMessage['content']): string {
  return content
    .flatMap((block) => (block.type === 'text' && block.text !== '' ? [block.text] : []))
    .join('\n')
}

/** A string where there is only text, parts where there are images; null when nothing is left to say. */
function toContent(content: string | readonly InputBlock[], model: Model): unknown {
  if (typeof content === 'string') return content === '' ? null : content
  const parts = content.flatMap((block): readonly Wire[] => {
    if (block.type === 'text') return block.text === '' ? [] : [{ type: 'text', text: block.text }]
    if (!model.input.includes('image')) {
      return [{ type: 'text', text: '[An image that this model cannot see]' }]
    }
    const url = `data:${block.mimeType};base64,${block.data}`
    return [{ type: 'image_url', image_url: { url } }]
  })
  return parts.length === 0 ? null : parts
}

/** An object schema without `properties` is refused by some hosts. */
function toTool({ name, description, parameters }: Tool): Wire {
  const whole = 'properties' in parameters ? parameters : { ...parameters, properties: {} }
  return {
    type: 'function',
    function: {
      name,
      ...(description === undefined ? {} : { description }),
      parameters: 'type' in whole ? whole : { type: 'object', ...whole },
    },
  }
}
