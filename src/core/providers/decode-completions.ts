import type { Block } from '../entry.ts'
import { toWellFormed } from '../transcript/well-formed.ts'
import { classifyFrame } from './classify-error.ts'
import { readUsage } from './read-usage.ts'
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
  readonly index: number | null
  id: string
  name: string
  json: string
}

const BROKE_OFF = 'The provider’s answer broke off before its end'
const HTML_PAGE = 'The provider answered with an HTML page'

type Fields = Readonly<Record<string, unknown>>

/** `apiKey` is removed from whatever the provider says. */
export function createCompletionsDecoder(
  apiKey: string | null,
  onEvent: (event: ModelEvent) => void,
): CompletionsDecoder {
  const texts = createTexts()
  let refused = false
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
    if (isObject(chunk['error']) || (typeof chunk['error'] === 'string' && chunk['error'] !== '')) {
      throw classifyFrame(chunk, apiKey)
    }
    const flat = typeof (chunk['message'] ?? chunk['detail']) === 'string' || chunk['errors']
    if (chunk['choices'] === undefined && flat) throw classifyFrame(chunk, apiKey)
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
    for (const name of ['content', 'refusal']) {
      const text = delta[name]
      if (typeof text !== 'string' || text === '') continue
      texts.push(text, calls.length)
      refused ||= name === 'refusal'
      onEvent({ type: 'text', delta: text })
      moved = true
    }
    // The same thought may come under two of these names; the first one counts.
    const thought = ['reasoning_content', 'reasoning', 'reasoning_text']
      .map((name) => delta[name])
      .find((said) => typeof said === 'string' && said !== '')
    if (typeof thought === 'string') {
      thoughts.push(thought)
      onEvent({ type: 'thinking', delta: thought })
      moved = true
    }
    const parts = Array.isArray(delta['tool_calls']) ? delta['tool_calls'] : []
    for (const part of parts) if (isObject(part)) moved = readCall(part) || moved
    return moved
  }

  /**
   * A part belongs to the call of its id; without one to the latest call of its index (servers start at 1, or give
   * every call 0) or the last call. A new id starts a call, and so does a name when the call so far is whole.
   */
  function readCall(part: Fields): boolean {
    const fn = asObject(part['function']) ?? {}
    const id = typeof part['id'] === 'string' ? part['id'] : ''
    const name = typeof fn['name'] === 'string' ? fn['name'] : ''
    const index = typeof part['index'] === 'number' ? part['index'] : null
    let call = calls.find((known) => id !== '' && known.id === id)
    if (call === undefined) {
      const at = index === null ? undefined : calls.findLast((known) => known.index === index)
      const near = at ?? (index === null || name === '' ? calls.at(-1) : undefined)
      const other = id === '' ? name !== '' && isWhole(near) : near?.id !== ''
      call = other ? undefined : near
    }
    const fresh = call === undefined
    if (call === undefined) {
      call = { index, id, name: '', json: '' }
      calls.push(call)
    }
    if (id !== '') call.id = id
    if (name !== '') call.name = name
    const json = fn['arguments']
    const text = isObject(json) ? JSON.stringify(json) : typeof json === 'string' ? json : ''
    call.json += text
    if (!fresh && text === '') return false
    onEvent({ type: 'toolCall', delta: text })
    return true
  }

  function finish(): ModelAnswer {
    const reason = finishReason?.toLowerCase() ?? null
    if (reason === null && !done) {
      throw new ProviderError('truncated', BROKE_OFF)
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
    content.push(...texts.after(0))
    for (const [at, call] of calls.entries()) {
      content.push({
        type: 'toolCall',
        // Unique in the whole conversation: results find their call by it.
        id: call.id.toWellFormed() || `call_${crypto.randomUUID()}`,
        name: call.name.toWellFormed(),
        arguments: parseArguments(call.json),
      })
      content.push(...texts.after(at + 1))
    }
    const cut = reason === 'length' || reason === 'max_tokens'
    const called = calls.length > 0
    return {
      content,
      stopReason: cut ? 'length' : called ? 'toolUse' : 'stop',
      usage: readUsage(usage),
      ...(refused ? { refused } : {}),
    }
  }

  return { push, finish }
}

/** Pieces of text by how many calls came before them: what a model says after a call is a block of its own. */
function createTexts(): {
  push(text: string, callsBefore: number): void
  after(calls: number): readonly Block[]
} {
  const pieces = new Map<number, string[]>()
  return {
    push(text, callsBefore) {
      const block = pieces.get(callsBefore)
      if (block === undefined) pieces.set(callsBefore, [text])
      else block.push(text)
    },
    after(calls) {
      const text = join(pieces.get(calls) ?? [])
      // Some servers send line breaks between the parts of their calls.
      return text === '' || (calls > 0 && text.trim() === '') ? [] : [{ type: 'text', text }]
    },
  }
}

function parse(data: string, apiKey: string | null): Fields {
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch {
    // A piece of JSON was cut off; it may hold the answer's text, so it is not shown.
    if (/^\s*[{[]/.test(data)) throw new ProviderError('truncated', BROKE_OFF)
    // Proxies put plain text or a page into a 200; a lone line of it is their error message.
    throw classifyFrame(/^\s*</.test(data) ? HTML_PAGE : data, apiKey)
  }
  if (isObject(value)) return value
  throw classifyFrame(value, apiKey)
}

/** Arguments that are no JSON object are kept as they came, under `raw`, so that nothing is lost or made up. */
function parseArguments(json: string): Fields {
  if (json.trim() === '') return {}
  try {
    const { value } = toWellFormed(JSON.parse(json))
    return isObject(value) ? value : { raw: json.toWellFormed() }
  } catch {
    return { raw: json.toWellFormed() }
  }
}

function isWhole(call: OpenCall | undefined): boolean {
  return call !== undefined && call.json.trim() !== '' && !('raw' in parseArguments(call.json))
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
