import { describe, expect, test } from 'vitest'
import { classifyFrame } from '../../../src/core/providers/classify-error.ts'
import { anthropic, failed, google, responses } from './envelopes.ts'

const KEY = 'secret-key-123'

describe('an error inside a 200', () => {
  test.each<[string, unknown, string, number | null]>([
    ['OpenRouter', { choices: [], error: { message: 'x', code: 502 } }, 'overloaded', 502],
    ['a limit', { message: 'x', code: 429 }, 'rate_limit', 429],
    ['a limit as text', '429 Too Many Requests', 'rate_limit', 429],
    ['a limit in words', 'Rate limit reached for x', 'rate_limit', null],
    ['a gateway as text', '502 Bad Gateway', 'overloaded', 502],
    ['Cloudflare as text', 'error code: 524', 'overloaded', 524],
    ['LiteLLM', { error: { message: 'x', code: '429' } }, 'rate_limit', 429],
    ['wrapped twice', { error: { error: { message: 'x', code: 503 } } }, 'overloaded', 503],
    ['Chat', { error: { message: 'x', type: 'invalid_request_error' } }, 'refused', null],
    ['Chat, broken', { error: { message: 'x', type: 'server_error' } }, 'overloaded', null],
    ['Responses, flat', responses('rate_limit_exceeded'), 'rate_limit', null],
    ['Responses, flat and broken', responses('server_error'), 'overloaded', null],
    ['Responses, flat and wrong', responses('invalid_prompt'), 'refused', null],
    ['Responses, flat without a code', responses(null), 'overloaded', null],
    ['Responses, failed', failed({ code: 'server_error', message: 'x' }), 'overloaded', null],
    ['Responses, failed by a limit', failed({ code: 'rate_limit_exceeded' }), 'rate_limit', null],
    ['Responses, failed by an image', failed({ code: 'invalid_image' }), 'refused', null],
    ['Responses, failed silently', failed(null), 'overloaded', null],
    ['Anthropic, busy', anthropic('overloaded_error'), 'overloaded', null],
    ['Anthropic, broken', anthropic('api_error'), 'overloaded', null],
    ['Anthropic, too slow', anthropic('timeout_error'), 'overloaded', null],
    ['Anthropic, a limit', anthropic('rate_limit_error'), 'rate_limit', null],
    ['Anthropic, wrong', anthropic('invalid_request_error'), 'refused', null],
    ['Anthropic, unknown', anthropic('not_found_error'), 'refused', null],
    ['Anthropic, key', anthropic('authentication_error'), 'auth', null],
    ['Anthropic, money', anthropic('billing_error'), 'refused', null],
    ['Anthropic, bytes', anthropic('request_too_large'), 'payload_too_large', null],
    ['Gemini, a limit', google(429), 'rate_limit', 429],
    ['Gemini in an array', [google(503, { status: 'UNAVAILABLE' })], 'overloaded', 503],
    ['Gemini, wrong', google(400, { status: 'INVALID_ARGUMENT' }), 'refused', 400],
    ['vLLM, wrong', { message: 'x', type: 'BadRequestError', code: 400 }, 'refused', 400],
    ['Azure, filter', { error: { message: 'x', code: 'content_filter' } }, 'content_blocked', null],
    ['Workers AI', { success: false, errors: [{ code: 3040, message: 'x' }] }, 'overloaded', null],
    ['Ollama', { error: 'model runner has unexpectedly stopped' }, 'overloaded', null],
    ['a string', 'prompt is too long', 'overflow', null],
    ['nothing', null, 'overloaded', null],
  ])('%s', (_name, error, cls, status) => {
    expect(classifyFrame(error, [KEY])).toMatchObject({ class: cls, status })
  })

  test('without words it is an unknown error, and the key is not shown (X2)', () => {
    expect(classifyFrame({}, [KEY]).message).toBe('Unknown error')
    expect(classifyFrame(`bad ${KEY}`, [KEY]).message).toBe('bad [key]')
  })

  test('of a text without end only the beginning is read', () => {
    const started = performance.now()
    for (const text of ['input length ', 'parse tool ', 'request too large ', 'violating ']) {
      classifyFrame(text.repeat(1_000_000), [KEY])
    }
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})
