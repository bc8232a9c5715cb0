import type { KnownModel } from './known-model.ts'
import { ONLY_HIGH, READS, SEES, having, known } from './known-model.ts'
import type { ProviderOptions } from '../types.ts'

const TOGGLE: ProviderOptions = { reasoning: 'thinking' }

/** What DeepSeek serves; thinking is on or off. */
export const DEEPSEEK: readonly KnownModel[] = [
  ...having(TOGGLE, [
    known('deepseek-flash', 1_000_000, 384_000, SEES, [0.3, 1.2, 0.006, 0], ONLY_HIGH),
    known('deepseek-v4-flash', 1_000_000, 384_000, SEES, [0.3, 1.2, 0.006, 0], ONLY_HIGH),
    known('deepseek-v4-pro', 1_000_000, 384_000, READS, [1.32, 3.96, 0.044, 0], ONLY_HIGH),
  ]),
]
