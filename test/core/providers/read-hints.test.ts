import { expect, test } from 'vitest'
import { joinHints, NO_HINTS, readHints } from '../../../src/core/providers/read-hints.ts'

test.each<[string, Readonly<Record<string, unknown>>, object]>([
  [
    'Google',
    { details: [{ retryDelay: '34s' }, { retryDelay: '1.5s' }] },
    { delays: [34_000, 1_500] },
  ],
  ['protobuf', { details: [{ retryDelay: { seconds: 3 } }] }, { delays: [3_000] }],
  ['seconds', { retry_after: 7 }, { delays: [7_000] }],
  ['a subscription', { resets_in_seconds: '7312' }, { delays: [7_312_000] }],
  [
    'a day’s quota',
    { details: [{ violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel' }] }] },
    { daily: true },
  ],
  ['OpenRouter', { metadata: { headers: { 'X-A': 1 } } }, { headers: { 'x-a': '1' } }],
  ['LiteLLM', { rate_limit_type: 'max_parallel_requests' }, { parallel: true }],
  ['LiteLLM’s other', { rate_limit_type: 'requests' }, { parallel: false }],
  [
    'garbage',
    { details: [null, 'x', { retryDelay: 'soon' }], retry_after: '', metadata: [] },
    NO_HINTS,
  ],
])('a body’s hints: %s', (_name, error, expected) => {
  expect(readHints(error)).toMatchObject(expected)
})

test('two bodies, one around the other, say what both say', () => {
  const hints = { delays: [1], headers: { a: 'b' }, parallel: true, daily: false }
  expect(joinHints(hints, NO_HINTS)).toEqual(hints)
  expect(joinHints(NO_HINTS, { ...hints, daily: true })).toEqual({ ...hints, daily: true })
})
