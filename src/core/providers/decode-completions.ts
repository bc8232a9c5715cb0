import type { Block } from '../entry.ts'
import { classifyFrame } from './classify-error.ts'
import type { ModelAnswer, ModelEvent } from './types.ts'
import { ProviderError } from './types.ts'

/** Chunks of a streamed chat completion → one answer. Tolerates what compatible servers do; never guesses an end. */
export interface CompletionsDecoder {
  /** One `data` text. True when the model moved on. Throws ProviderError for an error frame. */
  push(data: string): boolean
  /** The whole answer. Throws ProviderError when the stream ended before the answer did. */
  finish(): ModelAnswer
}

interface OpenCall {
  id: string
  name: string
  json: string
}

type Fields = Readonly<Record<string, unknown>>

/** `apiKey` is removed from whatever the provider says. */
export function createCompletionsDecoder(
  apiKey: string | null,
  onEvent: (event: ModelEvent) => void,
): CompletionsDecoder {
  const texts: string[] = []
  const thoughts: string[] = []
  const calls: OpenCall[] = []
  let finishReason: string | null = null
  let done = false
  let usage: Fields | null = null

  function push(data: string): boolean {
    if (data.trim() === '') return false
    if (data.trim() === '[DONE]') {
      done = true
      return false
    }
    const chunk = parse(data, apiKey)
    if (isObject(chunk['error']) || typeof chunk['error'] === 'string') {
      throw classifyFrame(chunk['error'], apiKey)
    }
    if (chunk['choices'] === undefined && typeof chunk['message'] === 'string') {
      throw classifyFrame(chunk, apiKey)
    }
    const choice = Array.isArray(chunk['choices']) ? asObject(chunk['choices'][0]) : null
    const spent = asObject(chunk['usage']) ?? asObject(choice?.['usage'])
    if (spent !== null) usage = spent
    if (choice === null) return false
    if (isObject(choice['error'])) throw classifyFrame(choice['error'], apiKey)
    if (typeof choice['finish_reason'] === 'string') finishReason = choice['finish_reason']
    return readDelta(asObject(choice['delta']) ?? asObject(choice['message']) ?? {})
  }

  function readDelta(delta: Fields): boolean {
    let moved = false
    const text = delta['content'] ?? delta['refusal']
    if (typeof text === 'string' && text !== '') {
      texts.push(text)
      onEvent({ type: 'text', delta: text })
      moved = true
    }
    // The same thought may come under two of these names; the first one counts.
    const thought = delta['reasoning_content'] ?? delta['reasoning'] ?? delta['reasoning_text']
    if (typeof thought === 'string' && thought !== '') {
      thoughts.push(thought)
      onEvent({ type: 'thinking', delta: thought })
      moved = true
    }
    const parts = Array.isArray(delta['tool_calls']) ? delta['tool_calls'] : []
    for (const part of parts) if (isObject(part)) moved = readCall(part) || moved
    return moved
  }

  /** A part belongs to the call of its index, unless it brings an id that this call does not have. */
  function readCall(part: Fields): boolean {
    const fn = asObject(part['function']) ?? {}
    const id = typeof part['id'] === 'string' ? part['id'] : ''
    const index = typeof part['index'] === 'number' ? part['index'] : calls.length - 1
    let call = calls.find((known) => id !== '' && known.id === id)
    if (call === undefined) {
      const at = calls[Math.max(0, index)]
      const last = calls.at(-1)
      const same = id === '' || at?.id === ''
      call = at !== undefined && same ? at : id === '' && last !== undefined ? last : undefined
    }
    if (call === undefined) {
      call = { id, name: '', json: '' }
      calls.push(call)
    }
    if (id !== '') call.id = id
    if (typeof fn['name'] === 'string' && fn['name'] !== '') call.name = fn['name']
    const json = fn['arguments']
    const text = isObject(json) ? JSON.stringify(json) : typeof json === 'string' ? json : ''
    call.json += text
    onEvent({ type: 'toolCall', delta: text })
    return true
  }

  function finish(): ModelAnswer {
    const reason = finishReason?.toLowerCase() ?? null
    if (reason === null && !done) {
      throw new ProviderError('truncated', 'The provider’s answer broke off before its end')
    }
    if (reason === 'content_filter') {
      throw new ProviderError('content_blocked', 'The provider’s content filter stopped the answer')
    }
    if (
      reason === 'error' ||
      reason === 'network_error' ||
      reason === 'insufficient_system_resource'
    ) {
      throw new ProviderError('overloaded', `The provider ended the answer with ${reason}`)
    }
    if (reason === 'model_context_window_exceeded') {
      throw new ProviderError('overflow', 'The prompt exceeds the context window of this model')
    }
    const content: Block[] = []
    if (thoughts.length > 0) content.push({ type: 'thinking', thinking: join(thoughts) })
    if (texts.length > 0) content.push({ type: 'text', text: join(texts) })
    for (const call of calls) {
      content.push({
        type: 'toolCall',
        id: call.id || `call_${content.length}`,
        name: call.name,
        arguments: parseArguments(call.json),
      })
    }
    const cut = reason === 'length' || reason === 'max_tokens'
    const called = calls.length > 0
    return {
      content,
      stopReason: cut ? 'length' : called ? 'toolUse' : 'stop',
      usage: readUsage(usage),
    }
  }

  return { push, finish }
}

/** Input excludes what came from the cache; what the provider does not tell is null. */
function readUsage(usage: Fields | null): ModelAnswer['usage'] {
  const count = (of: Fields | null, name: string): number | null => {
    const value = of?.[name]
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
  }
  const details = asObject(usage?.['prompt_tokens_details'])
  const prompt = count(usage, 'prompt_tokens')
  const cacheRead =
    count(details, 'cached_tokens') ??
    count(usage, 'prompt_cache_hit_tokens') ??
    count(usage, 'cached_tokens')
  const cacheWrite = count(details, 'cache_write_tokens')
  return {
    input: prompt === null ? null : Math.max(0, prompt - (cacheRead ?? 0) - (cacheWrite ?? 0)),
    output: count(usage, 'completion_tokens'),
    cacheRead,
    cacheWrite,
  }
}

function parse(data: string, apiKey: string | null): Fields {
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch {
    // Proxies put plain text or a page into a 200; a lone line of it is their error message.
    const text = /^\s*</.test(data) ? 'The provider answered with an HTML page' : data
    throw classifyFrame(text, apiKey)
  }
  if (isObject(value)) return value
  throw classifyFrame(value, apiKey)
}

/** Arguments that are no JSON object are kept as they came, under `raw`, so that nothing is lost or made up. */
function parseArguments(json: string): Fields {
  if (json.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? value : { raw: json.toWellFormed() }
  } catch {
    return { raw: json.toWellFormed() }
  }
}

function join(parts: readonly string[]): string {
  return parts.join('').toWellFormed()
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function asObject(value: unknown): Fields | null {
  return isObject(value) ? value : null
}
