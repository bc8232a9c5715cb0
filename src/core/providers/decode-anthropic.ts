import type { Block, Usage } from '../entry.ts'
import { classifyFrame } from './classify-error.ts'
import type { Fields } from './fields.ts'
import { asFields, listOf, textOf } from './fields.ts'
import { brokeOff, isFlatError, joinText, parseArguments, readFrame } from './read-frame.ts'
import { countOf } from './read-usage.ts'
import { secretsOf } from './secrets-of.ts'
import type { Decoder, Model, ModelAnswer, ModelEvent } from './types.ts'
import { ProviderError } from './types.ts'

/** One content block on its way; pieces find it by its index. */
interface OpenBlock {
  readonly index: unknown
  readonly start: Fields
  readonly pieces: string[]
  readonly signature: string[]
}

/** Events of a streamed message → one answer; see Decoder. */
export function createAnthropicDecoder(
  model: Model,
  onEvent: (event: ModelEvent) => void,
): Decoder {
  const blocks: OpenBlock[] = []
  let usage: Fields = {}
  let stopReason: string | null = null
  let stopped = false

  function push(data: string): boolean {
    if (data.trim() === '' || data.trim() === '[DONE]') return false
    const event = readFrame(data, model)
    if (event['type'] === undefined && isFlatError(event)) {
      throw classifyFrame(event, secretsOf(model))
    }
    switch (event['type']) {
      case 'message_start':
        count(asFields(event['message']))
        return false
      case 'content_block_start':
        return begin(event['index'], asFields(event['content_block']) ?? {})
      case 'content_block_delta':
        return grow(event['index'], asFields(event['delta']) ?? {})
      case 'message_delta':
        stopReason = textOf(asFields(event['delta']), 'stop_reason') || stopReason
        count(event)
        return false
      case 'message_stop':
        stopped = true
        return false
      case 'message':
        return readWhole(event)
      default:
        return false
    }
  }

  /** Later events restate counts, or send null for those they do not know. */
  function count(of: Fields | null): void {
    const told = Object.entries(asFields(of?.['usage']) ?? {}).filter(([, value]) => value !== null)
    usage = { ...usage, ...Object.fromEntries(told) }
  }

  function begin(index: unknown, start: Fields): boolean {
    const block = open(index, start)
    const text = textOf(start, 'text')
    const thinking = textOf(start, 'thinking')
    if (start['type'] === 'tool_use') onEvent(callEvent(block, ''))
    else if (text !== '') onEvent({ type: 'text', delta: text })
    else if (thinking !== '') onEvent({ type: 'thinking', delta: thinking })
    else return start['type'] === 'redacted_thinking'
    return true
  }

  function open(index: unknown, start: Fields): OpenBlock {
    const block = { index, start, pieces: [], signature: [] }
    blocks.push(block)
    return block
  }

  function grow(index: unknown, delta: Fields): boolean {
    const block = blocks.findLast((known) => known.index === index) ?? open(index, implied(delta))
    switch (delta['type']) {
      case 'text_delta':
        return add(block, 'text', textOf(delta, 'text'))
      case 'thinking_delta':
        return add(block, 'thinking', textOf(delta, 'thinking'))
      case 'input_json_delta':
        return add(block, 'toolCall', textOf(delta, 'partial_json'))
      case 'signature_delta':
        block.signature.push(textOf(delta, 'signature'))
        return true
      default:
        return false
    }
  }

  function add(block: OpenBlock, type: ModelEvent['type'], delta: string): boolean {
    if (delta === '') return false
    block.pieces.push(delta)
    onEvent(type === 'toolCall' ? callEvent(block, delta) : { type, delta })
    return true
  }

  function callEvent(block: OpenBlock, delta: string): ModelEvent {
    const calls = blocks.filter(({ start }) => start['type'] === 'tool_use')
    return {
      type: 'toolCall',
      index: calls.indexOf(block),
      id: textOf(block.start, 'id').toWellFormed(),
      name: textOf(block.start, 'name').toWellFormed(),
      delta,
    }
  }

  /** A server that ignored `stream`. */
  function readWhole(message: Fields): boolean {
    // Told again after it was streamed, it would stand there twice.
    const told = blocks.length > 0 ? [] : listOf(message['content'])
    for (const [index, block] of told.entries()) begin(index, block)
    stopReason = textOf(message, 'stop_reason') || stopReason
    count(message)
    stopped = true
    return true
  }

  function finish(): ModelAnswer {
    // The stop reason is enough: proxies lose the last event.
    if (stopReason === null && !stopped) throw brokeOff()
    if (stopReason === 'refusal') {
      throw new ProviderError('content_blocked', 'The provider refused to answer')
    }
    if (stopReason === 'model_context_window_exceeded') {
      throw new ProviderError('overflow', 'The prompt exceeds the context window of this model')
    }
    const content = blocks.flatMap(toBlock)
    const called = content.some(({ type }) => type === 'toolCall')
    const stop = stopReason === 'max_tokens' ? 'length' : called ? 'toolUse' : 'stop'
    return { content, stopReason: stop, usage: readUsage(usage) }
  }

  return { push, finish }
}

/** A delta whose block never began tells what it belongs to. */
function implied(delta: Fields): Fields {
  const type = { thinking_delta: 'thinking', signature_delta: 'thinking' }[String(delta['type'])]
  return { type: type ?? 'text' }
}

function toBlock({ start, pieces, signature }: OpenBlock): readonly Block[] {
  switch (start['type']) {
    case 'text': {
      const text = joinText([textOf(start, 'text'), ...pieces])
      return text === '' ? [] : [{ type: 'text', text }]
    }
    case 'thinking': {
      const mark = [textOf(start, 'signature'), ...signature].join('')
      const thinking = joinText([textOf(start, 'thinking'), ...pieces])
      if (thinking === '' && mark === '') return []
      return [{ type: 'thinking', thinking, ...(mark === '' ? {} : { signature: mark }) }]
    }
    case 'redacted_thinking':
      return [{ type: 'thinking', thinking: '', signature: textOf(start, 'data'), redacted: true }]
    case 'tool_use':
      return [
        {
          type: 'toolCall',
          id: textOf(start, 'id').toWellFormed() || `call_${crypto.randomUUID()}`,
          name: textOf(start, 'name').toWellFormed(),
          arguments:
            pieces.length > 0
              ? parseArguments(pieces.join(''))
              : parseArguments(JSON.stringify(start['input'] ?? {})),
        },
      ]
    default:
      return []
  }
}

/** This API counts cached tokens beside the input, and thinking within the output. */
function readUsage(usage: Fields): Usage {
  return {
    input: countOf(usage, 'input_tokens'),
    output: countOf(usage, 'output_tokens'),
    cacheRead: countOf(usage, 'cache_read_input_tokens'),
    cacheWrite: countOf(usage, 'cache_creation_input_tokens'),
    reasoning: countOf(asFields(usage['output_tokens_details']), 'thinking_tokens'),
  }
}
