import type { Block, Usage } from '../entry.ts'
import { classifyFrame } from './classify-error.ts'
import type { Fields } from './fields.ts'
import { asFields, listOf, textOf } from './fields.ts'
import { brokeOff, isFlatError, joinText, parseArguments, readFrame } from './read-frame.ts'
import { countOf, without } from './read-usage.ts'
import { secretsOf } from './secrets-of.ts'
import type { Decoder, Model, ModelAnswer, ModelEvent } from './types.ts'
import { ProviderError } from './types.ts'

/** One output item on its way. Pieces find it by the item's id, or by its place in the output where ids are missing. */
interface OpenItem {
  type: string
  /** in the output; as it came where no event told */
  readonly place: number
  /** the item as its last event told it, whole or not */
  item: Fields
  readonly texts: string[]
  readonly json: string[]
}

/** Events of a streamed response → one answer; see Decoder. */
export function createResponsesDecoder(
  model: Model,
  onEvent: (event: ModelEvent) => void,
): Decoder {
  const items = new Map<string, OpenItem>()
  let response: Fields | null = null
  let refused = false

  function push(data: string): boolean {
    if (data.trim() === '' || data.trim() === '[DONE]') return false
    const event = readFrame(data, model)
    const type = textOf(event, 'type')
    if (type === '' && event['object'] === 'response') return end(event)
    if (type === 'error' || (type === '' && isFlatError(event)))
      throw classifyFrame(event, secretsOf(model))
    switch (type) {
      case 'response.output_item.added':
      case 'response.output_item.done':
        return meet(event, asFields(event['item']) ?? {})
      case 'response.output_text.delta':
        return grow(event, 'message', 'text')
      case 'response.refusal.delta':
        refused = true
        return grow(event, 'message', 'text')
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return grow(event, 'reasoning', 'thinking')
      case 'response.reasoning_summary_part.added':
        return separate(event)
      case 'response.function_call_arguments.delta':
        return grow(event, 'function_call', 'toolCall')
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
      case 'response.cancelled':
      case 'response.done':
        return end(asFields(event['response']) ?? {})
      default:
        return false
    }
  }

  /** The item that an event is about; the first event to name it opens it. */
  function itemOf(event: Fields, type: string): OpenItem {
    const place = event['output_index']
    const key = typeof place === 'number' ? `at ${place}` : `id ${keyOf(event)}`
    const at = typeof place === 'number' ? place : items.size
    const open = items.get(key) ?? { type, place: at, item: {}, texts: [], json: [] }
    items.set(key, open)
    return open
  }

  function meet(event: Fields, item: Fields): boolean {
    const fresh = items.size
    const open = itemOf(event, textOf(item, 'type'))
    open.type = textOf(item, 'type') || open.type
    open.item = merge(open.item, item)
    if (items.size > fresh && open.type === 'function_call') {
      onEvent({ type: 'toolCall', delta: '' })
    }
    return items.size > fresh
  }

  function grow(event: Fields, type: string, kind: ModelEvent['type']): boolean {
    const delta = textOf(event, 'delta')
    if (delta === '') return false
    const open = itemOf(event, type)
    if (kind === 'toolCall') open.json.push(delta)
    else open.texts.push(delta)
    onEvent({ type: kind, delta })
    return true
  }

  /** Parts of a summary are paragraphs. */
  function separate(event: Fields): boolean {
    const { texts } = itemOf(event, 'reasoning')
    if (texts.length > 0) texts.push('\n\n')
    return false
  }

  /** The last event tells the whole response; some servers tell the text nowhere else. */
  function end(whole: Fields): boolean {
    response = whole
    let moved = false
    for (const [place, item] of listOf(whole['output']).entries()) {
      const event = { output_index: place, item_id: item['id'] }
      const open = items.get(`at ${place}`) ?? items.get(`id ${keyOf(event)}`)
      if (open !== undefined) open.item = merge(open.item, item)
      else {
        moved = meet(event, item) || moved
        for (const delta of textsOf(item)) onEvent({ type: 'text', delta })
      }
    }
    return moved
  }

  function finish(): ModelAnswer {
    if (response === null) throw brokeOff()
    const status = textOf(response, 'status')
    const reason = textOf(asFields(response['incomplete_details']), 'reason')
    if (status === 'failed' || asFields(response['error']) !== null) {
      throw classifyFrame(response['error'] ?? 'The response failed', secretsOf(model))
    }
    if (status === 'cancelled') {
      throw new ProviderError('overloaded', 'The provider cancelled the response')
    }
    if (reason === 'content_filter') {
      throw new ProviderError('content_blocked', 'The provider’s content filter stopped the answer')
    }
    const blocks = [...items.values()].toSorted(byPlace).flatMap(toBlocks)
    const refuses = refused || blocks.some(({ refusal }) => refusal)
    const content = blocks.map(({ block }) => block)
    const called = content.some(({ type }) => type === 'toolCall')
    return {
      content,
      stopReason: status === 'incomplete' ? 'length' : called ? 'toolUse' : 'stop',
      usage: readUsage(asFields(response['usage'])),
      ...(refuses ? { refused: true } : {}),
    }
  }

  return { push, finish }
}

/** Later events tell more of an item, and null for what they leave out. */
function merge(known: Fields, later: Fields): Fields {
  const told = Object.entries(later).filter(([, value]) => value !== null && value !== undefined)
  return { ...known, ...Object.fromEntries(told) }
}

function byPlace(one: OpenItem, other: OpenItem): number {
  return one.place - other.place
}

function keyOf(event: Fields): string {
  return textOf(event, 'item_id') || textOf(asFields(event['item']), 'id')
}

function textsOf(item: Fields): readonly string[] {
  return listOf(item['content'])
    .map((part) => textOf(part, 'text') || textOf(part, 'refusal'))
    .filter((text) => text !== '')
}

interface Decoded {
  readonly block: Block
  readonly refusal: boolean
}

function toBlocks({ type, item, texts, json }: OpenItem): readonly Decoded[] {
  switch (type) {
    case 'message': {
      const text = joinText(texts.length > 0 ? texts : textsOf(item))
      const refusal = listOf(item['content']).some((part) => part['type'] === 'refusal')
      return text === '' ? [] : [{ block: { type: 'text', text }, refusal }]
    }
    case 'reasoning': {
      const told = listOf(item['summary']).map((part) => textOf(part, 'text'))
      const thinking = joinText(texts.length > 0 ? texts : [told.join('\n\n')])
      // The whole item goes back with the next request: what is encrypted in it is the thought itself.
      const sealed = textOf(item, 'encrypted_content') !== ''
      if (thinking === '' && !sealed) return []
      const mark = sealed ? { signature: JSON.stringify(withoutStatus(item)) } : {}
      return [{ block: { type: 'thinking', thinking, ...mark }, refusal: false }]
    }
    case 'function_call': {
      const whole = item['arguments']
      const text = typeof whole === 'string' && whole !== '' ? whole : json.join('')
      const block: Block = {
        type: 'toolCall',
        id: textOf(item, 'call_id').toWellFormed() || `call_${crypto.randomUUID()}`,
        name: textOf(item, 'name').toWellFormed(),
        arguments: parseArguments(
          typeof whole === 'object' && whole !== null ? JSON.stringify(whole) : text,
        ),
      }
      return [{ block, refusal: false }]
    }
    default:
      return []
  }
}

/** Answers say how far an item is; requests may not. */
function withoutStatus({ status: _status, ...item }: Fields): Fields {
  return item
}

/** This API counts cached tokens within the input, and reasoning within the output. */
function readUsage(usage: Fields | null): Usage {
  const details = asFields(usage?.['input_tokens_details'])
  const cacheRead = countOf(details, 'cached_tokens')
  const cacheWrite = countOf(details, 'cache_write_tokens')
  return {
    input: without(countOf(usage, 'input_tokens'), cacheRead, cacheWrite),
    output: countOf(usage, 'output_tokens'),
    cacheRead,
    cacheWrite,
    reasoning: countOf(asFields(usage?.['output_tokens_details']), 'reasoning_tokens'),
  }
}
