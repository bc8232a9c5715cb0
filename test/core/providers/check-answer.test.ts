import { expect, test } from 'vitest'
import { checkAnswer } from '../../../src/core/providers/check-answer.ts'
import type { ModelAnswer } from '../../../src/core/providers/types.ts'
import { MODEL } from './model.ts'

const COST = { input: 2, output: 10, cacheRead: 0.5, cacheWrite: 4 }

function answer(
  usage: Partial<ModelAnswer['usage']>,
  more: Partial<ModelAnswer> = {},
): ModelAnswer {
  const unknown = { input: null, output: null, cacheRead: null, cacheWrite: null }
  return { content: [], stopReason: 'stop', usage: { ...unknown, ...usage }, ...more }
}

test('the price is of all four counts, in dollars', () => {
  const usage = { input: 1_000, output: 100, cacheRead: 10_000, cacheWrite: 500 }
  const { cost } = checkAnswer(answer(usage), { ...MODEL, cost: COST }, true).usage
  expect(cost).toEqual({
    input: 0.002,
    output: 0.001,
    cacheRead: 0.005,
    cacheWrite: 0.002,
    total: 0.002 + 0.001 + 0.005 + 0.002,
  })
})

test('a cache price that nobody lists is the price of fresh tokens', () => {
  const cost = { input: 2, output: 10, cacheRead: 0, cacheWrite: 0 }
  const usage = { input: 0, output: 0, cacheRead: 1_000, cacheWrite: 1_000 }
  expect(checkAnswer(answer(usage), { ...MODEL, cost }, true).usage.cost?.total).toBe(0.004)
})

test('there is none without prices or counts, and the answer is the same object', () => {
  const unpriced = answer({ input: 1, output: 1 })
  expect(checkAnswer(unpriced, MODEL, true)).toBe(unpriced)
  const uncounted = answer({ input: 1 })
  expect(checkAnswer(uncounted, { ...MODEL, cost: COST }, true)).toBe(uncounted)
})

test.each<[string, ModelAnswer, boolean]>([
  ['more input than the window', answer({ input: 60, cacheRead: 50, output: 3 }), true],
  [
    'nothing written at the end of the window',
    answer({ input: 99, output: 0 }, { stopReason: 'length' }),
    false,
  ],
])('%s is an overflow that the server kept quiet', (_name, given, whole) => {
  expect(() => checkAnswer(given, { ...MODEL, contextWindow: 100 }, whole)).toThrow(
    expect.objectContaining({ class: 'overflow' }),
  )
})

test('a turn that was answered keeps its answer', () => {
  const given = answer({ input: 110, output: 3 })
  expect(checkAnswer(given, { ...MODEL, contextWindow: 100 }, false)).toBe(given)
})
