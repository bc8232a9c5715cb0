import { describe, expect, test } from 'vitest'
import { classifyError, classifyFrame } from '../../../src/core/providers/classify-error.ts'
import { nextWait } from '../../../src/core/providers/retry.ts'
import { anthropic, google } from './envelopes.ts'

const NOW = Date.parse('2026-03-02T09:00:00Z')

/** The wait after a first attempt that was answered like this, with chance at its highest. */
function waitAfter(status: number, body: unknown = '', headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = { status, headers: new Headers(headers), body: text, secrets: [], now: NOW }
  return nextWait(classifyError(answer), 1, 1)
}

const BUDGET = 'Request too large on tokens per minute (TPM): Limit 6000, Requested 15041'

describe('what is never asked again (3.3)', () => {
  test.each([400, 401, 402, 403, 404, 405, 409, 413, 415, 422, 451, 501])(
    '%i, whatever it says',
    (status) => {
      const hints: readonly Record<string, string>[] = [
        {},
        { 'retry-after': '1' },
        { 'retry-after-ms': '5' },
      ]
      for (const headers of hints) {
        expect(waitAfter(status, '', headers)).toBeNull()
        expect(waitAfter(status, { error: { message: 'try again in 1s' } }, headers)).toBeNull()
        expect(waitAfter(status, { error: { code: 'rate_limit_exceeded' } }, headers)).toBeNull()
        expect(waitAfter(status, { error: { message: 'Overloaded' } }, headers)).toBeNull()
      }
    },
  )

  test.each([400, 401, 402, 403, 404, 413, 422])('%i that asks for it', (status) => {
    expect(waitAfter(status, { error: { message: 'x' } }, { 'x-should-retry': 'true' })).toBeNull()
  })

  test.each<[string, number, unknown, Record<string, string>?]>([
    ['an overflow', 400, anthropic('invalid_request_error', 'prompt is too long: 5 > 4 maximum')],
    ['an overflow as 500', 500, { error: 'input is too large to process, see batch size' }],
    ['a blocked prompt', 400, { error: { code: 'content_filter', message: 'x' } }],
    ['a blocked prompt as 500', 500, { error: { code: 'content_filter', message: 'x' } }],
    ['a tool call that is no JSON', 500, { error: { message: 'Failed to parse tool call' } }],
    [
      'a request above the budget',
      413,
      { error: { code: 'rate_limit_exceeded', message: BUDGET } },
    ],
    ['the same as 429', 429, { error: { code: 'rate_limit_exceeded', message: BUDGET } }],
    ['spent money', 429, { error: { code: 'insufficient_quota', message: 'x' } }],
    ['spent money by its type', 429, { error: { type: 'insufficient_quota', message: 'x' } }],
    ['a spend cap', 429, anthropic('rate_limit_error', 'You hit your monthly spend limit')],
    ['an entitlement', 429, anthropic('rate_limit_error', 'Extra usage is required for x')],
    ['a long wait', 429, '', { 'retry-after': '31' }],
    ['a long wait until a date', 503, '', { 'retry-after': 'Mon, 02 Mar 2026 09:01:00 GMT' }],
    ['a long wait in words', 429, { error: { message: 'Please try again in 7m12s' } }],
    [
      'the longer of two waits',
      429,
      { error: { message: 'try again in 40s' } },
      { 'retry-after': '1' },
    ],
    ['Google’s long wait', 429, google(429, { details: [{ retryDelay: '34s' }] })],
    [
      'Google’s spent day',
      429,
      google(429, {
        details: [{ retryDelay: '3s' }, { violations: [{ quotaId: 'RequestsPerDayPerModel' }] }],
      }),
    ],
    ['OpenAI’s full limit', 429, '', { 'x-ratelimit-reset-tokens': '6m0s' }],
    ['OpenRouter’s spent day', 429, '', { 'x-ratelimit-reset': `${NOW + 9_000_000}` }],
    ['who says so', 429, '', { 'x-should-retry': 'false' }],
    ['who says so, busy', 529, '', { 'x-should-retry': 'false', 'retry-after': '1' }],
  ])('%s', (_name, status, body, headers) => {
    expect(waitAfter(status, body, headers)).toBeNull()
  })

  test.each<[string, unknown]>([
    ['a wrong request', anthropic('invalid_request_error')],
    ['a wrong field', { type: 'error', code: 'invalid_value', message: 'x', param: 'y' }],
    [
      'a wrong prompt',
      { type: 'response.failed', response: { error: { code: 'invalid_prompt' } } },
    ],
    ['an unknown model', anthropic('not_found_error')],
    ['a wrong key', anthropic('authentication_error')],
    ['a bill', anthropic('billing_error')],
    ['an overflow', { error: { message: 'prompt is too long', type: 'x' } }],
    ['a 400', { error: { message: 'x', code: 400 } }],
    ['spent money', { error: { message: 'x', code: 'insufficient_quota' } }],
    ['an entitlement', anthropic('rate_limit_error', 'Extra usage is required for x')],
    ['a request above the budget', { error: { code: 'rate_limit_exceeded', message: BUDGET } }],
    ['a blocked prompt', { error: { code: 'content_filter', message: 'x' } }],
  ])('inside a 200: %s', (_name, error) => {
    expect(nextWait(classifyFrame(error, []), 1, 1)).toBeNull()
  })
})

describe('what is asked again, and after how long (3.3)', () => {
  test.each([408, 429, 500, 502, 503, 504, 520, 522, 524, 529])('%i', (status) => {
    expect(waitAfter(status)).toBe(500)
    expect(waitAfter(status, '<html>x</html>')).toBe(500)
    expect(waitAfter(status, { error: { message: 'x', type: 'api_error' } })).toBe(500)
    expect(waitAfter(status, '', { 'x-should-retry': 'true' })).toBe(500)
    expect(waitAfter(status, '', { 'retry-after': '0' })).toBe(500)
    expect(waitAfter(status, '', { 'retry-after': '3' })).toBe(3_000)
  })

  test.each<[string, number, unknown, Record<string, string>, number]>([
    ['seconds', 429, '', { 'retry-after': '30' }, 30_000],
    ['milliseconds', 429, '', { 'retry-after-ms': '1500', 'retry-after': '1' }, 1_500],
    ['a date', 503, '', { 'retry-after': 'Mon, 02 Mar 2026 09:00:07 GMT' }, 7_000],
    ['words', 429, { error: { message: 'Please try again in 2.0325s.' } }, {}, 2_033],
    ['Google', 429, google(429, { details: [{ retryDelay: '12s' }] }), {}, 12_000],
    ['OpenAI’s limit', 429, '', { 'x-ratelimit-reset-requests': '8.5s' }, 8_500],
    [
      'Anthropic’s limit',
      429,
      anthropic('rate_limit_error'),
      { 'anthropic-ratelimit-tokens-reset': '2026-03-02T09:00:21Z' },
      21_000,
    ],
    ['OpenRouter’s limit', 429, '', { 'x-ratelimit-reset': `${NOW + 9_000}` }, 9_000],
    [
      'a missing slot',
      429,
      '',
      { 'retry-after': '60', rate_limit_type: 'max_parallel_requests' },
      500,
    ],
    [
      'a missing slot, in the body',
      429,
      { error: { message: 'x', rate_limit_type: 'max_parallel_requests' } },
      { 'retry-after': '60' },
      500,
    ],
    ['a conflict that passes', 409, '', { 'x-should-retry': 'true' }, 500],
    ['Gemini’s quota', 429, { error: { message: 'You exceeded your current quota' } }, {}, 500],
  ])('%s', (_name, status, body, headers, wait) => {
    expect(waitAfter(status, body, headers)).toBe(wait)
  })

  test.each<[string, unknown]>([
    ['Anthropic, busy', anthropic('overloaded_error')],
    ['Anthropic, too slow', anthropic('timeout_error')],
    ['Responses', { type: 'response.failed', response: { error: { code: 'server_error' } } }],
    ['OpenRouter', { choices: [], error: { code: 502, message: 'x' } }],
    ['Gemini', google(503)],
    ['a limit', { type: 'error', code: 'rate_limit_exceeded', message: 'x', param: null }],
    ['text', '429 Too Many Requests'],
    ['nothing', {}],
  ])('inside a 200: %s', (_name, error) => {
    expect(nextWait(classifyFrame(error, []), 1, 1)).toBe(500)
  })
})
