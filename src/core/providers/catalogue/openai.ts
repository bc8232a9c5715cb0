import type { KnownModel } from './known-model.ts'
import { known, TEXT } from './known-model.ts'

/** Models of api.openai.com. Which efforts each takes was found out by its refusals: no two generations agree. */
export const OPENAI: readonly KnownModel[] = [
  known('chat-latest', 400_000, 128_000, [5, 30, 0.5, 0], { efforts: ['medium'] }),
  known('gpt-4', 8_192, 8_192, [30, 60, 0, 0], { input: TEXT }),
  known('gpt-4-turbo', 128_000, 4_096, [10, 30, 0, 0]),
  known('gpt-4.1', 1_047_576, 32_768, [2, 8, 0.5, 0]),
  known('gpt-4.1-mini', 1_047_576, 32_768, [0.4, 1.6, 0.1, 0]),
  known('gpt-4.1-nano', 1_047_576, 32_768, [0.1, 0.4, 0.025, 0]),
  known('gpt-4o', 128_000, 16_384, [2.5, 10, 1.25, 0]),
  known('gpt-4o-2024-05-13', 128_000, 4_096, [5, 15, 0, 0]),
  known('gpt-4o-mini', 128_000, 16_384, [0.15, 0.6, 0.075, 0]),
  known('gpt-5', 400_000, 128_000, [1.25, 10, 0.125, 0], {
    efforts: ['minimal', 'low', 'medium', 'high'],
  }),
  known('gpt-5-chat-latest', 128_000, 16_384, [1.25, 10, 0.125, 0]),
  known('gpt-5-mini', 400_000, 128_000, [0.25, 2, 0.025, 0], {
    efforts: ['minimal', 'low', 'medium', 'high'],
  }),
  known('gpt-5-nano', 400_000, 128_000, [0.05, 0.4, 0.005, 0], {
    efforts: ['minimal', 'low', 'medium', 'high'],
  }),
  known('gpt-5-pro', 400_000, 128_000, [15, 120, 0, 0], { efforts: ['high'] }),
  known('gpt-5.1', 400_000, 128_000, [1.25, 10, 0.125, 0], { efforts: ['low', 'medium', 'high'] }),
  known('gpt-5.2', 400_000, 128_000, [1.75, 14, 0.175, 0], {
    efforts: ['low', 'medium', 'high', 'xhigh'],
  }),
  known('gpt-5.2-pro', 400_000, 128_000, [21, 168, 0, 0], { efforts: ['medium', 'high', 'xhigh'] }),
  known('gpt-5.3-codex', 400_000, 128_000, [1.75, 14, 0.175, 0], {
    efforts: ['low', 'medium', 'high', 'xhigh'],
  }),
  known('gpt-5.3-codex-spark', 128_000, 32_000, [1.75, 14, 0.175, 0], {
    efforts: ['low', 'medium', 'high', 'xhigh'],
  }),
  known('gpt-5.4', 272_000, 128_000, [2.5, 15, 0.25, 0], {
    efforts: ['low', 'medium', 'high', 'xhigh'],
  }),
  known('gpt-5.4-mini', 400_000, 128_000, [0.75, 4.5, 0.075, 0], {
    efforts: ['low', 'medium', 'high', 'xhigh'],
  }),
  known('gpt-5.4-nano', 400_000, 128_000, [0.2, 1.25, 0.02, 0], {
    efforts: ['low', 'medium', 'high', 'xhigh'],
  }),
  known('gpt-5.4-pro', 1_050_000, 128_000, [30, 180, 0, 0], {
    efforts: ['medium', 'high', 'xhigh'],
  }),
  known('gpt-5.5', 272_000, 128_000, [5, 30, 0.5, 0], {
    efforts: ['low', 'medium', 'high', 'xhigh'],
  }),
  known('gpt-5.5-pro', 1_050_000, 128_000, [30, 180, 0, 0], {
    efforts: ['medium', 'high', 'xhigh'],
  }),
  known('gpt-5.6-luna', 272_000, 128_000, [0.2, 1.2, 0.02, 0.25], {
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
  }),
  known('gpt-5.6-sol', 272_000, 128_000, [4, 20, 0.4, 5], {
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
  }),
  known('gpt-5.6-terra', 272_000, 128_000, [2, 12, 0.2, 2.5], {
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
  }),
  known('gpt-6-astra', 272_000, 128_000, [10, 50, 1, 12.5], {
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
  }),
  known('gpt-6-luna', 272_000, 128_000, [0.1, 0.5, 0.01, 0.125], {
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
  }),
  known('gpt-6-sol', 272_000, 128_000, [2, 10, 0.2, 2.5], {
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
  }),
  known('gpt-6.1-sol', 272_000, 128_000, [2, 10, 0.1, 2.5], {
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
  }),
  known('gpt-6.1-terra', 272_000, 128_000, [1, 5, 0.05, 1.25], {
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
  }),
  known('gpt-6.2-astra', 272_000, 128_000, [8, 40, 0.4, 10], {
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
  }),
  known('gpt-6.2-sol', 272_000, 128_000, [2, 10, 0.1, 2.5], {
    efforts: ['low', 'medium', 'high', 'xhigh', 'max'],
  }),
  known('o1', 200_000, 100_000, [15, 60, 7.5, 0], { efforts: ['low', 'medium', 'high'] }),
  known('o1-pro', 200_000, 100_000, [150, 600, 0, 0], { efforts: ['low', 'medium', 'high'] }),
  known('o3', 200_000, 100_000, [2, 8, 0.5, 0], { efforts: ['low', 'medium', 'high'] }),
  known('o3-mini', 200_000, 100_000, [1.1, 4.4, 0.55, 0], {
    input: TEXT,
    efforts: ['low', 'medium', 'high'],
  }),
  known('o3-pro', 200_000, 100_000, [20, 80, 0, 0], { efforts: ['low', 'medium', 'high'] }),
  known('o4-mini', 200_000, 100_000, [1.1, 4.4, 0.275, 0], { efforts: ['low', 'medium', 'high'] }),
]
