import { describe, expect, test } from 'vitest'
import {
  BatonError,
  fromErrorData,
  invalid,
  isBatonError,
  toErrorData,
} from '../../src/core/errors.ts'

describe('errors as data', () => {
  test('they cross an object boundary whole', () => {
    const error = new BatonError('provider_error', 'Words', { providerStatus: 529, retryAfter: 3 })
    const data = JSON.parse(JSON.stringify(toErrorData(error)))
    expect(data).toEqual({
      code: 'provider_error',
      detail: 'Words',
      providerStatus: 529,
      retryAfter: 3,
    })
    expect(toErrorData(fromErrorData(data))).toEqual(data)
  })

  test('one that was wrapped on its way is found, anything else says nothing of itself', () => {
    const inner = new BatonError('unavailable', 'Away')
    expect(toErrorData(new Error('query failed', { cause: inner })).code).toBe('unavailable')
    for (const thrown of [new Error('secret'), 'secret', null, { message: 'secret' }]) {
      expect(toErrorData(thrown)).toEqual({
        code: 'internal',
        detail: 'Something went wrong on our side',
      })
    }
    const circle = new Error('secret')
    circle.cause = circle
    expect(toErrorData(circle).code).toBe('internal')
  })

  test('they are known by shape', () => {
    expect(isBatonError(new BatonError('invalid', 'x'))).toBe(true)
    expect(isBatonError(Object.assign(new Error('x'), { name: 'BatonError' }))).toBe(false)
    expect(isBatonError({ name: 'BatonError', code: 'invalid' })).toBe(false)
  })

  test('what does not fit names the first place and lists at most twenty', () => {
    const issues = Array.from({ length: 30 }, (_, at) => ({ path: `a.${at}`, message: 'is wrong' }))
    const error = invalid(issues)
    expect([error.code, error.message]).toEqual(['invalid', 'a.0: is wrong'])
    expect(error.details.issues).toHaveLength(20)
    expect(invalid([{ path: '', message: 'is wrong' }]).message).toBe('The body: is wrong')
  })
})
