import type { KnownModel } from './known-model.ts'
import { known, TEXT } from './known-model.ts'

/** Models of api.deepseek.com. */
export const DEEPSEEK: readonly KnownModel[] = [
  known('deepseek-flash', 1_000_000, 384_000, [0.3, 1.2, 0.006, 0], {
    efforts: ['low', 'high', 'max'],
  }),
  known('deepseek-v4-pro', 1_000_000, 384_000, [1.32, 3.96, 0.044, 0], {
    input: TEXT,
    efforts: ['high', 'max'],
  }),
  known('deepseek-chat', 128_000, 8_192, [0.28, 0.42, 0.028, 0], { input: TEXT }),
  known('deepseek-reasoner', 128_000, 64_000, [0.28, 0.42, 0.028, 0], { input: TEXT }),
]
