import { expect, test } from 'vitest'
import { exceedsDepth } from '../../../src/core/transcript/json-depth.ts'

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
