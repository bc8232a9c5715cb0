import type { KnownModel } from './known-model.ts'
import {
  LOW_OR_HIGH,
  LOW_TO_HIGH,
  LOW_TO_XHIGH,
  MINIMAL_OR_HIGH,
  MINIMAL_TO_HIGH,
  SEES,
  having,
  known,
} from './known-model.ts'
import type { ProviderOptions } from '../types.ts'

const BUDGET: ProviderOptions = { thinking: 'budget' }
const LEVEL: ProviderOptions = { thinking: 'level' }

/** What the Gemini API serves. A `-latest` name moves on: it has no price, and the levels that all of them take. */
export const GOOGLE: readonly KnownModel[] = [
  known('gemini-2.0-flash', 1_048_576, 8192, SEES, [0.1, 0.4, 0.025, 0]),
  known('gemini-2.0-flash-lite', 1_048_576, 8192, SEES, [0.075, 0.3, 0, 0]),
  ...having(BUDGET, [
    known('gemini-2.5-pro', 1_048_576, 65_536, SEES, [1.25, 10, 0.125, 0], MINIMAL_TO_HIGH),
    known('gemini-2.5-flash', 1_048_576, 65_536, SEES, [0.3, 2.5, 0.03, 0], MINIMAL_TO_HIGH),
    known('gemini-2.5-flash-lite', 1_048_576, 65_536, SEES, [0.1, 0.4, 0.01, 0], MINIMAL_TO_HIGH),
  ]),
  ...having(LEVEL, [
    known('gemini-3-pro', 1_048_576, 65_536, SEES, [2, 12, 0.2, 0], LOW_OR_HIGH),
    known('gemini-3-flash', 1_048_576, 65_536, SEES, [0.5, 3, 0.05, 0], MINIMAL_TO_HIGH),
    known('gemini-3.1-pro', 1_048_576, 65_536, SEES, [2, 12, 0.2, 0], LOW_TO_HIGH),
    known(
      'gemini-3.1-pro-preview-customtools',
      1_048_576,
      65_536,
      SEES,
      [2, 12, 0.2, 0],
      LOW_TO_HIGH,
    ),
    known('gemini-3.1-flash-lite', 1_048_576, 65_536, SEES, [0.25, 1.5, 0.025, 0], MINIMAL_TO_HIGH),
    known('gemini-3.5-flash', 1_048_576, 65_536, SEES, [1.5, 9, 0.15, 0], MINIMAL_TO_HIGH),
    known('gemini-3.5-flash-lite', 1_048_576, 65_536, SEES, [0.3, 2.5, 0.03, 0], MINIMAL_TO_HIGH),
    known('gemini-3.6-flash', 1_048_576, 65_536, SEES, [0.75, 3.75, 0.075, 0], MINIMAL_TO_HIGH),
    known('gemini-3.7-flash', 1_048_576, 65_536, SEES, [0.75, 3.75, 0.075, 0], LOW_TO_HIGH),
    known('gemini-3.8-flash', 1_048_576, 65_536, SEES, [0.75, 3.75, 0.075, 0], LOW_TO_HIGH),
    known('gemini-4-argon', 1_048_576, 32_768, SEES, [2, 10, 0.1, 0], LOW_TO_HIGH),
    known('gemini-4-carbon', 1_048_576, 32_768, SEES, [2, 10, 0.1, 0], LOW_TO_HIGH),
    known('gemini-4-hydrogen', 1_048_576, 65_536, SEES, [1.5, 7.5, 0.075, 0], LOW_TO_XHIGH),
    known('gemini-4-neon', 1_048_576, 65_536, SEES, [3, 15, 0.15, 0], LOW_TO_XHIGH),
    known('gemini-pro-latest', 1_048_576, 65_536, SEES, null, LOW_TO_HIGH),
    known('gemini-flash-latest', 1_048_576, 65_536, SEES, null, LOW_TO_HIGH),
    known('gemini-flash-lite-latest', 1_048_576, 65_536, SEES, null, LOW_TO_HIGH),
    known('gemma-4-26b-a4b-it', 262_144, 32_768, SEES, [0, 0, 0, 0], MINIMAL_OR_HIGH),
    known('gemma-4-31b-it', 262_144, 32_768, SEES, [0, 0, 0, 0], MINIMAL_OR_HIGH),
  ]),
]
