import type { KnownModel } from './known-model.ts'
import { known } from './known-model.ts'

const ADAPTIVE = { thinking: 'adaptive' } as const
const BUDGET = { thinking: 'budget' } as const
const BUDGET_EFFORT = { thinking: 'budget-effort' } as const

/** Models of api.anthropic.com; up to 4.5 they count the tokens they think with, from 4.6 on they are told how hard to think. */
export const ANTHROPIC: readonly KnownModel[] = [
  known('claude-fable-5', 1_000_000, 128_000, [10, 50, 1, 12.5], {
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
    options: ADAPTIVE,
  }),
  known('claude-fable-5-1', 1_000_000, 128_000, [10, 50, 0.25, 12.5], {
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
    options: ADAPTIVE,
  }),
  known('claude-fable-5-2', 1_000_000, 128_000, [8, 40, 0.2, 10], {
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
    options: ADAPTIVE,
  }),
  known('claude-haiku-4-5', 200_000, 64_000, [1, 5, 0.1, 1.25], {
    efforts: ['minimal', 'low', 'medium', 'high'],
    options: BUDGET,
  }),
  known('claude-haiku-5-5', 1_000_000, 128_000, [0.1, 0.5, 0.01, 0.125], {
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
    options: ADAPTIVE,
  }),
  known('claude-opus-4-5', 200_000, 64_000, [5, 25, 0.5, 6.25], {
    efforts: ['low', 'medium', 'high'],
    options: BUDGET_EFFORT,
  }),
  known('claude-opus-4-6', 1_000_000, 128_000, [5, 25, 0.5, 6.25], {
    efforts: ['low', 'medium', 'high', 'max'],
    options: ADAPTIVE,
  }),
  known('claude-opus-4-7', 1_000_000, 128_000, [5, 25, 0.5, 6.25], {
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
    options: ADAPTIVE,
  }),
  known('claude-opus-4-8', 1_000_000, 128_000, [5, 25, 0.5, 6.25], {
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
    options: ADAPTIVE,
  }),
  known('claude-opus-5', 1_000_000, 128_000, [5, 25, 0.5, 6.25], {
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
    options: ADAPTIVE,
  }),
  known('claude-opus-5-5', 1_000_000, 128_000, [4, 20, 0.2, 5], {
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
    options: ADAPTIVE,
  }),
  known('claude-sonnet-4-5', 200_000, 64_000, [3, 15, 0.3, 3.75], {
    efforts: ['minimal', 'low', 'medium', 'high'],
    options: BUDGET,
  }),
  known('claude-sonnet-4-6', 1_000_000, 128_000, [3, 15, 0.3, 3.75], {
    efforts: ['low', 'medium', 'high', 'max'],
    options: ADAPTIVE,
  }),
  known('claude-sonnet-5', 1_000_000, 128_000, [2, 10, 0.2, 2.5], {
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
    options: ADAPTIVE,
  }),
  known('claude-sonnet-5-5', 1_000_000, 128_000, [2, 10, 0.1, 2.5], {
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
    options: ADAPTIVE,
  }),
  known('claude-opus-4-1', 200_000, 32_000, [15, 75, 1.5, 18.75], {
    efforts: ['minimal', 'low', 'medium', 'high'],
    options: BUDGET,
  }),
  known('claude-opus-4', 200_000, 32_000, [15, 75, 1.5, 18.75], {
    efforts: ['minimal', 'low', 'medium', 'high'],
    options: BUDGET,
  }),
  known('claude-sonnet-4', 200_000, 64_000, [3, 15, 0.3, 3.75], {
    efforts: ['minimal', 'low', 'medium', 'high'],
    options: BUDGET,
  }),
  known('claude-3-7-sonnet', 200_000, 64_000, [3, 15, 0.3, 3.75], {
    efforts: ['minimal', 'low', 'medium', 'high'],
    options: BUDGET,
  }),
  known('claude-3-5-haiku', 200_000, 8_192, [0.8, 4, 0.08, 1]),
]
