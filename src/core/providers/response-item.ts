import type { Block } from '../entry.ts'
import type { Fields } from './fields.ts'
import { listOf, textOf } from './fields.ts'
import { joinText, parseArguments } from './read-frame.ts'

/** One output item on its way. */
export interface OpenItem {
  type: string
  /** where it stands in the output; null while no event told */
  place: number | null
  /** empty while no event told */
  id: string
  /** when it was first heard of, for items without a place */
  readonly order: number
  /** the item as its last event told it, whole or not */
  item: Fields
  readonly texts: string[]
  readonly json: string[]
}

/** Later events tell more of an item, and null for what they leave out. */
export function merge(known: Fields, later: Fields): Fields {
  const told = Object.entries(later).filter(([, value]) => value !== null && value !== undefined)
  return { ...known, ...Object.fromEntries(told) }
}

/** Order in the output; items without a place stand as they came. */
export function byPlace(one: OpenItem, other: OpenItem): number {
  return (one.place ?? one.order) - (other.place ?? other.order)
}

/** What an item says, refusals too. */
export function textsOf(item: Fields): readonly string[] {
  return listOf(item['content'])
    .map((part) => textOf(part, 'text') || textOf(part, 'refusal'))
    .filter((text) => text !== '')
}

interface Decoded {
  readonly block: Block
  readonly refusal: boolean
}

/** What an item is to a transcript: nothing, or one block. */
export function toBlocks({ type, item, texts, json }: OpenItem): readonly Decoded[] {
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
