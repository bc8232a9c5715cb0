import { describe, expect, test } from 'vitest'
import { classifyError, classifyFrame } from '../../../src/core/providers/classify-error.ts'
import { failed, routed } from './envelopes.ts'

function classify(status: number, body: unknown): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return classifyError({ status, body: text, headers: new Headers(), secrets: [] }).class
}

function classifyIn200(error: unknown): string {
  return classifyFrame(error, []).class
}

const CLASSIC =
  "This model's maximum context length is 131072 tokens. However, you requested 135956 tokens (127764 in the messages, 8192 in the completion). Please reduce the length of the messages or completion."
const OPENAI =
  'Your input exceeds the context window of this model. Please adjust your input and try again.'
const WORKERS =
  '5021: The estimated number of input and maximum output tokens (155740) exceeded this model context window limit (128000).'

/** Each vendor's answer as it comes, with its status. */
const ANSWERS: readonly (readonly [string, number, unknown])[] = [
  [
    'Anthropic',
    400,
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'prompt is too long: 213462 tokens > 200000 maximum',
      },
    },
  ],
  [
    'Anthropic of old',
    400,
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message:
          'input length and `max_tokens` exceed context limit: 188059 + 20000 > 200000, decrease input length or `max_tokens` and try again',
      },
    },
  ],
  ['Bedrock', 400, { message: 'Input is too long for requested model.' }],
  [
    'OpenAI',
    400,
    {
      error: {
        message: OPENAI,
        type: 'invalid_request_error',
        param: 'input',
        code: 'context_length_exceeded',
      },
    },
  ],
  ['OpenAI without a code', 400, { error: { message: OPENAI } }],
  ['OpenAI by its code alone', 400, { error: { code: 'context_length_exceeded', message: 'no' } }],
  ['OpenAI, “the model’s”', 400, { error: { message: "x exceeds the model's context window" } }],
  ['OpenAI, “this model’s”', 400, { error: { message: 'x exceeds this model’s context window' } }],
  [
    'OpenAI Chat',
    400,
    {
      error: {
        message:
          'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 402740 tokens. Please reduce the length of the messages.',
        code: 'context_length_exceeded',
      },
    },
  ],
  ['OpenAI, classic', 400, { error: { message: CLASSIC, type: 'invalid_request_error' } }],
  ['vLLM', 400, { object: 'error', message: CLASSIC, type: 'BadRequestError', code: 400 }],
  [
    'a newer vLLM',
    400,
    {
      object: 'error',
      message:
        'You requested 4093 output tokens and your prompt contains at least 61444 input tokens.',
    },
  ],
  [
    'SGLang',
    400,
    {
      object: 'error',
      message: "Requested token count exceeds the model's maximum context length of 131072 tokens",
    },
  ],
  [
    'SGLang’s other',
    400,
    { message: "Input length (265330) exceeds model's maximum context length (262144)." },
  ],
  ['LiteLLM', 400, { error: { message: 'litellm.ContextWindowExceededError: x', code: '400' } }],
  [
    'Gemini',
    400,
    {
      error: {
        code: 400,
        message:
          'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
        status: 'INVALID_ARGUMENT',
      },
    },
  ],
  [
    'Gemini’s compatible API',
    400,
    [{ error: { code: 400, message: 'The input token count (11) exceeds the maximum (10).' } }],
  ],
  [
    'xAI',
    400,
    {
      code: 'invalid-argument',
      error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    },
  ],
  [
    'Groq',
    400,
    {
      error: {
        message: 'Please reduce the length of the messages or completion.',
        code: 'context_length_exceeded',
      },
    },
  ],
  [
    'Mistral',
    400,
    {
      object: 'error',
      message:
        'Prompt contains 1000172 tokens and 0 draft tokens, too large for model with 40960 maximum context length',
      type: 'invalid_request_error',
    },
  ],
  [
    'OpenRouter',
    400,
    {
      error: {
        code: 400,
        message:
          "This endpoint's maximum context length is 131072 tokens. However, you requested about 150211 tokens (148000 of text input, 2211 in the output). Please reduce the length of either one.",
      },
    },
  ],
  [
    'what OpenRouter passes on',
    400,
    routed({ error: { message: 'prompt is too long: 213462 tokens > 200000 maximum' } }),
  ],
  [
    'what OpenRouter passes on as text',
    400,
    routed('Input length 131393 exceeds the maximum allowed input length of 131040 tokens.'),
  ],
  ['Poolside', 400, { message: 'Input length 131393 exceeds the maximum allowed input length' }],
  [
    'Together',
    422,
    {
      error: {
        message:
          "The input (516368 tokens) is longer than the model's context length (262144 tokens).",
      },
    },
  ],
  [
    'Fireworks',
    400,
    { error: { message: 'The prompt is too long: 1000008, model maximum context length: 131071' } },
  ],
  ['Workers AI', 413, { success: false, errors: [{ code: 5021, message: `AiError: ${WORKERS}` }] }],
  [
    'Workers AI with another code',
    400,
    { success: false, errors: [{ code: 3010, message: WORKERS }] },
  ],
  [
    'llama.cpp',
    400,
    {
      error: {
        code: 400,
        message:
          'request (13392 tokens) exceeds the available context size (8192 tokens), try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 13_392,
        n_ctx: 8192,
      },
    },
  ],
  [
    'llama.cpp of old',
    500,
    { error: { message: 'input is too large to process. increase the physical batch size' } },
  ],
  [
    'LM Studio',
    400,
    {
      error:
        'The number of tokens to keep from the initial prompt is greater than the context length. Try a larger one.',
    },
  ],
  ['Ollama', 400, { error: 'prompt too long; exceeded max context length by 200 tokens' }],
  [
    'Copilot',
    400,
    { error: { message: 'prompt token count of 200000 exceeds the limit of 128000' } },
  ],
  ['MiniMax', 400, { error: { message: 'invalid params, context window exceeds limit' } }],
  [
    'Kimi',
    400,
    { error: { message: 'Your request exceeded model token limit: 262144 (requested: 300000)' } },
  ],
  ['z.ai', 400, { error: { code: '1261', message: 'Prompt too long' } }],
  ['z.ai by its code alone', 400, { code: '1261', message: 'no' }],
  ['z.ai’s other', 400, { error: { message: 'Prompt exceeds max length' } }],
  ['z.ai’s stop reason', 400, { error: { code: 'model_context_window_exceeded', message: 'no' } }],
  ['Qwen', 400, { error: { message: 'Range of input length should be [1, 30720]' } }],
]

describe('a prompt longer than the window is an overflow (3.1)', () => {
  test.each(ANSWERS)('in the words of %s', (_vendor, status, body) => {
    expect(classify(status, body)).toBe('overflow')
  })

  test.each(ANSWERS)('in a 200, in the words of %s', (_vendor, _status, body) => {
    expect(classifyIn200(body)).toBe('overflow')
  })

  test.each(ANSWERS)(
    'in a 200 that failed as a response, in the words of %s',
    (_vendor, _s, body) => {
      const error = Array.isArray(body) ? body[0] : body
      expect(classifyIn200(failed(error))).toBe('overflow')
    },
  )

  test.each([400, 413])('without a word, with %i (Cerebras)', (status) => {
    expect(classify(status, '')).toBe('overflow')
    expect(classify(status, ' \n')).toBe('overflow')
  })

  test('as plain text', () => {
    expect(classify(400, CLASSIC)).toBe('overflow')
    expect(classifyIn200(CLASSIC)).toBe('overflow')
  })
})

const GROQ =
  'Request too large for model `x` in organization `y` on tokens per minute (TPM): Limit 6000, Requested 15041, please reduce your message size and try again.'

describe('what only sounds like one is none (3.2)', () => {
  test.each<[number, unknown, string, string]>([
    [
      413,
      { error: { message: GROQ, type: 'tokens', code: 'rate_limit_exceeded' } },
      'refused',
      'refused',
    ],
    [
      429,
      {
        error: {
          message:
            'Request too large for gpt-4 on tokens per min (TPM): Limit 30000, Requested 40000. The input or output tokens must be reduced.',
          type: 'tokens',
          code: 'rate_limit_exceeded',
        },
      },
      'refused',
      'refused',
    ],
    [
      429,
      {
        error: {
          message:
            'Rate limit reached for model `x` on tokens per minute (TPM): Limit 8000, Used 7297, Requested 974. Please try again in 2.0325s.',
          code: 'rate_limit_exceeded',
        },
      },
      'rate_limit',
      'rate_limit',
    ],
    [
      413,
      { error: { message: 'Too big for x tokens per minute', code: 413 } },
      'refused',
      'refused',
    ],
    [429, { error: { message: 'Too many tokens per minute' } }, 'rate_limit', 'rate_limit'],
    [
      429,
      { error: { message: 'x exceeds the limit of 30000 tokens per minute', code: 429 } },
      'rate_limit',
      'rate_limit',
    ],
    [
      429,
      { message: 'Too many tokens, please wait before trying again.' },
      'rate_limit',
      'rate_limit',
    ],
    [
      429,
      {
        type: 'error',
        error: {
          type: 'rate_limit_error',
          message: 'Extra usage is required for long context requests.',
        },
      },
      'refused',
      'refused',
    ],
    [
      413,
      {
        type: 'error',
        error: { type: 'request_too_large', message: 'Request exceeds the maximum size' },
      },
      'payload_too_large',
      'payload_too_large',
    ],
    [
      413,
      { error: { code: 413, message: 'Request exceeds the maximum size' } },
      'payload_too_large',
      'payload_too_large',
    ],
    [500, { error: { code: 500, message: 'prompt is too long' } }, 'overloaded', 'overloaded'],
    [503, { error: { code: 503, message: 'prompt is too long' } }, 'overloaded', 'overloaded'],
    [
      400,
      {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'tools.0.name: invalid' },
      },
      'refused',
      'refused',
    ],
    [
      400,
      {
        error: {
          message:
            "Invalid 'prompt_cache_key': string too long. Expected a string with maximum length 64, but got a string with length 70 instead.",
          code: 'string_above_max_length',
          type: 'invalid_request_error',
        },
      },
      'refused',
      'refused',
    ],
    [401, { error: { code: 401, message: 'prompt is too long' } }, 'auth', 'auth'],
  ])('%i %j', (status, body, answered, framed) => {
    expect(classify(status, body)).toBe(answered)
    expect(classifyIn200(body)).toBe(framed)
  })

  test.each([401, 403, 404, 422, 429, 500, 502, 503])('%i without a word is none', (status) => {
    expect(classify(status, '')).not.toBe('overflow')
  })
})
