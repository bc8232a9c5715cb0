import { expect, test } from 'vitest'
import { readRetryAfter } from '../../../src/core/providers/read-retry-after.ts'

const NOW = Date.parse('2026-03-02T09:00:00Z')

function read(headers: Record<string, string>, message = ''): number | null {
  return readRetryAfter(new Headers(headers), message, NOW)
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
] as const)('of the text %j it is %i ms (R1)', (message, ms) => {
  expect(read({}, message)).toBe(ms)
})

test('what is no hint is none: garbage, the past, a text about something else', () => {
  for (const value of ['', 'soon', '-5', 'NaN', 'Infinity', 'Mon, 02 Mar 2020 09:00:00 GMT']) {
    expect(read({ 'retry-after': value }), value).toBeNull()
    expect(read({ 'retry-after-ms': value }), value).toBeNull()
  }
  expect(read({}, 'Used 7297 of 8000, limit resets later')).toBeNull()
  expect(read({}, 'Please try again in a while')).toBeNull()
})
