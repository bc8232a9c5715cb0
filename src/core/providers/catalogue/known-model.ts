import type { Effort, Prices, ProviderOptions } from '../types.ts'

/** What a vendor has published about a model. */
export interface KnownModel {
  /** dated and tagged versions of it are it too */
  readonly id: string
  /** tokens, input and output together */
  readonly contextWindow: number
  /** tokens the model can write; may be as many as the window holds, so a request has to stay below both */
  readonly outputLimit: number
  /** ascending; absent: it does not reason, or cannot be told how much */
  readonly efforts?: readonly Effort[]
  readonly input: readonly ('text' | 'image')[]
  readonly cost?: Prices
  /** how this model differs from others of its host */
  readonly options?: ProviderOptions
}

type Input = KnownModel['input']
type Efforts = readonly Effort[]

/** Text alone. */
export const READS: Input = ['text']
/** Text and images. */
export const SEES: Input = ['text', 'image']

/** The efforts that models take, from the least to the most. `none` is missing: `off` sends nothing. */
export const MINIMAL_TO_HIGH: Efforts = ['minimal', 'low', 'medium', 'high']
export const MINIMAL_TO_XHIGH: Efforts = ['minimal', 'low', 'medium', 'high', 'xhigh']
export const MINIMAL_OR_HIGH: Efforts = ['minimal', 'high']
export const LOW_TO_MEDIUM: Efforts = ['low', 'medium']
export const LOW_TO_HIGH: Efforts = ['low', 'medium', 'high']
export const LOW_TO_XHIGH: Efforts = ['low', 'medium', 'high', 'xhigh']
export const LOW_TO_MAX: Efforts = ['low', 'medium', 'high', 'xhigh', 'max']
export const LOW_TO_MAX_BUT_XHIGH: Efforts = ['low', 'medium', 'high', 'max']
export const LOW_OR_HIGH: Efforts = ['low', 'high']
export const LOW_HIGH_XHIGH: Efforts = ['low', 'high', 'xhigh']
export const LOW_HIGH_MAX: Efforts = ['low', 'high', 'max']
export const MEDIUM_TO_HIGH: Efforts = ['medium', 'high']
export const MEDIUM_TO_XHIGH: Efforts = ['medium', 'high', 'xhigh']
export const HIGH_TO_XHIGH: Efforts = ['high', 'xhigh']
export const ONLY_MEDIUM: Efforts = ['medium']
export const ONLY_HIGH: Efforts = ['high']

/** A model on one line; the prices are those of input, output, cache read and cache write, null where none holds. */
export function known(
  id: string,
  contextWindow: number,
  outputLimit: number,
  input: Input,
  prices: readonly [number, number, number, number] | null,
  efforts?: Efforts,
): KnownModel {
  const cost =
    prices === null
      ? null
      : { input: prices[0], output: prices[1], cacheRead: prices[2], cacheWrite: prices[3] }
  return {
    id,
    contextWindow,
    outputLimit,
    input,
    ...(efforts === undefined ? {} : { efforts }),
    ...(cost === null ? {} : { cost }),
  }
}

/** The same models, all with these options. */
export function having(
  options: ProviderOptions,
  models: readonly KnownModel[],
): readonly KnownModel[] {
  return models.map((model) => ({ ...model, options }))
}
