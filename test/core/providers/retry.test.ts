import { describe, expect, test } from 'vitest'
import { classifyError } from '../../../src/core/providers/classify-error.ts'
import { nextWait, systemRetry, withRetries } from '../../../src/core/providers/retry.ts'
import { ProviderError } from '../../../src/core/providers/types.ts'

const live = new AbortController().signal

function failing(errors: readonly Error[]) {
  const waits: number[] = []
  let calls = 0
  const done = (signal = live) =>
    withRetries(
      async () => {
        const error = errors[calls]
        calls += 1
        if (error !== undefined) throw error
        return 'fine'
      },
      { random: () => 1, sleep: async (ms) => void waits.push(ms) },
      signal,
    )
  return { done, waits, calls: () => calls }
}

const overloaded = new ProviderError('overloaded', 'x')

test('three attempts in all, waiting 500 and 1000 ms, and the last error comes out (R1)', async () => {
  const last = new ProviderError('network', 'last')
  const run = failing([overloaded, overloaded, last])
  await expect(run.done()).rejects.toBe(last)
  expect([run.calls(), run.waits]).toEqual([3, [500, 1000]])
})

test('the second attempt may succeed (R1, B40)', async () => {
  const run = failing([overloaded])
  await expect(run.done()).resolves.toBe('fine')
})

test('a hint above 30 s fails at once (R1)', async () => {
  const run = failing([new ProviderError('rate_limit', 'x', { retryAfterMs: 30_001 })])
  await expect(run.done()).rejects.toThrow('x')
  expect([run.calls(), run.waits]).toEqual([1, []])
})

test('what is no provider error is not tried again (R2)', async () => {
  const run = failing([new TypeError('bug')])
  await expect(run.done()).rejects.toThrow(TypeError)
  expect(run.calls()).toBe(1)
})

test('a failure after the caller aborted is the abort (R2)', async () => {
  const run = failing([overloaded])
  await expect(run.done(AbortSignal.abort('stop'))).rejects.toBe('stop')
  expect(run.waits).toEqual([])
})

test('the real sleep ends with the signal', async () => {
  const controller = new AbortController()
  const asleep = systemRetry.sleep(60_000, controller.signal)
  controller.abort('stop')
  await expect(asleep).rejects.toBe('stop')
  await expect(systemRetry.sleep(1, controller.signal)).rejects.toBe('stop')
  await systemRetry.sleep(1, live)
})

describe('how long to wait (R1, R2)', () => {
  const error = (cls: ProviderError['class'], retryAfterMs: number | null = null) =>
    new ProviderError(cls, 'x', { retryAfterMs })

  test('waits 500 ms doubling with 75 to 100 % of it, three attempts in all', () => {
    expect(nextWait(error('overloaded'), 1, 0)).toBe(375)
    expect(nextWait(error('overloaded'), 1, 1)).toBe(500)
    expect(nextWait(error('rate_limit'), 2, 1)).toBe(1000)
    expect(nextWait(error('rate_limit'), 3, 1)).toBeNull()
  })

  test('a hint wins; above 30 s it ends the retrying', () => {
    expect(nextWait(error('rate_limit', 29_000), 1, 0)).toBe(29_000)
    expect(nextWait(error('rate_limit', 31_000), 1, 0)).toBeNull()
  })

  test('a hint of nothing is none: the attempts are not used up at once', () => {
    expect(nextWait(error('rate_limit', 0), 1, 1)).toBe(500)
  })

  test.each(['rate_limit', 'overloaded', 'truncated', 'network'] as const)(
    '%s is tried again',
    (cls) => {
      expect(nextWait(error(cls), 1, 1)).toBe(500)
    },
  )

  test.each([
    'auth',
    'overflow',
    'content_blocked',
    'payload_too_large',
    'refused',
    'protocol',
    'timeout',
  ] as const)('%s is never tried again', (cls) => {
    expect(nextWait(error(cls), 1, 0)).toBeNull()
  })
})

test('a hint that is too long comes out with the error, for the caller to follow', async () => {
  const error = classifyError({
    status: 429,
    headers: new Headers({ 'retry-after': '90' }),
    body: '',
    secrets: [],
  })
  const run = failing([error])
  await expect(run.done()).rejects.toMatchObject({ class: 'rate_limit', retryAfterMs: 90_000 })
  expect(run.waits).toEqual([])
})

test('an abort ends a wait that a provider asked for', async () => {
  const controller = new AbortController()
  const error = new ProviderError('rate_limit', 'x', { retryAfterMs: 29_000 })
  const run = withRetries(async () => Promise.reject(error), systemRetry, controller.signal)
  setTimeout(() => controller.abort('stop'), 5)
  await expect(run).rejects.toBe('stop')
})
