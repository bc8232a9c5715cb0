import type { Effort, Prices, ProviderOptions } from '../types.ts'

/** What is known of a model without asking: facts of its vendor's pages, and what its API was seen to refuse. */
export interface KnownModel {
  /** dated and tagged versions of it are the same model */
  readonly id: string
  /** tokens */
  readonly contextWindow: number
  /** tokens it can write */
  readonly outputLimit: number
  /** ascending; none: it does not reason, or cannot be told how hard */
  readonly efforts: readonly Effort[]
  readonly input: readonly ('text' | 'image')[]
  readonly cost: Prices
  readonly options: ProviderOptions
}

/** A model that sees no images. */
export const TEXT = ['text'] as const

/** One line of the catalogue; `cost` is dollars for a million tokens: input, output, read from and written to the cache. */
export function known(
  id: string,
  contextWindow: number,
  outputLimit: number,
  cost: readonly [number, number, number, number],
  more: Partial<Pick<KnownModel, 'efforts' | 'input' | 'options'>> = {},
): KnownModel {
  const [input, output, cacheRead, cacheWrite] = cost
  return {
    id,
    contextWindow,
    outputLimit,
    cost: { input, output, cacheRead, cacheWrite },
    efforts: more.efforts ?? [],
    input: more.input ?? ['text', 'image'],
    options: more.options ?? {},
  }
}
