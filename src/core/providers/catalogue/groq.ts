import type { KnownModel } from './known-model.ts'
import { LOW_TO_HIGH, READS, SEES, known } from './known-model.ts'

/** What Groq serves. Qwen thinks there, but only knows its own default. */
export const GROQ: readonly KnownModel[] = [
  known('llama-3.1-8b-instant', 131_072, 131_072, READS, [0.05, 0.08, 0, 0]),
  known('llama-3.3-70b-versatile', 131_072, 32_768, READS, [0.59, 0.79, 0, 0]),
  known('meta-llama/llama-4-scout-17b-16e-instruct', 131_072, 8192, SEES, [0.11, 0.34, 0, 0]),
  known('meta-llama/llama-4-maverick-17b-128e-instruct', 131_072, 8192, SEES, [0.2, 0.6, 0, 0]),
  known('moonshotai/kimi-k2-instruct-0905', 262_144, 16_384, READS, [1, 3, 0.5, 0]),
  known('openai/gpt-oss-20b', 131_072, 65_536, READS, [0.075, 0.3, 0.0375, 0], LOW_TO_HIGH),
  known('openai/gpt-oss-120b', 131_072, 65_536, READS, [0.15, 0.6, 0.075, 0], LOW_TO_HIGH),
  known(
    'openai/gpt-oss-safeguard-20b',
    131_072,
    65_536,
    READS,
    [0.075, 0.3, 0.0375, 0],
    LOW_TO_HIGH,
  ),
  known('qwen/qwen3-32b', 131_072, 40_960, READS, [0.29, 0.59, 0, 0]),
  known('qwen/qwen3.6-27b', 131_072, 16_384, SEES, [0.6, 3, 0.3, 0]),
  known('qwen/qwen3.8-27b', 131_072, 16_384, SEES, [0.8, 4, 0, 0]),
]
