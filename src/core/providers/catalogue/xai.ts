import type { KnownModel } from './known-model.ts'
import { LOW_OR_HIGH, LOW_TO_HIGH, LOW_TO_XHIGH, READS, SEES, known } from './known-model.ts'

/** What xAI serves. Many of these think but cannot be told how much: naming an effort is an error there. */
export const XAI: readonly KnownModel[] = [
  known('grok-3', 131_072, 8192, READS, [3, 15, 0.75, 0]),
  known('grok-3-mini', 131_072, 8192, READS, [0.3, 0.5, 0.075, 0], LOW_OR_HIGH),
  known('grok-4', 256_000, 64_000, READS, [3, 15, 0.75, 0]),
  known('grok-4-fast', 2_000_000, 30_000, SEES, [0.2, 0.5, 0.05, 0]),
  known('grok-4-fast-non-reasoning', 2_000_000, 30_000, SEES, [0.2, 0.5, 0.05, 0]),
  known('grok-4-1-fast', 2_000_000, 30_000, SEES, [0.2, 0.5, 0.05, 0]),
  known('grok-4-1-fast-non-reasoning', 2_000_000, 30_000, SEES, [0.2, 0.5, 0.05, 0]),
  known('grok-code-fast-1', 256_000, 10_000, READS, [0.2, 1.5, 0.02, 0]),
  known('grok-build-0.1', 256_000, 256_000, SEES, [1, 2, 0.2, 0]),
  known('grok-4.20-0309-reasoning', 1_000_000, 30_000, SEES, [1.25, 2.5, 0.2, 0]),
  known('grok-4.20-0309-non-reasoning', 1_000_000, 30_000, SEES, [1.25, 2.5, 0.2, 0]),
  known('grok-4.3', 1_000_000, 30_000, SEES, [1.25, 2.5, 0.2, 0], LOW_TO_HIGH),
  known('grok-4.5', 500_000, 500_000, SEES, [2, 6, 0.3, 0], LOW_TO_HIGH),
  known('grok-4.6', 500_000, 500_000, SEES, [2, 6, 0.5, 0], LOW_TO_XHIGH),
  known('grok-4.7', 500_000, 500_000, SEES, [2, 6, 0.5, 0], LOW_TO_XHIGH),
]
