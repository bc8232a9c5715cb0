import { expect, test } from 'vitest'
import { readRetryAfter } from '../../../src/core/providers/read-retry-after.ts'

const NOW = Date.parse('2026-03-02T09:00:00Z')

function read(headers: Record<string, string>, message = ''): number | null {
  return readRetryAfter(new Headers(headers), message, NOW)
}

test('the header is seconds, a date, or milliseconds under another name; the largest counts', () => {
  expect(read({ 'retry-after': '7' })).toBe(7_000)
  expect(read({ 'retry-after': '0.5' })).toBe(500)
  expect(read({ 'retry-after': 'Mon, 02 Mar 2026 09:01:00 GMT' })).toBe(60_000)
  expect(read({ 'retry-after-ms': '1500', 'retry-after': '1' })).toBe(1_500)
  expect(read({ 'retry-after': '2' }, 'Please try again in 3s')).toBe(3_000)
})

test.each([
  ['Please try again in 2.0325s.', 2_033],
  ['try again in 1h2m3.5s', 3_723_500],
  ['Retrying in 20 seconds', 20_000],
  ['retry after 200ms', 200],
  ['Try again in 6 minutes', 360_000],
] as const)('of the text %j it is %i ms', (message, ms) => {
  expect(read({}, message)).toBe(ms)
})

test('what is no hint is none: garbage, the past, a text about something else', () => {
  for (const value of ['', 'soon', '-5', 'NaN', 'Mon, 02 Mar 2020 09:00:00 GMT']) {
    expect(read({ 'retry-after': value }), value).toBeNull()
  }
  expect(read({}, 'Used 7297 of 8000, limit resets later')).toBeNull()
})
