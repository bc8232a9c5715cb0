import { describe, expect, test } from 'vitest'
import type { ThinkingLevel } from '../../../src/core/entry.ts'
import { resolveEffort } from '../../../src/core/providers/effort.ts'
import type { Effort } from '../../../src/core/providers/types.ts'
import { MODEL } from './model.ts'

describe('effort (Q8)', () => {
  test.each<[ThinkingLevel | null, readonly Effort[], Effort | null]>([
    ['off', ['low', 'high'], null],
    [null, ['low', 'medium', 'high'], 'high'],
    ['inherit', ['low'], 'low'],
    ['medium', ['low', 'high'], 'low'],
    ['minimal', ['medium', 'high'], 'medium'],
    ['max', ['low', 'high'], 'high'],
    ['high', [], null],
  ])('%s with %j is %s', (level, efforts, expected) => {
    expect(resolveEffort({ ...MODEL, reasoning: true, efforts }, level)).toBe(expected)
  })

  test('a model that does not reason gets none', () => {
    expect(resolveEffort({ ...MODEL, efforts: ['high'] }, 'high')).toBeNull()
  })
})
