import type { KnownModel } from './known-model.ts'
import { known } from './known-model.ts'

const BUDGET = { thinking: 'budget' } as const
const LEVEL = { thinking: 'level' } as const

/** Models of generativelanguage.googleapis.com; Gemini 2.5 counts the tokens it thinks with, later ones have levels. */
export const GOOGLE: readonly KnownModel[] = [
  known('gemini-2.5-flash', 1_048_576, 65_536, [0.3, 2.5, 0.03, 0], {
    efforts: ['minimal', 'low', 'medium', 'high'],
    options: BUDGET,
  }),
  known('gemini-2.5-flash-lite', 1_048_576, 65_536, [0.1, 0.4, 0.01, 0], {
    efforts: ['minimal', 'low', 'medium', 'high'],
    options: BUDGET,
  }),
  known('gemini-2.5-pro', 1_048_576, 65_536, [1.25, 10, 0.125, 0], {
    efforts: ['minimal', 'low', 'medium', 'high'],
    options: BUDGET,
  }),
  known('gemini-3-flash-preview', 1_048_576, 65_536, [0.5, 3, 0.05, 0], {
    efforts: ['minimal', 'low', 'medium', 'high'],
    options: LEVEL,
  }),
  known('gemini-3.1-flash-lite', 1_048_576, 65_536, [0.25, 1.5, 0.025, 0], {
    efforts: ['minimal', 'low', 'medium', 'high'],
    options: LEVEL,
  }),
  known('gemini-3.1-flash-lite-preview', 1_048_576, 65_536, [0.25, 1.5, 0.025, 0], {
    efforts: ['minimal', 'low', 'medium', 'high'],
    options: LEVEL,
  }),
  known('gemini-3.1-pro-preview', 1_048_576, 65_536, [2, 12, 0.2, 0], {
    efforts: ['low', 'medium', 'high'],
    options: LEVEL,
  }),
  known('gemini-3.5-flash', 1_048_576, 65_536, [1.5, 9, 0.15, 0], {
    efforts: ['minimal', 'low', 'medium', 'high'],
    options: LEVEL,
  }),
  known('gemini-3.5-flash-lite', 1_048_576, 65_536, [0.3, 2.5, 0.03, 0], {
    efforts: ['minimal', 'low', 'medium', 'high'],
    options: LEVEL,
  }),
  known('gemini-3.6-flash', 1_048_576, 65_536, [0.75, 3.75, 0.075, 0], {
    efforts: ['minimal', 'low', 'medium', 'high'],
    options: LEVEL,
  }),
  known('gemini-3.7-flash', 1_048_576, 65_536, [0.75, 3.75, 0.075, 0], {
    efforts: ['low', 'medium', 'high'],
    options: LEVEL,
  }),
  known('gemini-3.8-flash', 1_048_576, 65_536, [0.75, 3.75, 0.075, 0], {
    efforts: ['low', 'medium', 'high'],
    options: LEVEL,
  }),
  known('gemini-4-argon', 1_048_576, 32_768, [2, 10, 0.1, 0], {
    efforts: ['low', 'medium', 'high'],
    options: LEVEL,
  }),
  known('gemini-4-carbon', 1_048_576, 32_768, [2, 10, 0.1, 0], {
    efforts: ['low', 'medium', 'high'],
    options: LEVEL,
  }),
  known('gemini-4-hydrogen', 1_048_576, 65_536, [1.5, 7.5, 0.075, 0], {
    efforts: ['low', 'medium', 'high', 'xhigh'],
    options: LEVEL,
  }),
  known('gemini-4-neon', 1_048_576, 65_536, [3, 15, 0.15, 0], {
    efforts: ['low', 'medium', 'high', 'xhigh'],
    options: LEVEL,
  }),
  known('gemini-flash-latest', 1_048_576, 65_536, [1.5, 9, 0.15, 0], {
    efforts: ['minimal', 'low', 'medium', 'high'],
    options: LEVEL,
  }),
  known('gemini-flash-lite-latest', 1_048_576, 65_536, [0.25, 1.5, 0.025, 0], {
    efforts: ['minimal', 'low', 'medium', 'high'],
    options: LEVEL,
  }),
  known('gemini-pro-latest', 1_048_576, 65_536, [2, 12, 0.2, 0], {
    efforts: ['low', 'medium', 'high'],
    options: LEVEL,
  }),
  known('gemma-4-26b-a4b-it', 262_144, 32_768, [0, 0, 0, 0], {
    efforts: ['minimal', 'high'],
    options: LEVEL,
  }),
  known('gemma-4-31b-it', 262_144, 32_768, [0, 0, 0, 0], {
    efforts: ['minimal', 'high'],
    options: LEVEL,
  }),
]
