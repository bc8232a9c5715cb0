import type { Block } from '../entry.ts'
import { classifyFrame } from './classify-error.ts'
import { createTexts, mergeDetail, thoughtOf } from './completion-parts.ts'
import type { Fields } from './fields.ts'
import { asFields, isFields, listOf, textOf } from './fields.ts'
import { brokeOff, isFlatError, parseArguments, readFrame } from './read-frame.ts'
import { readUsage } from './read-usage.ts'
import { secretsOf } from './secrets-of.ts'
import type { Decoder, Model, ModelAnswer, ModelEvent } from './types.ts'
import { ProviderError } from './types.ts'

interface OpenCall {
  readonly index: number | null
  id: string
  name: string
  json: string
}

/** Names under which servers send thoughts, and under which they want them back. */
const THOUGHT_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_text'] as const

/** Chunks of a streamed chat completion → one answer; see Decoder. */
export function createCompletionsDecoder(
  model: Model,
  onEvent: (event: ModelEvent) => void,
): Decoder {
  const texts = createTexts()
  let heard = false
  let refused = false
  const thoughts: string[] = []
  let thoughtField: string | null = null
  const details: Record<string, unknown>[] = []
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
    const chunk = readFrame(data, model)
    if (chunk['choices'] === undefined && isFlatError(chunk)) {
      throw classifyFrame(chunk, secretsOf(model))
    }
    const choice = Array.isArray(chunk['choices']) ? asFields(chunk['choices'][0]) : null
    const spent = asFields(chunk['usage']) ?? asFields(choice?.['usage'])
    if (spent !== null) usage = spent
    if (choice === null) return false
    if (isFields(choice['error'])) throw classifyFrame(choice['error'], secretsOf(model))
    if (typeof choice['finish_reason'] === 'string') finishReason = choice['finish_reason']
    // A server that does not stream answers with a message; some that do tell it all again at the end.
    const whole = heard ? null : asFields(choice['message'])
    return readDelta(asFields(choice['delta']) ?? whole ?? {})
  }

  function readDelta(delta: Fields): boolean {
    let moved = readContent(delta['content'])
    const refusal = textOf(delta, 'refusal')
    if (refusal !== '') {
      refused = true
      moved = say(refusal)
    }
    // The same thought may come under two of these names; the first one counts.
    const field = THOUGHT_FIELDS.find((name) => textOf(delta, name) !== '')
    if (field !== undefined) {
      thoughtField ??= field
      moved = think(textOf(delta, field))
    }
    for (const detail of listOf(delta['reasoning_details'])) mergeDetail(details, detail)
    for (const part of listOf(delta['tool_calls'])) moved = readCall(part) || moved
    heard ||= moved
    return moved
  }

  /** Text, or the parts of it that Mistral sends when its models think. */
  function readContent(content: unknown): boolean {
    if (typeof content === 'string') return content !== '' && say(content)
    let moved = false
    for (const part of listOf(content)) {
      const thought = listOf(part['thinking']).map((piece) => textOf(piece, 'text'))
      if (thought.some((piece) => piece !== '')) moved = think(thought.join(''))
      if (textOf(part, 'text') !== '') moved = say(textOf(part, 'text'))
    }
    return moved
  }

  function say(delta: string): boolean {
    texts.push(delta, calls.length)
    onEvent({ type: 'text', delta })
    return true
  }

  function think(delta: string): boolean {
    thoughts.push(delta)
    onEvent({ type: 'thinking', delta })
    return true
  }

  /**
   * A part belongs to the call of its id; without one to the latest call of its index (servers start at 1, or give
   * every call 0) or the last call. A new id starts a call, and so does a name when the call so far is whole.
   */
  function readCall(part: Fields): boolean {
    const fn = asFields(part['function']) ?? {}
    const id = textOf(part, 'id')
    const name = textOf(fn, 'name')
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
    const text = isFields(json) ? JSON.stringify(json) : typeof json === 'string' ? json : ''
    call.json += text
    if (!fresh && text === '') return false
    onEvent({
      type: 'toolCall',
      index: calls.indexOf(call),
      id: call.id,
      name: call.name,
      delta: text,
    })
    return true
  }

  function finish(): ModelAnswer {
    const reason = finishReason?.toLowerCase() ?? null
    if (reason === null && !done) {
      throw brokeOff()
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
    const thought = thoughtOf(thoughts, details, thoughtField)
    if (thought !== null) content.push(thought)
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

function isWhole(call: OpenCall | undefined): boolean {
  return call !== undefined && call.json.trim() !== '' && !('raw' in parseArguments(call.json))
}
