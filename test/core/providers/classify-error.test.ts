import { describe, expect, test } from 'vitest'
import { classifyError, classifyFrame } from '../../../src/core/providers/classify-error.ts'
import { anthropic, google, routed } from './envelopes.ts'

const KEY = 'secret-key-123'
const NOW = Date.parse('2026-03-02T09:00:00Z')

function classify(status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return classifyError({
    status,
    body: text,
    headers: new Headers(headers),
    secrets: [KEY],
    now: NOW,
  })
}

const openRouter = {
  error: {
    message: 'Rate limit exceeded: free-models-per-min',
    code: 429,
    metadata: { headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': `${NOW + 9_000}` } },
  },
}

describe('classes of refused requests (3.2, 3.3, 3.4)', () => {
  test.each<[string, number, unknown, string]>([
    ['OpenAI, wrong key', 401, { error: { message: 'x', code: 'invalid_api_key' } }, 'auth'],
    ['Anthropic, wrong key', 401, anthropic('authentication_error'), 'auth'],
    ['Anthropic, not allowed', 403, anthropic('permission_error'), 'auth'],
    [
      'Gemini, wrong key',
      400,
      google(400, {
        status: 'INVALID_ARGUMENT',
        message: 'API key not valid. Please pass a valid API key.',
      }),
      'auth',
    ],
    [
      'Gemini, wrong key by its reason alone',
      400,
      {
        error: {
          code: 400,
          message: 'no',
          status: 'INVALID_ARGUMENT',
          details: [{ '@type': 'x/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }],
        },
      },
      'auth',
    ],
    ['xAI, wrong key', 400, { code: 'x', error: 'Incorrect API key provided: xa***yz.' }, 'auth'],
    ['xAI, not allowed', 403, { code: 'x', error: 'Forbidden' }, 'auth'],
    ['OpenRouter, no key', 401, { error: { message: 'No auth', code: 401 } }, 'auth'],
    ['a page for 401', 401, '<html>login</html>', 'auth'],
    ['OpenAI, money spent', 429, { error: { message: 'x', code: 'insufficient_quota' } }, 'auth'],
    ['OpenRouter, money spent', 402, { error: { message: 'credits', code: 402 } }, 'refused'],
    ['Anthropic, money spent', 402, anthropic('billing_error'), 'refused'],
    [
      'Anthropic, the spend cap',
      429,
      anthropic('rate_limit_error', 'This request would exceed your monthly spend limit'),
      'refused',
    ],
    [
      'Anthropic, the usage limit',
      400,
      anthropic('invalid_request_error', 'You have reached your specified API usage limits.'),
      'refused',
    ],
    [
      'z.ai, money spent',
      429,
      { error: { code: '1113', message: 'Insufficient balance' } },
      'refused',
    ],
    [
      'Groq advertising',
      429,
      { error: { message: 'Upgrade at https://console.groq.com/settings/billing' } },
      'rate_limit',
    ],
    [
      'Gemini, an ordinary limit',
      429,
      google(429, {
        message: 'You exceeded your current quota, please check your plan and billing details.',
      }),
      'rate_limit',
    ],
    ['Anthropic, a limit', 429, anthropic('rate_limit_error'), 'rate_limit'],
    ['a limit without a word', 429, '', 'rate_limit'],
    ['a page for 429', 429, '<!doctype html>', 'rate_limit'],
    [
      'OpenRouter, moderation',
      403,
      { error: { message: 'x', code: 403, metadata: { reasons: ['violence'] } } },
      'content_blocked',
    ],
    [
      'Azure, filter by its code',
      400,
      { error: { message: 'x', code: 'content_filter', param: 'prompt', status: 400 } },
      'content_blocked',
    ],
    [
      'Azure, filter by its inner code',
      400,
      { error: { message: 'x', innererror: { code: 'ResponsibleAIPolicyViolation' } } },
      'content_blocked',
    ],
    [
      'Azure, wrapped twice',
      400,
      { error: { error: { message: 'x', code: 'content_filter' } } },
      'content_blocked',
    ],
    [
      'Anthropic, filter',
      400,
      anthropic('invalid_request_error', 'Output blocked by content filtering policy'),
      'content_blocked',
    ],
    ['xAI, filter', 403, { error: 'Content violates usage guidelines.' }, 'content_blocked'],
    ['Anthropic, too many bytes', 413, anthropic('request_too_large'), 'payload_too_large'],
    ['the same through a proxy', 400, anthropic('request_too_large'), 'payload_too_large'],
    ['nginx, too many bytes', 413, '<html>413</html>', 'payload_too_large'],
    ['Anthropic, busy', 529, anthropic('overloaded_error'), 'overloaded'],
    ['Anthropic, too slow', 504, anthropic('timeout_error'), 'overloaded'],
    ['Anthropic, broken', 500, anthropic('api_error'), 'overloaded'],
    ['Gemini, busy', 503, google(503, { status: 'UNAVAILABLE' }), 'overloaded'],
    ['too slow', 408, '', 'overloaded'],
    ['Cloudflare’s page', 524, '<html>', 'overloaded'],
    ['nothing but 500', 500, '', 'overloaded'],
    ['not there', 501, '', 'refused'],
    [
      'llama.cpp, a tool call that is no JSON',
      500,
      { error: { code: 500, message: 'Failed to parse tool call arguments as JSON' } },
      'refused',
    ],
    ['an unknown model', 404, anthropic('not_found_error'), 'refused'],
    ['a wrong field', 400, anthropic('invalid_request_error'), 'refused'],
    ['a 400 that calls itself a limit', 400, { error: { code: 'rate_limit_exceeded' } }, 'refused'],
    ['a 400 that calls itself busy', 400, { error: { message: 'Overloaded' } }, 'refused'],
    ['a wrong field (FastAPI)', 422, { detail: [{ loc: ['body', 'x'], msg: 'y' }] }, 'refused'],
    ['a conflict', 409, '', 'refused'],
  ])('%s', (_name, status, body, cls) => {
    expect(classify(status, body).class).toBe(cls)
  })

  test('a conflict that the provider says will pass does; a wrong request does not', () => {
    const again = { 'x-should-retry': 'true' }
    expect(classify(409, '', again).class).toBe('overloaded')
    expect(classify(400, { error: { message: 'x' } }, again).class).toBe('refused')
    expect(classify(402, '', again).class).toBe('refused')
  })
})

describe('the message', () => {
  test('pydantic details name their place, as param too', () => {
    const detail = [{ type: 'extra_forbidden', loc: ['body', 'tool_choice'], msg: 'Not permitted' }]
    expect(classify(422, { detail })).toMatchObject({
      message: 'tool_choice Not permitted',
      param: 'tool_choice',
    })
  })

  test('what OpenRouter wraps is unwrapped with its param', () => {
    expect(
      classify(400, routed({ error: { message: 'inner', param: 'tool_choice' } })),
    ).toMatchObject({
      message: 'inner',
      param: 'tool_choice',
      class: 'refused',
    })
  })

  test('the key is removed before the cut, and 500 characters stay at most', () => {
    const { message } = classify(400, `${'x'.repeat(490)}${KEY}${'y'.repeat(100)}`)
    expect(message).toHaveLength(500)
    expect(message).not.toContain('secret')
  })

  test.each<unknown>([null, 7, [], {}, { error: null }, { error: [[[[[[[]]]]]]] }])(
    '%j has no message: the status speaks',
    (body) => {
      expect(classify(418, body).message).toBe('HTTP 418')
    },
  )

  test('the key never comes back, and a page is not shown', () => {
    expect(classify(401, { error: { message: 'Bad key secret-key-123' } })).toMatchObject({
      class: 'auth',
      message: 'Bad key [key]',
    })
    expect(classify(502, '<!DOCTYPE html><p>x').message).toBe(
      'The provider answered with an HTML page',
    )
    expect(classify(400, [{ error: { message: 'in an array' } }]).message).toBe('in an array')
    expect(classify(400, { error: 'a string' }).message).toBe('a string')
    expect(classify(500, '').message).toBe('HTTP 500')
  })

  test('how long to wait is found wherever the answer says it', () => {
    const info = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' }
    const gemini = { code: 429, message: 'x', status: 'RESOURCE_EXHAUSTED', details: [info] }
    expect(classify(429, { error: gemini }).retryAfterMs).toBe(34_000)
    expect(classify(429, [{ error: gemini }], { 'retry-after': '40' }).retryAfterMs).toBe(40_000)
    expect(classify(429, routed({ error: gemini })).retryAfterMs).toBe(34_000)
    expect(classifyFrame([{ error: gemini }], []).retryAfterMs).toBe(34_000)
    const at = { 'retry-after': new Date(NOW + 5_000).toUTCString() }
    expect(classify(503, '', at).retryAfterMs).toBe(5_000)
    expect(classifyFrame(openRouter, [], NOW).retryAfterMs).toBe(9_000)
  })

  test('when limits are full again counts for a limit that was hit only', () => {
    const headers = { 'x-ratelimit-reset-tokens': '6m0s' }
    expect(classify(429, {}, headers).retryAfterMs).toBe(360_000)
    expect(classify(503, {}, headers).retryAfterMs).toBeNull()
  })

  test('how long to wait comes from headers and words, and with an error frame from its words (R1)', () => {
    const message = 'Please try again in 2.5s.'
    expect(classify(429, { error: { message } }, { 'retry-after': '1' }).retryAfterMs).toBe(2_500)
    expect(classify(429, { error: { message } }, { 'retry-after': '7' }).retryAfterMs).toBe(7_000)
    expect(classifyFrame({ error: { message, code: 429 } }, [KEY]).retryAfterMs).toBe(2_500)
    expect(classify(429, {}).retryAfterMs).toBeNull()
  })
})
