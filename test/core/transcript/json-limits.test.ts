import { expect, test } from 'vitest'
import { exceededLimit, JSON_LIMITS } from '../../../src/core/transcript/json-limits.ts'

function exceedsDepth(text: string, depth: number): boolean {
  return exceededLimit(text, { depth, values: Infinity }) === 'depth'
}

test('depth counts arrays and objects, a scalar has none', () => {
  expect(exceedsDepth('1', 0)).toBe(false)
  expect(exceedsDepth('[]', 0)).toBe(true)
  expect(exceedsDepth('{"a":[{"b":1}]}', 3)).toBe(false)
  expect(exceedsDepth('{"a":[{"b":1}]}', 2)).toBe(true)
  expect(exceedsDepth('[[],[],[[]]]', 3)).toBe(false)
})

test('brackets in strings do not count, whatever is escaped there', () => {
  expect(exceedsDepth(JSON.stringify({ a: '[[[[{{{{', '[[[': '\\"[[[' }), 1)).toBe(false)
  expect(exceedsDepth(JSON.stringify(['\\', [['"']]]), 3)).toBe(false)
  expect(exceedsDepth(JSON.stringify(['\\', [['"']]]), 2)).toBe(true)
  expect(exceedsDepth(String.raw`["\\\"[[[[", "\\", []]`, 2)).toBe(false)
})

test('surplus closers and open strings buy nothing', () => {
  expect(exceedsDepth(']]]][[[', 2)).toBe(true)
  expect(exceedsDepth('["[[[[', 1)).toBe(false)
})

test('70,000 levels and long runs of quotes and backslashes are scanned in linear time', () => {
  const start = performance.now()
  expect(exceedsDepth('['.repeat(70_000), 64)).toBe(true)
  expect(exceedsDepth('['.repeat(70_000) + ']'.repeat(70_000), 70_000)).toBe(false)
  expect(exceedsDepth(JSON.stringify(['\\'.repeat(2e6), '"'.repeat(2e6)]), 1)).toBe(false)
  expect(exceedsDepth(`["${'\\'.repeat(4e6)}`, 1)).toBe(false)
  expect(performance.now() - start).toBeLessThan(2000)
})

test('every value counts once, an empty list twice, and what is in strings does not', () => {
  const exceeds = (text: string, values: number) => {
    return exceededLimit(text, { depth: 64, values }) === 'values'
  }
  for (const [text, values] of [
    ['[1,2,3]', 4],
    ['{"a":[1,{"b":2}],"c":",,,,[[["}', 6],
    ['[[],[]]', 5],
  ] as const) {
    expect(exceeds(text, values), text).toBe(false)
    expect(exceeds(text, values - 1), text).toBe(true)
  }
})

test('two million numbers are found out before anything is parsed', () => {
  expect(exceededLimit(`[${'1,'.repeat(2_000_000)}1]`)).toBe('values')
  expect(exceededLimit(`[${'1,'.repeat(JSON_LIMITS.values - 3)}1]`)).toBe(null)
})
