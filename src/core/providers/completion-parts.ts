import type { Block, ThinkingBlock } from '../entry.ts'
import type { Fields } from './fields.ts'
import { joinText } from './read-frame.ts'

/** Pieces of text by how many calls came before them: what a model says after a call is a block of its own. */
export function createTexts(): {
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
      const text = joinText(pieces.get(calls) ?? [])
      // Some servers send line breaks between the parts of their calls.
      return text === '' || (calls > 0 && text.trim() === '') ? [] : [{ type: 'text', text }]
    },
  }
}

/** What was thought, with what the host wants back: its own list of details, else the name the thought came under. */
export function thoughtOf(
  thoughts: readonly string[],
  details: readonly Fields[],
  field: string | null,
): ThinkingBlock | null {
  if (thoughts.length === 0 && details.length === 0) return null
  const signature = details.length > 0 ? JSON.stringify(details) : field
  const marked = signature === null ? {} : { signature }
  return { type: 'thinking', thinking: joinText(thoughts), ...marked }
}

/** OpenRouter streams the text of a detail in pieces of one index; a signature comes with the last of them. */
export function mergeDetail(details: Record<string, unknown>[], piece: Fields): void {
  const last = details.at(-1)
  const same =
    last !== undefined && last['index'] === piece['index'] && last['type'] === piece['type']
  if (!same) {
    details.push({ ...piece })
    return
  }
  for (const [name, value] of Object.entries(piece)) {
    const whole = last[name]
    const grows = name === 'text' || name === 'summary' || name === 'data'
    if (grows && typeof whole === 'string' && typeof value === 'string') last[name] = whole + value
    else if (value !== null && value !== undefined) last[name] = value
  }
}
