import type { Block } from '../entry.ts'
import type { ModelEvent } from '../providers/types.ts'

interface OpenCall {
  id: string
  name: string
  json: string
}
type Piece =
  | { readonly type: 'text' | 'thinking'; text: string }
  | { readonly type: 'toolCall'; readonly index: number; readonly call: OpenCall }

export interface PartialAnswer {
  push(event: ModelEvent): void
  clear(): void
  /** what was said so far; a call whose arguments are not whole is none */
  blocks(newId: () => string): readonly Block[]
}

/** What of an answer has come, for the case that no more comes. */
export function createPartialAnswer(): PartialAnswer {
  let pieces: Piece[] = []

  function push(event: ModelEvent): void {
    if (event.type !== 'toolCall') {
      const last = pieces.at(-1)
      if (last?.type === event.type) last.text += event.delta
      else pieces.push({ type: event.type, text: event.delta })
      return
    }
    const { index, id, name, delta } = event
    const known = pieces.findLast((piece) => isCall(piece) && piece.index === index)
    if (known !== undefined && isCall(known)) {
      known.call.id ||= id
      known.call.name ||= name
      known.call.json += delta
    } else pieces.push({ type: 'toolCall', index, call: { id, name, json: delta } })
  }

  return {
    push,
    clear() {
      pieces = []
    },
    blocks: (newId) =>
      pieces.flatMap((piece): readonly Block[] => {
        if (!isCall(piece)) {
          const { type, text } = piece
          if (text === '') return []
          return [type === 'text' ? { type, text } : { type, thinking: text }]
        }
        const { id, name, json } = piece.call
        const args = parseObject(json)
        if (name === '' || args === null) return []
        return [{ type: 'toolCall', id: id || `call_${newId()}`, name, arguments: args }]
      }),
  }
}

function isCall(piece: Piece): piece is Extract<Piece, { type: 'toolCall' }> {
  return piece.type === 'toolCall'
}

function parseObject(json: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(json)
    const fits = typeof value === 'object' && value !== null && !Array.isArray(value)
    return fits ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
