import type {
  AssistantMessage,
  Block,
  InputBlock,
  Message,
  Tool,
  ToolResultMessage,
} from '../entry.ts'
import type { ProviderCall } from './call-provider.ts'
import { createGoogleDecoder } from './decode-google.ts'
import { fitMessages, signatureOf } from './fit-messages.ts'
import { toThinkingConfig } from './google-thinking.ts'
import { toParameters } from './tool-schema.ts'
import type { Model, ModelRequest, StreamFn } from './types.ts'
import { createStream, toHeaders } from './wire.ts'

/**
 * The wire of Google's Generative Language API. Live turn and handoff both go through here. What may differ stands at
 * the end of the body, so that their bytes are the same up to there.
 */
export function encodeGoogleGenerativeAi(request: ModelRequest): ProviderCall {
  const { model, context } = request
  const { history, tail } = fitMessages(request)
  const system = context.systemPrompt.filter((text) => text !== '')
  const config = toConfig(request)
  // An explicit AUTO makes Gemini 3 show its planning.
  const none =
    context.tools.length > 0 && model.options.toolChoice !== false && request.toolChoice === 'none'
  const body = {
    ...(system.length === 0 ? {} : { systemInstruction: { parts: system.map(toText) } }),
    ...(context.tools.length === 0
      ? {}
      : { tools: [{ functionDeclarations: context.tools.map(toTool) }] }),
    ...(config === null ? {} : { generationConfig: config }),
    contents: [
      ...(history[0]?.role === 'assistant' ? [OPENING] : []),
      ...toContents(history, model),
      ...toContents(tail, model),
    ],
    ...(none ? { toolConfig: { functionCallingConfig: { mode: 'NONE' } } } : {}),
  }
  const name = model.id.replace(/^models\//, '')
  return {
    url: `${model.baseUrl}/models/${encodeURIComponent(name)}:streamGenerateContent?alt=sse`,
    headers: toHeaders(request, model.apiKey === null ? {} : { 'x-goog-api-key': model.apiKey }),
    body: JSON.stringify(body),
  }
}

/** One request over this wire; see StreamFn. */
export const streamGoogleGenerativeAi: StreamFn = createStream({
  encode: encodeGoogleGenerativeAi,
  createDecoder: createGoogleDecoder,
})

type Wire = Readonly<Record<string, unknown>>

/** The API begins with the user; a branch may begin with an answer. */
const OPENING: Wire = { role: 'user', parts: [{ text: '(The conversation continues.)' }] }
const BASE64 = /^[\w+/-]+={0,2}$/
/** Google's own word for a call that another model made, which Gemini 3 would refuse unsigned. */
const UNSIGNED_CALL = 'skip_thought_signature_validator'

function toConfig(request: ModelRequest): Wire | null {
  const { maxTokens } = request.model
  const thinkingConfig = toThinkingConfig(request)
  if (maxTokens === null && thinkingConfig === null) return null
  return {
    ...(maxTokens === null ? {} : { maxOutputTokens: maxTokens }),
    ...(thinkingConfig === null ? {} : { thinkingConfig }),
  }
}

/** Answers in a row are one content, and so are the results of one step: the API counts them against its calls. */
function toContents(messages: readonly Message[], model: Model): readonly Wire[] {
  const contents: { role: string; parts: Wire[] }[] = []
  let before: Message['role'] | null = null
  for (const message of messages) {
    const { role } = message
    const parts = role === 'assistant' ? fromAssistant(message, model) : toParts(message, model)
    if (parts.length === 0) continue
    const joins = role === before && (role === 'assistant' || role === 'toolResult')
    if (joins) contents.at(-1)?.parts.push(...parts)
    else contents.push({ role: role === 'assistant' ? 'model' : 'user', parts: [...parts] })
    before = role
  }
  return contents
}

function toParts(message: Exclude<Message, AssistantMessage>, model: Model): readonly Wire[] {
  if (message.role === 'toolResult') return [toResponse(message, model)]
  if (typeof message.content === 'string') return [{ text: message.content }]
  return message.content.map(toPart)
}

/** Gemini 3 matches responses to calls by id, earlier models by order. */
function toResponse(message: ToolResultMessage, model: Model): Wire {
  const { toolName, toolCallId, content, isError } = message
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
  const response = isError ? { error: text } : { output: text }
  return { functionResponse: { ...toId(toolCallId, model), name: toolName, response } }
}

/** A signature goes back on the very part it came on; thoughts without one stay behind. */
function fromAssistant({ content }: AssistantMessage, model: Model): readonly Wire[] {
  let called = false
  return content.flatMap((block): readonly Wire[] => {
    switch (block.type) {
      case 'text':
        return [{ text: block.text, ...toSignature(block, model) }]
      case 'toolCall': {
        const first = !called
        called = true
        const { id, name, arguments: args } = block
        const unsigned = first && isThree(model) ? { thoughtSignature: UNSIGNED_CALL } : {}
        const functionCall = { ...toId(id, model), name, args }
        return [{ functionCall, ...unsigned, ...toSignature(block, model) }]
      }
      case 'thinking': {
        const signed = toSignature(block, model)
        return 'thoughtSignature' in signed
          ? [{ text: block.thinking, thought: true, ...signed }]
          : []
      }
      case 'image':
        return []
    }
  })
}

/** Bytes in base64: what is anything else is another program's mark, and the API refuses it. */
function toSignature(block: Block, { options }: Model): Wire {
  const signature = options.replayThinking === false ? undefined : signatureOf(block)
  return signature !== undefined && BASE64.test(signature) ? { thoughtSignature: signature } : {}
}

function toId(id: string, model: Model): Wire {
  return isThree(model) ? { id } : {}
}

function toPart(block: InputBlock): Wire {
  if (block.type === 'text') return toText(block.text)
  return { inlineData: { mimeType: block.mimeType, data: block.data } }
}

function toText(text: string): Wire {
  return { text }
}

/** Gemini 3 and later, and the aliases of the latest: they look for the signature and the id of a call. */
function isThree({ id }: Model): boolean {
  return /^(?:models\/)?gemini-(?:[3-9]|\d\d|[a-z-]+-latest$)/.test(id)
}

function toTool({ name, description, parameters }: Tool): Wire {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    parametersJsonSchema: toParameters(parameters),
  }
}
