import type { KnownModel } from './known-model.ts'
import { known, TEXT } from './known-model.ts'

/** Models of api.mistral.ai. */
export const MISTRAL: readonly KnownModel[] = [
  known('codestral-2508', 256_000, 8_192, [0.3, 0.9, 0.03, 0], { input: TEXT }),
  known('codestral-latest', 256_000, 4_096, [0.3, 0.9, 0.03, 0], { input: TEXT }),
  known('devstral-2512', 262_144, 262_144, [0.4, 2, 0.04, 0], { input: TEXT }),
  known('devstral-latest', 262_144, 262_144, [0.4, 2, 0.04, 0], { input: TEXT }),
  known('devstral-medium-latest', 262_144, 262_144, [0.4, 2, 0.04, 0], { input: TEXT }),
  known('magistral-medium-latest', 262_144, 16_384, [2, 5, 0.2, 0], { efforts: ['high'] }),
  known('ministral-14b-2512', 262_144, 262_144, [0.2, 0.2, 0.02, 0]),
  known('ministral-3b-2512', 131_072, 131_072, [0.1, 0.1, 0.01, 0]),
  known('ministral-3b-latest', 131_072, 128_000, [0.1, 0.1, 0.01, 0]),
  known('ministral-8b-2512', 262_144, 262_144, [0.15, 0.15, 0.015, 0]),
  known('ministral-8b-latest', 262_144, 128_000, [0.15, 0.15, 0.015, 0]),
  known('mistral-large-2512', 262_144, 262_144, [0.5, 1.5, 0.05, 0]),
  known('mistral-large-4', 1_048_576, 262_144, [0.7, 2.1, 0.07, 0], {
    efforts: ['low', 'medium', 'high'],
  }),
  known('mistral-large-4-0-8', 1_048_576, 262_144, [0.7, 2.1, 0.07, 0], {
    efforts: ['low', 'medium', 'high'],
  }),
  known('mistral-large-latest', 1_048_576, 262_144, [0.7, 2.1, 0.07, 0], {
    efforts: ['low', 'medium', 'high'],
  }),
  known('mistral-medium-2505', 131_072, 131_072, [0.4, 2, 0.04, 0]),
  known('mistral-medium-2508', 262_144, 262_144, [0.4, 2, 0.04, 0]),
  known('mistral-medium-2604', 262_144, 262_144, [1.5, 7.5, 0.15, 0], { efforts: ['high'] }),
  known('mistral-medium-3.5', 262_144, 262_144, [1.5, 7.5, 0, 0], { efforts: ['high'] }),
  known('mistral-medium-latest', 262_144, 262_144, [1.5, 7.5, 0.15, 0], { efforts: ['high'] }),
  known('mistral-small-2506', 128_000, 16_384, [0.1, 0.3, 0.01, 0]),
  known('mistral-small-2603', 262_144, 256_000, [0.15, 0.6, 0.015, 0], { efforts: ['high'] }),
  known('mistral-small-latest', 262_144, 256_000, [0.15, 0.6, 0.015, 0], { efforts: ['high'] }),
]
