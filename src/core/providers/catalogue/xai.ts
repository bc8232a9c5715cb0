import type { KnownModel } from './known-model.ts'
import { known, TEXT } from './known-model.ts'

/** Models of api.x.ai; several reason and refuse to be told how hard. */
export const XAI: readonly KnownModel[] = [
  known('grok-4.3', 1_000_000, 30_000, [1.25, 2.5, 0.2, 0], { efforts: ['low', 'medium', 'high'] }),
  known('grok-4.5', 500_000, 500_000, [2, 6, 0.3, 0], { efforts: ['low', 'medium', 'high'] }),
  known('grok-4.6', 500_000, 500_000, [2, 6, 0.5, 0], { efforts: ['low', 'medium', 'high'] }),
  known('grok-4.7', 500_000, 500_000, [2, 6, 0.5, 0], { efforts: ['low', 'medium', 'high'] }),
  known('grok-4', 256_000, 64_000, [3, 15, 0.75, 0]),
  known('grok-code-fast-1', 256_000, 10_000, [0.2, 1.5, 0.02, 0], { input: TEXT }),
  known('grok-3-mini', 131_072, 8_192, [0.3, 0.5, 0.075, 0], {
    input: TEXT,
    efforts: ['low', 'high'],
  }),
]
