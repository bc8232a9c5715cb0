import { expect, test } from 'vitest'
import type { Hints } from '../../../src/core/providers/read-hints.ts'
import { NO_HINTS } from '../../../src/core/providers/read-hints.ts'
import type { Asked } from '../../../src/core/providers/read-retry-after.ts'
import { readRetryAfter } from '../../../src/core/providers/read-retry-after.ts'

const NOW = Date.parse('2026-03-02T09:00:00Z')

function read(headers: Record<string, string>, message = '', more: Partial<Asked> = {}) {
  const asked = { headers: new Headers(headers), message, hints: NO_HINTS, limited: false }
  return readRetryAfter({ ...asked, ...more }, NOW)
}

/** The same for a limit that was hit. */
function readLimit(headers: Record<string, string>, message = '', hints: Partial<Hints> = {}) {
  return read(headers, message, { limited: true, hints: { ...NO_HINTS, ...hints } })
}

test('the header is seconds, a date, or milliseconds under another name; the largest counts (R1)', () => {
  expect(read({ 'retry-after': '7' })).toBe(7_000)
  expect(read({ 'retry-after': '0.5' })).toBe(500)
  expect(read({ 'retry-after': 'Mon, 02 Mar 2026 09:01:00 GMT' })).toBe(60_000)
  expect(read({ 'retry-after-ms': '1500', 'retry-after': '1' })).toBe(1_500)
  expect(read({ 'retry-after-ms': '500', 'retry-after': '1' })).toBe(1_000)
  expect(read({ 'retry-after': '2' }, 'Please try again in 3s')).toBe(3_000)
  expect(read({ 'retry-after': '4' }, 'Please try again in 3s')).toBe(4_000)
})

test.each([
  ['Please try again in 2.0325s.', 2_033],
  ['Please try again in 200ms', 200],
  ['Please try again in 7m12.5s. Need more?', 432_500],
  ['try again in 1h2m3.5s', 3_723_500],
  ['try again in 5 minutes', 300_000],
  ['Retrying in 20 seconds', 20_000],
  ['Retry after 20 seconds', 20_000],
  ['Please retry in 34.074824224s.', 34_075],
  ['Please retry in 20h10m5.5s.', 72_605_500],
  ['Please wait 12 seconds before trying again', 12_000],
  ['Wait for 1 minute', 60_000],
  ['Please wait and try again in 20s', 20_000],
  ['try again in 1 minute 30 seconds', 90_000],
] as const)('of the text %j it is %i ms (R1)', (message, ms) => {
  expect(read({}, message)).toBe(ms)
})

test('what is no hint is none: garbage, the past, a text about something else', () => {
  for (const value of [
    '',
    'soon',
    '-5',
    'NaN',
    'Infinity',
    'in 2030',
    'Mon, 02 Mar 2020 09:00:00 GMT',
  ]) {
    expect(read({ 'retry-after': value }), value).toBeNull()
    expect(read({ 'retry-after-ms': value }), value).toBeNull()
  }
  expect(read({}, 'Used 7297 of 8000, limit resets later')).toBeNull()
  expect(read({}, 'Please try again in a while')).toBeNull()
  expect(read({}, 'Please try again in 5 months')).toBeNull()
  expect(read({}, 'Too many tokens, please wait before trying again.')).toBeNull()
})

test('the body counts like the headers, the largest of all wins (R1)', () => {
  const hints = { ...NO_HINTS, delays: [34_000, 2_000] }
  expect(read({}, '', { hints })).toBe(34_000)
  expect(read({ 'retry-after': '40' }, 'try again in 50s', { hints })).toBe(50_000)
  expect(read({}, '', { hints: { ...hints, headers: { 'retry-after': '35' } } })).toBe(35_000)
})

test.each<[string, Record<string, string>, number | null]>([
  ['OpenAI', { 'x-ratelimit-reset-requests': '6m0s' }, 360_000],
  ['OpenAI, short', { 'x-ratelimit-reset-requests': '20ms' }, 20],
  ['OpenAI, long', { 'x-ratelimit-reset-tokens': '1h2m3.5s' }, 3_723_500],
  [
    'the limit that was hit',
    {
      'x-ratelimit-remaining-requests': '59',
      'x-ratelimit-reset-requests': '6m0s',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '1.5s',
    },
    1_500,
  ],
  ['none of them', { 'x-ratelimit-remaining-tokens': '5', 'x-ratelimit-reset-tokens': '6s' }, null],
  ['Anthropic', { 'anthropic-ratelimit-requests-reset': '2026-03-02T09:00:20Z' }, 20_000],
  [
    'Anthropic, by kind',
    {
      'anthropic-ratelimit-input-tokens-remaining': '0',
      'anthropic-ratelimit-input-tokens-reset': '2026-03-02T09:00:25Z',
      'anthropic-ratelimit-output-tokens-remaining': '8000',
      'anthropic-ratelimit-output-tokens-reset': '2026-03-02T10:00:00Z',
    },
    25_000,
  ],
  ['Anthropic, past', { 'anthropic-ratelimit-tokens-reset': '2026-03-02T08:59:59Z' }, null],
  ['OpenRouter', { 'X-RateLimit-Reset': `${NOW + 9_000}` }, 9_000],
  ['seconds since 1970', { 'x-ratelimit-reset': `${NOW / 1000 + 9}` }, 9_000],
  ['seconds', { 'x-ratelimit-reset': '12' }, 12_000],
  ['garbage', { 'x-ratelimit-reset': 'soon', 'x-ratelimit-reset-tokens': '' }, null],
])('when a limit is full again: %s', (_name, headers, wait) => {
  expect(readLimit(headers)).toBe(wait)
  expect(read(headers)).toBeNull()
})

test('when a limit is full again counts only where nothing else was said', () => {
  const headers = { 'x-ratelimit-reset-tokens': '6m0s' }
  expect(readLimit({ ...headers, 'retry-after': '2' })).toBe(2_000)
  expect(readLimit({ ...headers, 'retry-after': '0' })).toBe(360_000)
  expect(readLimit(headers, 'Please try again in 2.5s')).toBe(2_500)
  expect(readLimit({}, '', { headers: { 'x-ratelimit-reset': `${NOW + 9_000}` } })).toBe(9_000)
})

test('a missing slot is not slept on, wherever it is said (LiteLLM)', () => {
  const wait = { 'retry-after': '60' }
  expect(readLimit({ ...wait, rate_limit_type: 'max_parallel_requests' })).toBeNull()
  expect(readLimit(wait, 'Limit type: max_parallel_requests')).toBeNull()
  expect(readLimit(wait, '', { parallel: true })).toBeNull()
  expect(readLimit({ ...wait, rate_limit_type: 'requests' })).toBe(60_000)
})

test('who asks not to be asked again, or for a day, is not asked soon', () => {
  expect(read({ 'x-should-retry': 'false' })).toBe(60_000)
  expect(read({ 'x-should-retry': 'false', 'retry-after': '90' })).toBe(90_000)
  expect(read({ 'x-should-retry': 'true' })).toBeNull()
  expect(readLimit({}, 'Please retry in 2s', { daily: true, delays: [2_000] })).toBe(60_000)
})

test('no hint is longer than a week', () => {
  expect(read({ 'retry-after': '1e300' })).toBe(604_800_000)
})
