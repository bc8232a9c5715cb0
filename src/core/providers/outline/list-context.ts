import type { Item } from './fit.ts'
import { clip, isQuotable } from './pick-lines.ts'
import type { Fact } from './rank.ts'
import type { Transcript } from './read-transcript.ts'

/** The order of kinds in print; what was carried over has no label and stands first. */
const KINDS = ['Finding', 'Stated', 'Error', 'File', 'Command', 'URL', 'Symbol']
/** More than a transcript has messages. */
const STRIDE = 1e9
const LAST = STRIDE * (KINDS.length + 1)
const MOST_CODE = 900

/** Where a fact stands under Critical Context: with its kind, then in the order of the messages. */
export function orderOf({ label, at }: Fact): number {
  return STRIDE * (label === undefined ? 0 : KINDS.indexOf(label) + 1) + at
}

/** The last two code blocks, inside their list item so that nothing in them can be taken for a heading. */
export function listCode(transcript: Transcript): readonly Item[] {
  const blocks = new Map(transcript.code.slice(-8).map(({ lines }) => [lines.join('\n'), lines]))
  return [...blocks.values()].slice(-2).flatMap((lines): readonly Item[] => {
    const kept: string[] = []
    let size = 0
    for (const line of lines) {
      // a fence or frame tag ends the block: what follows may no longer be the code it began as
      if (!isQuotable(line)) break
      const text = clip(line, 200)
      size += text.length + 3
      if (size > MOST_CODE) break
      kept.push(`  ${text}`)
    }
    if (kept.length === 0) return []
    return [{ text: ['Code:', '  ```', ...kept, '  ```'].join('\n'), order: LAST }]
  })
}
