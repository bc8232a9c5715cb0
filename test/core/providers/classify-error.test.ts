import { describe, expect, test } from 'vitest'
import { classifyError, classifyFrame } from '../../../src/core/providers/classify-error.ts'

const KEY = 'secret-key-123'

function classify(status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return classifyError({ status, body: text, headers: new Headers(headers), secrets: [KEY] })
}

const raw = (error: unknown) => ({
  error: {
    message: 'Provider returned error',
    code: 400,
    metadata: { raw: JSON.stringify({ error }), provider_name: 'x' },
  },
})

describe('overflow (3.1, 3.2)', () => {
  test.each<[number, unknown]>([
    [400, ''],
    [413, ''],
    [400, raw({ message: 'prompt is too long: 213462 tokens > 200000 maximum' })],
    [400, { error: { code: 'context_length_exceeded', message: 'no' } }],
    [400, { code: '1261', message: 'Prompt too long' }],
    [400, { error: "This model's maximum prompt length is 131072 but the request contains 5." }],
    [400, { error: { message: 'litellm.ContextWindowExceededError: x' } }],
    [
      400,
      {
        object: 'error',
        message: 'Input length 131393 exceeds the maximum allowed input length of 131040 tokens.',
      },
    ],
    [
      413,
      {
        success: false,
        errors: [
          {
            message:
              'AiError: 5021: The estimated number of input and maximum output tokens (155740) exceeded this model context window limit (128000).',
          },
        ],
      },
    ],
    [
      400,
      {
        error: {
          message:
            'The number of tokens to keep from the initial prompt is greater than the context length.',
        },
      },
    ],
    [
      500,
      {
        error: { message: 'input is too large to process. increase the physical batch size' },
      },
    ],
  ])('%i %j is one', (status, body) => {
    expect(classify(status, body).class).toBe('overflow')
  })

  test.each<[number, unknown, string]>([
    [
      413,
      {
        error: {
          message: 'Request too large on tokens per minute (TPM): Limit 6000, Requested 15041',
          type: 'tokens',
          code: 'rate_limit_exceeded',
        },
      },
      'refused',
    ],
    [
      429,
      { error: { message: 'exceeds the limit of 30000 tokens per minute', code: 'x' } },
      'rate_limit',
    ],
    [429, { error: { message: 'Extra usage is required for long context requests.' } }, 'refused'],
    [
      413,
      { error: { type: 'request_too_large', message: 'Request exceeds' } },
      'payload_too_large',
    ],
    [400, { error: { type: 'request_too_large', message: 'x' } }, 'payload_too_large'],
    [503, { error: { message: 'prompt is too long' } }, 'overloaded'],
    [500, '', 'overloaded'],
    [404, '', 'refused'],
  ])('%i %j is none', (status, body, cls) => {
    expect(classify(status, body).class).toBe(cls)
  })
})

describe('overflow in the words of the vendors (3.1, 3.2)', () => {
  test.each([
    'prompt is too long: 213462 tokens > 200000 maximum',
    'input length and `max_tokens` exceed context limit: 188059 + 20000 > 200000, decrease input length',
    'Input is too long for requested model.',
    'Your input exceeds the context window of this model. Please adjust your input and try again.',
    'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 402740 tokens.',
    "This model's maximum context length is 131072 tokens. However, you requested 135956 tokens",
    "Requested token count exceeds the model's maximum context length of 131072 tokens",
    "Input length (265330) exceeds model's maximum context length (262144).",
    'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    'Please reduce the length of the messages or completion.',
    'Prompt contains 1000172 tokens and 0 draft tokens, too large for model with 40960 maximum context length',
    "The input (516368 tokens) is longer than the model's context length (262144 tokens).",
    'The prompt is too long: 1000008, model maximum context length: 131071',
    'request (13392 tokens) exceeds the available context size (8192 tokens), try increasing it',
    'prompt too long; exceeded max context length by 200 tokens',
    'prompt token count of 200000 exceeds the limit of 128000',
    'invalid params, context window exceeds limit',
    'Your request exceeded model token limit: 262144 (requested: 300000)',
    'Prompt exceeds max length',
    'Range of input length should be [1, 30720]',
  ])('is one: %s', (message) => {
    expect(classify(400, { error: { message } }).class).toBe('overflow')
  })

  test.each<[number, string]>([
    [
      413,
      'Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 15041, please reduce your message size',
    ],
    [
      429,
      'Rate limit reached for model on tokens per minute (TPM): Limit 8000, Used 7297, Requested 974. Please try again in 2.0325s.',
    ],
    [429, 'Too many tokens per minute'],
    [429, 'Too many tokens, please wait before trying again.'],
    [400, 'tools.0.name: invalid'],
  ])('is none: %i %s', (status, message) => {
    expect(classify(status, { error: { message } }).class).not.toBe('overflow')
  })
})

describe('classes', () => {
  test.each<[number, unknown, string]>([
    [400, { error: { message: 'API key not valid. Please pass a valid API key.' } }, 'auth'],
    [400, { error: 'Incorrect API key provided: x.' }, 'auth'],
    [429, { error: { message: 'x', code: 'insufficient_quota' } }, 'auth'],
    [
      429,
      { error: { message: 'Upgrade at https://console.groq.com/settings/billing' } },
      'rate_limit',
    ],
    [402, { error: { message: 'credits' } }, 'refused'],
    [403, { error: { message: 'x', metadata: { reasons: ['violence'] } } }, 'content_blocked'],
    [
      400,
      { error: { message: 'x', innererror: { code: 'ResponsibleAIPolicyViolation' } } },
      'content_blocked',
    ],
    [529, { type: 'error', error: { type: 'overloaded_error', message: 'x' } }, 'overloaded'],
    [500, { error: { message: 'Failed to parse tool call arguments as JSON' } }, 'refused'],
    [408, '', 'overloaded'],
  ])('%i %j is %s', (status, body, cls) => {
    expect(classify(status, body).class).toBe(cls)
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
    expect(classify(400, raw({ message: 'inner', param: 'tool_choice' }))).toMatchObject({
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

  test('how long to wait comes from headers and words, and with an error frame from its words (R1)', () => {
    const message = 'Please try again in 2.5s.'
    expect(classify(429, { error: { message } }, { 'retry-after': '1' }).retryAfterMs).toBe(2_500)
    expect(classify(429, { error: { message } }, { 'retry-after': '7' }).retryAfterMs).toBe(7_000)
    expect(classifyFrame({ error: { message, code: 429 } }, [KEY]).retryAfterMs).toBe(2_500)
    expect(classify(429, {}).retryAfterMs).toBeNull()
  })
})

describe('an error inside a 200', () => {
  test.each<[unknown, string, number | null]>([
    [{ message: 'x', code: 502 }, 'overloaded', 502],
    [{ message: 'x', code: 429 }, 'rate_limit', 429],
    [{ message: 'x', type: 'invalid_request_error' }, 'refused', null],
    ['prompt is too long', 'overflow', null],
    ['upstream is down', 'overloaded', null],
  ])('%j is %s, and its status is the one it names', (error, cls, status) => {
    expect(classifyFrame(error, [KEY])).toMatchObject({ class: cls, status })
  })

  test('without words it is an unknown error, and the key is not shown (X2)', () => {
    expect(classifyFrame({}, [KEY]).message).toBe('Unknown error')
    expect(classifyFrame(`bad ${KEY}`, [KEY]).message).toBe('bad [key]')
  })
})
