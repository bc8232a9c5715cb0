import { describe, expect, test } from 'vitest'
import { ask, refusesToolChoice } from '../../../src/core/ask.ts'
import { classifyError } from '../../../src/core/providers/classify-error.ts'
import { createCompletionsDecoder } from '../../../src/core/providers/decode-completions.ts'
import { resolveEffort } from '../../../src/core/providers/effort.ts'
import { encodeOpenAiCompletions } from '../../../src/core/providers/openai-completions.ts'
import { createModelResolver } from '../../../src/core/providers/parse-config.ts'
import { readSse } from '../../../src/core/providers/read-sse.ts'
import { nextWait } from '../../../src/core/providers/retry.ts'
import type { Effort, Model, ModelRequest } from '../../../src/core/providers/types.ts'
import { ProviderError } from '../../../src/core/providers/types.ts'
import type { ThinkingLevel } from '../../../src/core/entry.ts'

const MODEL: Model = {
  provider: 'fake',
  id: 'm',
  api: 'openai-completions',
  baseUrl: 'http://x/v1',
  apiKey: 'secret-key-123',
  keyRequired: true,
  headers: {},
  contextWindow: null,
  maxTokens: null,
  reasoning: false,
  efforts: [],
  input: ['text'],
  options: {},
}

function classify(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): ProviderError {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return classifyError({
    status,
    body: text,
    headers: new Headers(headers),
    apiKey: 'secret-key-123',
  })
}

describe('tool_choice refusals (R3)', () => {
  test.each<[string, number, unknown, boolean]>([
    [
      'auto only',
      400,
      {
        error: {
          message: "Only a tool_choice of 'auto' is supported for this model.",
          param: 'tool_choice',
        },
      },
      true,
    ],
    [
      'any explicit value',
      400,
      {
        error: {
          message: "Invalid value: 'auto'. Supported values are: 'function'.",
          param: 'tool_choice.type',
        },
      },
      true,
    ],
    [
      'flat body',
      400,
      {
        message: 'deepseek-reasoner does not support this tool_choice',
        type: 'invalid_request_error',
      },
      true,
    ],
    [
      'no endpoint',
      404,
      {
        error: {
          message: "No endpoints found that support the provided 'tool_choice' value.",
          code: 404,
        },
      },
      true,
    ],
    ['unprocessable', 422, { error: { message: 'tool choice none unsupported; only auto' } }, true],
    [
      'vLLM flags',
      400,
      {
        object: 'error',
        message:
          '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        param: null,
        code: 400,
      },
      false,
    ],
    [
      'another param',
      400,
      { error: { message: 'unsupported max_tokens', param: 'max_tokens' } },
      false,
    ],
    ['unauthorized', 401, { error: { message: 'tool_choice' } }, false],
    ['rate limit', 429, { error: { message: 'tool_choice' } }, false],
    ['server', 500, { error: { message: 'tool_choice' } }, false],
  ])('%s', (_name, status, body, expected) => {
    expect(refusesToolChoice(classify(status, body))).toBe(expected)
  })

  test('the second request omits the field and there is no third (R4)', async () => {
    const seen: (string | undefined)[] = []
    const request: ModelRequest = {
      model: MODEL,
      context: { systemPrompt: [], tools: [{ name: 't', parameters: {} }], messages: [] },
      effort: null,
      toolChoice: 'none',
      cacheKey: 'k',
      sessionId: 's',
    }
    const refused = new ProviderError('refused', 'tool_choice', { status: 400 })
    const asked = ask(
      { request, kind: 'handoff', signal: new AbortController().signal },
      {
        stream: async ({ toolChoice }) => {
          seen.push(toolChoice)
          throw refused
        },
        retry: { random: () => 0, sleep: async () => undefined },
      },
    )
    await expect(asked).rejects.toBe(refused)
    expect(seen).toEqual(['none', undefined])
  })
})

describe('context overflow (3.1, 3.2)', () => {
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
    [429, 'Extra usage is required for long context requests.'],
    [500, 'prompt is too long'],
    [400, 'tools.0.name: invalid'],
  ])('is none: %i %s', (status, message) => {
    expect(classify(status, { error: { message } }).class).not.toBe('overflow')
  })
})

describe('errors', () => {
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

  test('Retry-After comes from headers and text, the largest counts', () => {
    expect(classify(429, {}, { 'retry-after': '7' }).retryAfterMs).toBe(7000)
    expect(classify(429, {}, { 'retry-after-ms': '1500', 'retry-after': '1' }).retryAfterMs).toBe(
      1500,
    )
    expect(classify(429, { error: { message: 'Please try again in 2.5s.' } }).retryAfterMs).toBe(
      2500,
    )
    expect(classify(429, {}).retryAfterMs).toBeNull()
  })
})

describe('retry (R1, R2)', () => {
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

  test.each([
    'auth',
    'overflow',
    'content_blocked',
    'payload_too_large',
    'refused',
    'protocol',
  ] as const)('%s is never tried again', (cls) => {
    expect(nextWait(error(cls), 1, 0)).toBeNull()
  })
})

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

describe('the completions wire', () => {
  async function read(bytes: readonly (string | Uint8Array)[]): Promise<readonly string[]> {
    const encoder = new TextEncoder()
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of bytes)
          controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece)
        controller.close()
      },
    })
    const found: string[] = []
    for await (const data of readSse(body)) found.push(data)
    return found
  }

  test.each<[string, readonly (string | Uint8Array)[], readonly string[]]>([
    ['LF', ['data: a\n\ndata: b\n\n'], ['a', 'b']],
    ['CRLF split between chunks', ['data: a\r', '\n\r', '\ndata: b\r\n\r\n'], ['a', 'b']],
    ['CR alone', ['data: a\r\rdata: b\r\r'], ['a', 'b']],
    ['no space, comments, no final blank line', [': ping\n\ndata:a\n\n: x\n\ndata: b'], ['a', 'b']],
    [
      'a character split between chunks',
      [
        new Uint8Array([...new TextEncoder().encode('data: '), 0xf0, 0x9f]),
        new Uint8Array([0x98, 0x80, 10, 10]),
      ],
      ['😀'],
    ],
    ['several data lines', ['data: a\ndata: b\n\n'], ['a\nb']],
  ])('reads events: %s', async (_name, bytes, expected) => {
    expect(await read(bytes)).toEqual(expected)
  })

  function decode(chunks: readonly unknown[], done = true) {
    const decoder = createCompletionsDecoder(null, () => undefined)
    for (const chunk of chunks)
      decoder.push(typeof chunk === 'string' ? chunk : JSON.stringify(chunk))
    if (done) decoder.push('[DONE]')
    return decoder.finish()
  }
  const delta = (fields: unknown, finish: string | null = null) => ({
    choices: [{ index: 0, delta: fields, finish_reason: finish }],
  })

  test('[DONE] without a finish reason is a stop; an end without either is truncated', () => {
    expect(decode([delta({ content: 'a' })]).stopReason).toBe('stop')
    expect(() => decode([delta({ content: 'a' })], false)).toThrow(
      expect.objectContaining({ class: 'truncated' }),
    )
  })

  test.each<[string, readonly unknown[]]>([
    [
      'by index',
      [
        { index: 0, id: 'a', function: { name: 'f', arguments: '{"x"' } },
        { index: 1, id: 'b', function: { name: 'g', arguments: '{}' } },
        { index: 0, function: { arguments: ':1}' } },
      ],
    ],
    [
      'index always 0 with new ids',
      [
        { index: 0, id: 'a', function: { name: 'f', arguments: '{"x":1}' } },
        { index: 0, id: 'b', function: { name: 'g', arguments: '{}' } },
      ],
    ],
    [
      'no index, id repeated',
      [
        { id: 'a', function: { name: 'f', arguments: '{"x"' } },
        { id: 'a', function: { arguments: ':1}' } },
        { id: 'b', function: { name: 'g', arguments: {} } },
      ],
    ],
  ])('tool calls are put together: %s', (_name, parts) => {
    const answer = decode([
      ...parts.map((part) => delta({ tool_calls: [part] })),
      delta({}, 'stop'),
    ])
    expect(answer.stopReason).toBe('toolUse')
    expect(answer.content).toEqual([
      { type: 'toolCall', id: 'a', name: 'f', arguments: { x: 1 } },
      { type: 'toolCall', id: 'b', name: 'g', arguments: {} },
    ])
  })

  test.each<[string, unknown, string]>([
    ['an error object', { error: { message: 'x', code: 502 } }, 'overloaded'],
    ['with empty choices', { choices: [], error: { code: 429, message: 'x' } }, 'rate_limit'],
    ['doubly wrapped', { error: { error: { message: 'x' } } }, 'overloaded'],
    ['a JSON string', '"429 Too Many Requests"', 'overloaded'],
    ['plain text', '429 Too Many Requests', 'overloaded'],
  ])('an error frame in a 200 is an error: %s', (_name, chunk, cls) => {
    expect(() => decode([delta({ content: 'a' }), chunk])).toThrow(
      expect.objectContaining({ class: cls }),
    )
  })

  test('usage comes from any chunk; cached tokens are not input', () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 7,
      prompt_tokens_details: { cached_tokens: 64 },
    }
    expect(decode([delta({ content: 'a' }, 'stop'), { choices: [], usage }]).usage).toEqual({
      input: 36,
      output: 7,
      cacheRead: 64,
      cacheWrite: null,
    })
    expect(decode([delta({ content: 'a' }, 'stop')]).usage).toEqual({
      input: null,
      output: null,
      cacheRead: null,
      cacheWrite: null,
    })
  })

  test('tool_choice needs tools, and images of tool results follow all results', () => {
    const request: ModelRequest = {
      model: { ...MODEL, input: ['text', 'image'] },
      context: {
        systemPrompt: ['A', 'B'],
        tools: [],
        messages: [
          {
            role: 'assistant',
            stopReason: 'toolUse',
            content: [
              { type: 'toolCall', id: 'a', name: 'f', arguments: {} },
              { type: 'toolCall', id: 'b', name: 'f', arguments: {} },
            ],
          },
          {
            role: 'toolResult',
            toolCallId: 'a',
            toolName: 'f',
            isError: false,
            content: [{ type: 'image', data: 'AA', mimeType: 'image/png' }],
          },
          {
            role: 'toolResult',
            toolCallId: 'b',
            toolName: 'f',
            isError: false,
            content: [{ type: 'text', text: 'r' }],
          },
        ],
      },
      effort: 'low',
      toolChoice: 'none',
      cacheKey: 'k',
      sessionId: 's',
    }
    const body = JSON.parse(encodeOpenAiCompletions(request).body)
    expect('tool_choice' in body).toBe(false)
    expect(body.reasoning_effort).toBe('low')
    expect(body.messages.map(({ role }: { role: string }) => role)).toEqual([
      'system',
      'assistant',
      'tool',
      'tool',
      'user',
    ])
    expect(body.messages[1].content).toBeNull()
  })
})

describe('PROVIDERS', () => {
  test('is merged over the built-in providers, and a mistake names its place but no value', () => {
    const resolve = createModelResolver({
      PROVIDERS: '{"openai":{"baseUrl":"http://127.0.0.1:1/v1"}}',
      OPENAI_API_KEY: 'k',
    })
    expect(resolve('openai/gpt')).toMatchObject({
      baseUrl: 'http://127.0.0.1:1/v1',
      apiKey: 'k',
      api: 'openai-completions',
    })
    expect(resolve('local/outline')?.api).toBe('outline')
    expect(resolve('nobody/x')).toBeNull()
    expect(resolve('openai')).toBeNull()
    for (const bad of [
      '{',
      '{"x":{"apiKey":"hidden"}}',
      '{"x":{"api":"smoke","apiKey":"hidden"}}',
      '[]',
    ]) {
      expect(() => createModelResolver({ PROVIDERS: bad })).toThrow(/^PROVIDERS/)
      expect(() => createModelResolver({ PROVIDERS: bad })).not.toThrow(/hidden/)
    }
  })
})
