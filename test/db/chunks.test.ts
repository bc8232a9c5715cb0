import { expect, test } from 'vitest'
import { assertRowSize, CHUNK_UNITS, ROW_BYTES, splitText } from '../../src/db/chunks.ts'

test('a text up to the limit is one part, also an empty one', () => {
  expect(splitText('')).toEqual([''])
  expect(splitText('a'.repeat(CHUNK_UNITS))).toHaveLength(1)
  expect(splitText('a'.repeat(CHUNK_UNITS + 1)).map((part) => part.length)).toEqual([
    CHUNK_UNITS,
    1,
  ])
})

test('parts join to the whole and none begins or ends inside a surrogate pair', () => {
  for (const text of ['😀😀😀', 'x😀😀😀', '😀x😀x😀', 'xx😀']) {
    const parts = splitText(text, 3)
    expect(parts.join('')).toBe(text)
    expect(parts.every((part) => part.isWellFormed() && part.length <= 3)).toBe(true)
  }
})

test('the widest part is below the row limit', () => {
  for (const part of splitText('€'.repeat(CHUNK_UNITS * 2 + 1))) assertRowSize([part])
  expect(CHUNK_UNITS * 3).toBeLessThan(ROW_BYTES)
})

test('a row counts its bytes, not its characters, and all its strings together', () => {
  expect(() => assertRowSize(['a'.repeat(ROW_BYTES - 1), null])).not.toThrow()
  expect(() => assertRowSize(['a'.repeat(ROW_BYTES)])).toThrow(/2000000/)
  expect(() => assertRowSize(['€'.repeat(700_000)])).toThrow()
  expect(() => assertRowSize(['a'.repeat(1_000_000), 'b'.repeat(1_000_000)])).toThrow()
})
