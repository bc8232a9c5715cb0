import type { Usage } from '../entry.ts'
import { classifyFrame } from './classify-error.ts'
import type { Fields } from './fields.ts'
import { asFields, listOf, textOf } from './fields.ts'
import { brokeOff, isFlatError, readFrame } from './read-frame.ts'
import { countOf, without } from './read-usage.ts'
import type { OpenItem } from './response-item.ts'
import { byPlace, merge, textsOf, toBlocks } from './response-item.ts'
import { secretsOf } from './secrets-of.ts'
import type { Decoder, Model, ModelAnswer, ModelEvent } from './types.ts'
import { ProviderError } from './types.ts'

/** Events of a streamed response → one answer; see Decoder. */
export function createResponsesDecoder(
  model: Model,
  onEvent: (event: ModelEvent) => void,
): Decoder {
  const items: OpenItem[] = []
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

  /**
   * The item that an event is about: the one at its place, else the one of its id, and where it tells neither, the
   * latest of its type. The first event to tell of an item opens it.
   */
  function itemOf(place: number | null, id: string, type: string): OpenItem {
    const known =
      items.find((open) => place !== null && open.place === place) ??
      items.find((open) => id !== '' && open.id === id) ??
      (place === null && id === '' ? items.findLast((open) => open.type === type) : undefined)
    if (known !== undefined) {
      known.place ??= place
      known.id ||= id
      return known
    }
    const open = { type, place, id, order: items.length, item: {}, texts: [], json: [] }
    items.push(open)
    return open
  }

  function itemOfEvent(event: Fields, type: string): OpenItem {
    const id = textOf(event, 'item_id') || textOf(asFields(event['item']), 'id')
    return itemOf(placeOf(event), id, type)
  }

  function meet(event: Fields, item: Fields): boolean {
    const before = items.length
    const open = itemOfEvent(event, textOf(item, 'type'))
    open.type = textOf(item, 'type') || open.type
    open.item = merge(open.item, item)
    const fresh = items.length > before
    if (fresh && open.type === 'function_call') onEvent(callEvent(open, ''))
    return fresh
  }

  function grow(event: Fields, type: string, kind: ModelEvent['type']): boolean {
    const delta = textOf(event, 'delta')
    if (delta === '') return false
    const open = itemOfEvent(event, type)
    if (kind === 'toolCall') {
      open.json.push(delta)
      onEvent(callEvent(open, delta))
    } else {
      open.texts.push(delta)
      onEvent({ type: kind, delta })
    }
    return true
  }

  function callEvent(open: OpenItem, delta: string): ModelEvent {
    return {
      type: 'toolCall',
      index: items.filter(({ type }) => type === 'function_call').indexOf(open),
      id: textOf(open.item, 'call_id').toWellFormed(),
      name: textOf(open.item, 'name').toWellFormed(),
      delta,
    }
  }

  /** Parts of a summary are paragraphs. */
  function separate(event: Fields): boolean {
    const { texts } = itemOfEvent(event, 'reasoning')
    if (texts.length > 0) texts.push('\n\n')
    return false
  }

  /** The last event tells the whole response; some servers tell the text nowhere else, others tell no places before it. */
  function end(whole: Fields): boolean {
    response = whole
    const before = items.length
    for (const [place, item] of listOf(whole['output']).entries()) {
      const type = textOf(item, 'type')
      const id = textOf(item, 'id')
      const placeless = items.find((open) => open.place === null && open.type === type)
      const open =
        placeless !== undefined && !isKnown(place, id) ? placeless : itemOf(place, id, type)
      open.place ??= place
      const fresh = open.order >= before
      open.item = merge(open.item, item)
      if (fresh) for (const delta of textsOf(item)) onEvent({ type: 'text', delta })
    }
    return items.length > before
  }

  function isKnown(place: number, id: string): boolean {
    return items.some((open) => open.place === place || (id !== '' && open.id === id))
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
    const blocks = items.toSorted(byPlace).flatMap(toBlocks)
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

function placeOf(event: Fields): number | null {
  const place = event['output_index']
  return typeof place === 'number' ? place : null
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
