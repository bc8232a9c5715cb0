import type { AssistantMessage, InputBlock, Message, Tool } from '../entry.ts'
import { findBreakpoints } from './breakpoints.ts'
import type { ProviderCall } from './call-provider.ts'
import { createCompletionsDecoder } from './decode-completions.ts'
import { fitMessages } from './fit-messages.ts'
import { toParameters } from './tool-schema.ts'
import type { ModelRequest, StreamFn } from './types.ts'
import { createStream, toHeaders } from './wire.ts'

/**
 * The wire of OpenAI's Chat Completions and everybody compatible: a request out, an answer in. Live turn and handoff
 * both go through here. What may differ stands at the end of the body, so that their bytes are the same up to there.
 */
export function encodeOpenAiCompletions(request: ModelRequest): ProviderCall {
  const { model, context, cacheKey } = request
  const { options } = model
  const { history, tail } = fitMessages(request)
  const marked = options.cacheControl === true ? findBreakpoints(history) : new Set<number>()
  // `none` needs tools to be about (a 400 without them), and no host takes null.
  const toolChoice = context.tools.length > 0 && options.toolChoice !== false && request.toolChoice
  const body = {
    model: model.id,
    stream: true,
    ...(options.streamUsage === false ? {} : { stream_options: { include_usage: true } }),
    ...(options.store === true ? { store: false } : {}),
    ...(options.promptCacheKey === true ? { prompt_cache_key: cacheKey } : {}),
    ...(model.maxTokens === null
      ? {}
      : { [options.maxTokensField ?? 'max_tokens']: model.maxTokens }),
    ...toReasoning(request),
    ...(context.tools.length > 0 ? { tools: context.tools.map(toTool) } : {}),
    messages: [
      ...toSystem(request),
      ...history.map((message, at) => toWire(message, request, marked.has(at))),
      ...tail.map((message) => toWire(message, request, false)),
    ],
    ...(toolChoice ? { tool_choice: toolChoice } : {}),
  }
  return {
    url: `${model.baseUrl}/chat/completions`,
    headers: toHeaders(
      request,
      model.apiKey === null ? {} : { authorization: `Bearer ${model.apiKey}` },
    ),
    body: JSON.stringify(body),
  }
}

/** One request over this wire; see StreamFn. */
export const streamOpenAiCompletions: StreamFn = createStream({
  encode: encodeOpenAiCompletions,
  createDecoder: createCompletionsDecoder,
})

type Wire = Readonly<Record<string, unknown>>

const EPHEMERAL = { cache_control: { type: 'ephemeral' } }

function toReasoning({ model, effort }: ModelRequest): Wire {
  if (effort === null) return {}
  switch (model.options.reasoning) {
    case 'none':
      return {}
    case 'reasoning':
      return { reasoning: { effort } }
    case 'thinking':
      return { thinking: { type: 'enabled' } }
    case 'reasoning_effort':
    case undefined:
      return { reasoning_effort: effort }
  }
}

function toSystem({ model, context }: ModelRequest): readonly Wire[] {
  const text = context.systemPrompt.filter((block) => block !== '').join('\n\n')
  if (text === '') return []
  const marked = model.options.cacheControl === true
  const content = marked ? [{ type: 'text', text, ...EPHEMERAL }] : text
  return [{ role: model.options.systemRole ?? 'system', content }]
}

function toWire(message: Message, request: ModelRequest, marked: boolean): Wire {
  const { options } = request.model
  switch (message.role) {
    case 'user':
      return { role: 'user', content: toContent(message.content, marked) }
    case 'developer':
      return {
        role: options.noteRole ?? options.systemRole ?? 'system',
        content: toContent(message.content, marked),
      }
    case 'assistant':
      return fromAssistant(message, request)
    case 'toolResult': {
      const text = joinTexts(message.content)
      const content = marked ? [{ type: 'text', text, ...EPHEMERAL }] : text
      return { role: 'tool', tool_call_id: message.toolCallId, content }
    }
  }
}

function fromAssistant({ content }: AssistantMessage, { model, effort }: ModelRequest): Wire {
  const text = joinTexts(content)
  const calls: Wire[] = []
  let signature: string | undefined
  for (const block of content) {
    if (block.type === 'thinking') signature = block.signature
    else if (block.type === 'toolCall') {
      const { id, name } = block
      const call = { name, arguments: JSON.stringify(block.arguments) }
      calls.push({ id, type: 'function', function: call })
    }
  }
  const wanted = model.options.replayThinking === 'always' && effort !== null
  const missing = wanted ? { reasoning_content: '' } : null
  const thoughts = signature === undefined ? missing : toThoughts(content, signature)
  // DeepSeek refuses an empty string beside tool calls; null is what the API documents.
  const message = { role: 'assistant', content: text === '' ? null : text, ...thoughts }
  return calls.length > 0 ? { ...message, tool_calls: calls } : message
}

/** Thoughts go back under the name they came by, or as the list that OpenRouter signs; this API has no name for them of its own. */
function toThoughts(content: AssistantMessage['content'], signature: string): Wire {
  if (signature.startsWith('[')) {
    try {
      return { reasoning_details: JSON.parse(signature) }
    } catch {
      return {}
    }
  }
  if (!THOUGHT_FIELDS.has(signature)) return {}
  const thoughts = content.flatMap((block) => (block.type === 'thinking' ? [block.thinking] : []))
  return { [signature]: thoughts.join('\n') }
}

/** Names under which servers send thoughts; a block's signature says which. */
const THOUGHT_FIELDS = new Set(['reasoning_content', 'reasoning', 'reasoning_text'])

function joinTexts(content: AssistantMessage['content']): string {
  let joined: string | null = null
  for (const block of content) {
    if (block.type === 'text') joined = joined === null ? block.text : `${joined}\n${block.text}`
  }
  return joined ?? ''
}

/** A string where there is only one, parts where there are blocks or a mark. */
function toContent(content: string | readonly InputBlock[], marked: boolean): unknown {
  if (typeof content === 'string') {
    return marked ? [{ type: 'text', text: content, ...EPHEMERAL }] : content
  }
  return content.map((block, at): Wire => {
    const mark = marked && at === content.length - 1 ? EPHEMERAL : {}
    if (block.type === 'text') return { type: 'text', text: block.text, ...mark }
    const url = `data:${block.mimeType};base64,${block.data}`
    return { type: 'image_url', image_url: { url }, ...mark }
  })
}

function toTool({ name, description, parameters }: Tool): Wire {
  return {
    type: 'function',
    function: {
      name,
      ...(description === undefined ? {} : { description }),
      parameters: toParameters(parameters),
    },
  }
}
