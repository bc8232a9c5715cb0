/** A list item of the document. Items of a section come best first; `order` is where they stand in print. */
export interface Item {
  readonly text: string
  readonly order: number
}

/** A part of the document with everything that could stand in it. */
export interface Part {
  /** the heading, with that of the section around it when this part is its first */
  readonly heading: string
  /** what stands before each item; null numbers them */
  readonly bullet: string | null
  readonly items: readonly Item[]
  /** how much the first item matters against those of other parts */
  readonly weight: number
  /** after how many items the next one matters half as much */
  readonly half: number
}

/** `1. ` to `99. ` */
const NUMBER_WIDTH = 4
const NOTHING = 'None recorded'

/** Writes the parts in at most `limit` characters; the items that matter least are left out first. */
export function fit(parts: readonly Part[], limit: number): string {
  let used = parts.reduce((sum, part) => sum + emptySize(part), 0)
  const wanted = parts
    .flatMap((part, index) =>
      part.items.map((item, rank) => ({
        index,
        item,
        size: item.text.length + 1 + (part.bullet?.length ?? NUMBER_WIDTH),
        value: part.weight / (1 + rank / part.half),
      })),
    )
    .sort((a, b) => b.value - a.value || a.index - b.index)
  const kept = parts.map((): Item[] => [])
  for (const { index, item, size } of wanted) {
    // skipping a long item for shorter, lesser ones would drop by length instead of by rank
    if (used + size > limit) break
    used += size
    kept[index]?.push(item)
  }
  return parts.map((part, index) => print(part, kept[index] ?? [])).join('\n\n')
}

function print(part: Part, items: readonly Item[]): string {
  const lines = items
    .toSorted((a, b) => a.order - b.order)
    .map((item, index) => `${part.bullet ?? `${index + 1}. `}${item.text}`)
  const nothing = part.bullet === null ? `1. ${NOTHING}` : `- ${NOTHING}`
  return [part.heading, ...(lines.length === 0 ? [nothing] : lines)].join('\n')
}

/** Counted for every part, also where items will stand instead: the limit is a promise, not a target. */
function emptySize(part: Part): number {
  return part.heading.length + NOTHING.length + 6
}
