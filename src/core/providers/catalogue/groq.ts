import type { KnownModel } from './known-model.ts'
import { known, TEXT } from './known-model.ts'

/** Models of api.groq.com. */
export const GROQ: readonly KnownModel[] = [
  known('llama-3.1-8b-instant', 131_072, 131_072, [0.05, 0.08, 0, 0], { input: TEXT }),
  known('llama-3.3-70b-versatile', 131_072, 32_768, [0.59, 0.79, 0, 0], { input: TEXT }),
  known('openai/gpt-oss-120b', 131_072, 65_536, [0.15, 0.6, 0.075, 0], {
    input: TEXT,
    efforts: ['low', 'medium', 'high'],
  }),
  known('openai/gpt-oss-20b', 131_072, 65_536, [0.075, 0.3, 0.0375, 0], {
    input: TEXT,
    efforts: ['low', 'medium', 'high'],
  }),
  known('qwen/qwen3.6-27b', 131_072, 16_384, [0.6, 3, 0.3, 0]),
  known('qwen/qwen3.8-27b', 131_072, 16_384, [0.8, 4, 0, 0], {
    efforts: ['low', 'medium', 'high'],
  }),
]
