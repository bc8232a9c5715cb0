import type { KnownModel } from './known-model.ts'
import {
  LOW_TO_HIGH,
  LOW_TO_MAX,
  LOW_TO_MAX_BUT_XHIGH,
  MINIMAL_TO_HIGH,
  SEES,
  having,
  known,
} from './known-model.ts'
import type { ProviderOptions } from '../types.ts'

const ADAPTIVE: ProviderOptions = { thinking: 'adaptive' }
const BUDGET: ProviderOptions = { thinking: 'budget' }
const BUDGET_AND_EFFORT: ProviderOptions = { thinking: 'budget-effort' }

/** What Anthropic serves; windows are those without a beta header. */
export const ANTHROPIC: readonly KnownModel[] = [
  known('claude-3-haiku', 200_000, 4096, SEES, [0.25, 1.25, 0.03, 0.3]),
  known('claude-3-5-haiku', 200_000, 8192, SEES, [0.8, 4, 0.08, 1]),
  known('claude-3-5-sonnet', 200_000, 8192, SEES, [3, 15, 0.3, 3.75]),
  ...having(BUDGET, [
    known('claude-3-7-sonnet', 200_000, 64_000, SEES, [3, 15, 0.3, 3.75], MINIMAL_TO_HIGH),
    known('claude-opus-4', 200_000, 32_000, SEES, [15, 75, 1.5, 18.75], MINIMAL_TO_HIGH),
    known('claude-opus-4-0', 200_000, 32_000, SEES, [15, 75, 1.5, 18.75], MINIMAL_TO_HIGH),
    known('claude-sonnet-4', 200_000, 64_000, SEES, [3, 15, 0.3, 3.75], MINIMAL_TO_HIGH),
    known('claude-sonnet-4-0', 200_000, 64_000, SEES, [3, 15, 0.3, 3.75], MINIMAL_TO_HIGH),
    known('claude-opus-4-1', 200_000, 32_000, SEES, [15, 75, 1.5, 18.75], MINIMAL_TO_HIGH),
    known('claude-sonnet-4-5', 200_000, 64_000, SEES, [3, 15, 0.3, 3.75], MINIMAL_TO_HIGH),
    known('claude-haiku-4-5', 200_000, 64_000, SEES, [1, 5, 0.1, 1.25], MINIMAL_TO_HIGH),
  ]),
  ...having(BUDGET_AND_EFFORT, [
    known('claude-opus-4-5', 200_000, 64_000, SEES, [5, 25, 0.5, 6.25], LOW_TO_HIGH),
  ]),
  ...having(ADAPTIVE, [
    known('claude-opus-4-6', 1_000_000, 128_000, SEES, [5, 25, 0.5, 6.25], LOW_TO_MAX_BUT_XHIGH),
    known('claude-sonnet-4-6', 1_000_000, 128_000, SEES, [3, 15, 0.3, 3.75], LOW_TO_MAX_BUT_XHIGH),
    known('claude-opus-4-7', 1_000_000, 128_000, SEES, [5, 25, 0.5, 6.25], LOW_TO_MAX),
    known('claude-opus-4-8', 1_000_000, 128_000, SEES, [5, 25, 0.5, 6.25], LOW_TO_MAX),
    known('claude-sonnet-5', 1_000_000, 128_000, SEES, [2, 10, 0.2, 2.5], LOW_TO_MAX),
    known('claude-opus-5', 1_000_000, 128_000, SEES, [5, 25, 0.5, 6.25], LOW_TO_MAX),
    known('claude-haiku-5-5', 1_000_000, 128_000, SEES, [0.1, 0.5, 0.01, 0.125], LOW_TO_MAX),
    known('claude-sonnet-5-5', 1_000_000, 128_000, SEES, [2, 10, 0.1, 2.5], LOW_TO_MAX),
    known('claude-opus-5-5', 1_000_000, 128_000, SEES, [4, 20, 0.2, 5], LOW_TO_MAX),
    known('claude-fable-5', 1_000_000, 128_000, SEES, [10, 50, 1, 12.5], LOW_TO_MAX),
    known('claude-fable-5-1', 1_000_000, 128_000, SEES, [10, 50, 0.25, 12.5], LOW_TO_MAX),
    known('claude-fable-5-2', 1_000_000, 128_000, SEES, [8, 40, 0.2, 10], LOW_TO_MAX),
    known('claude-mythos-5', 1_000_000, 128_000, SEES, [10, 50, 1, 12.5], LOW_TO_MAX),
    known('claude-mythos-5-1', 1_000_000, 128_000, SEES, [10, 50, 0.25, 12.5], LOW_TO_MAX),
  ]),
]
