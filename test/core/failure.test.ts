import { describe, expect, test } from 'vitest'
import { BatonError } from '../../src/core/errors.ts'
import { describeFailure } from '../../src/core/failure.ts'
import { ProviderError } from '../../src/core/providers/types.ts'

const PREFIX = 'Handoff generation failed'

describe('a failed model call in the words of the contract', () => {
  test.each([
    ['timeout', 'provider_timeout'],
    ['overflow', 'context_overflow'],
    ['rate_limit', 'provider_rate_limited'],
    ['auth', 'provider_error'],
    ['payload_too_large', 'provider_error'],
    ['content_blocked', 'provider_error'],
    ['overloaded', 'provider_error'],
    ['truncated', 'provider_error'],
    ['protocol', 'provider_error'],
    ['refused', 'provider_error'],
    ['network', 'provider_error'],
  ] as const)('%s is %s, with what the provider said and its status (X2, B39)', (cls, code) => {
    const failure = describeFailure(new ProviderError(cls, 'Its words', { status: 418 }), PREFIX)
    expect(failure).toMatchObject({ code, detail: `${PREFIX}: Its words`, providerStatus: 418 })
  })

  test('a provider without words gets some, and no status stays none (X2)', () => {
    expect(describeFailure(new ProviderError('network', ''), PREFIX)).toEqual({
      code: 'provider_error',
      detail: `${PREFIX}: Unknown error`,
    })
  })

  test('a rate limit always says when to come back, in whole seconds', () => {
    const wait = (retryAfterMs: number | null) =>
      describeFailure(new ProviderError('rate_limit', 'x', { retryAfterMs }), PREFIX).retryAfter
    expect([wait(null), wait(0), wait(1), wait(90_500)]).toEqual([60, 1, 1, 91])
  })

  test('a server that is overloaded says when to come back only where it told', () => {
    const wait = (retryAfterMs: number | null) =>
      describeFailure(new ProviderError('overloaded', 'x', { retryAfterMs }), PREFIX).retryAfter
    expect([wait(null), wait(45_000)]).toEqual([undefined, 45])
  })

  test('our own errors keep their words, anything else says nothing of itself', () => {
    expect(describeFailure(new BatonError('no_model', 'Words'), PREFIX)).toEqual({
      code: 'no_model',
      detail: 'Words',
    })
    const inner = new Error('wrapped', { cause: new BatonError('unavailable', 'Away') })
    expect(describeFailure(inner, PREFIX)).toEqual({ code: 'unavailable', detail: 'Away' })
    expect(describeFailure(new Error('secret'), PREFIX).code).toBe('internal')
    expect(JSON.stringify(describeFailure('secret', PREFIX))).not.toContain('secret')
  })
})
