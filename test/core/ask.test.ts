import { afterEach, describe, expect, test } from 'vitest'
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { AskRequest } from '../../src/core/ask.ts'
import { ask, refusesToolChoice } from '../../src/core/ask.ts'
import type { ModelAnswer, ModelRequest } from '../../src/core/providers/types.ts'
import { classifyError } from '../../src/core/providers/classify-error.ts'
import { ProviderError } from '../../src/core/providers/types.ts'
import { createModelMemory } from '../../src/core/providers/model-memory.ts'
import { createModelResolver } from '../../src/core/providers/parse-config.ts'
import { recordSpans } from './spans.ts'

const ANSWER: ModelAnswer = {
  content: [{ type: 'text', text: 'PRIVATE answer' }],
  stopReason: 'stop',
  usage: { input: 10, output: 5, cacheRead: 30, cacheWrite: null },
}

function request(more: Partial<ModelRequest> = {}): ModelRequest {
  const model = createModelResolver({})('ollama/m')
  if (model === null) throw new Error('ollama is built in')
  return {
    model,
    context: {
      systemPrompt: ['PRIVATE prompt'],
      tools: [{ name: 't', parameters: {} }],
      messages: [],
    },
    effort: null,
    toolChoice: 'none',
    cacheKey: 'k',
    sessionId: 'session:side:1',
    ...more,
  }
}

/** Each request meets the next failure; after the last one it is answered. */
function asking(
  failures: readonly unknown[],
  more: Partial<AskRequest> = {},
  memory = createModelMemory(),
) {
  const sent: ModelRequest[] = []
  let attempts = 0
  const answer = ask(
    {
      request: request(),
      kind: 'handoff',
      signal: new AbortController().signal,
      onAttempt: () => void (attempts += 1),
      ...more,
    },
    {
      stream: async (got) => {
        const failure = failures[sent.push(got) - 1]
        if (failure !== undefined) throw failure
        return ANSWER
      },
      retry: { random: () => 0, sleep: async () => undefined },
      memory,
    },
  )
  return { answer, sent, attempts: () => attempts }
}

const refused = new ProviderError('refused', 'x', { status: 400, param: 'tool_choice' })
const busy = new ProviderError('overloaded', 'busy', { status: 529 })

describe('the tool-choice retry', () => {
  test('differs from the first request in nothing but the missing toolChoice (R3)', async () => {
    const run = asking([refused])
    await expect(run.answer).resolves.toBe(ANSWER)
    const { toolChoice: _, ...rest } = request()
    expect(run.sent).toEqual([request(), rest])
    expect(run.attempts()).toBe(2)
  })

  test('has its own budget of attempts (R1, R3)', async () => {
    const run = asking([busy, busy, refused, busy, busy])
    await expect(run.answer).resolves.toBe(ANSWER)
    expect(run.sent.map(({ toolChoice }) => toolChoice)).toEqual([
      'none',
      'none',
      'none',
      undefined,
      undefined,
      undefined,
    ])
  })

  test('happens once (R4)', async () => {
    const run = asking([refused, refused])
    await expect(run.answer).rejects.toBe(refused)
    expect(run.sent).toHaveLength(2)
  })

  test.each<[string, Partial<ModelRequest>]>([
    ['no tool_choice was asked for', { toolChoice: undefined }],
    ['there are no tools', { context: { systemPrompt: [], tools: [], messages: [] } }],
    [
      'the provider is never sent one',
      { model: { ...request().model, options: { toolChoice: false } } },
    ],
  ])('does not happen when %s', async (_name, more) => {
    const run = asking([refused], { request: request(more) })
    await expect(run.answer).rejects.toBe(refused)
    expect(run.sent).toHaveLength(1)
  })

  test('Groq, whose model called a tool under none, is asked again', async () => {
    const message = 'Tool choice is none, but model called a tool'
    const run = asking([new ProviderError('refused', message, { status: 400 })])
    await expect(run.answer).resolves.toBe(ANSWER)
  })
})

describe('what the retry sends', () => {
  test('is `auto` where the refusal asks for it by name', async () => {
    const message = "Only a tool_choice of 'auto' is supported for this model."
    const run = asking([new ProviderError('refused', message, { status: 400 })])
    await run.answer
    expect(run.sent).toEqual([request(), { ...request(), toolChoice: 'auto' }])
  })

  test.each([
    "Invalid value: 'auto'. Supported values are: 'function'.",
    'deepseek-reasoner does not support this tool_choice',
  ])('is nothing after: %s', async (message) => {
    const run = asking([
      new ProviderError('refused', message, { status: 400, param: 'tool_choice.type' }),
    ])
    await run.answer
    expect('toolChoice' in (run.sent[1] ?? {})).toBe(false)
  })
})

describe('a detail that the provider refuses by name', () => {
  const cached = { ...request().model, options: { promptCacheKey: true } }
  const unknown = new ProviderError('refused', "property 'prompt_cache_key' is unsupported", {
    status: 400,
  })

  test('is left out at once and remembered, and the tool choice has its own retry beside it', async () => {
    const memory = createModelMemory()
    const run = asking([unknown, refused], { request: request({ model: cached }) }, memory)
    await expect(run.answer).resolves.toBe(ANSWER)
    expect(run.sent.map(({ model, toolChoice }) => [model.options, toolChoice])).toEqual([
      [{ promptCacheKey: true }, 'none'],
      [{ promptCacheKey: false }, 'none'],
      [{ promptCacheKey: false }, undefined],
    ])
    const next = asking([], { request: request({ model: cached }), kind: 'turn' }, memory)
    await next.answer
    expect(next.sent.map(({ model }) => model.options)).toEqual([{ promptCacheKey: false }])
  })

  test('that is refused again although it is gone ends the call', async () => {
    const run = asking([unknown, unknown], { request: request({ model: cached }) })
    await expect(run.answer).rejects.toBe(unknown)
    expect(run.sent).toHaveLength(2)
  })

  test('a server that finds ever new faults is asked five times', async () => {
    const faults = [
      unknown,
      new ProviderError('refused', 'stream_options is unsupported', { status: 400 }),
      new ProviderError('refused', 'cache_control is unsupported', { status: 400 }),
      new ProviderError('refused', "role 'user' after role 'tool'", { status: 400 }),
      new ProviderError('refused', 'roles must alternate', { status: 400 }),
    ]
    const run = asking(faults, { request: request({ model: cached }) })
    await expect(run.answer).rejects.toBe(faults[4])
    expect(run.sent).toHaveLength(5)
  })
})

test('a listener that throws is not taken for a broken connection', async () => {
  const fault = new Error('ours')
  let sent = 0
  const answer = ask(
    {
      request: request(),
      kind: 'turn',
      signal: new AbortController().signal,
      onEvent: () => {
        throw fault
      },
    },
    {
      stream: async (_request, { onEvent }) => {
        sent += 1
        try {
          onEvent?.({ type: 'text', delta: 'a' })
        } catch {
          throw new ProviderError('network', 'The connection failed')
        }
        return ANSWER
      },
      retry: { random: () => 0, sleep: async () => undefined },
      memory: createModelMemory(),
    },
  )
  await expect(answer).rejects.toBe(fault)
  expect(sent).toBe(1)
})

describe('what counts as a refusal of tool_choice (R3)', () => {
  function classify(status: number, body: unknown): ProviderError {
    const text = JSON.stringify(body)
    return classifyError({ status, body: text, headers: new Headers(), secrets: [] })
  }

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
    [
      'thinking mode',
      400,
      { error: { message: 'Thinking mode does not support this tool_choice' } },
      true,
    ],
    [
      'Groq, which takes no null',
      400,
      {
        error: {
          message: "Only allowed string values for 'tool_choice' are [none, auto, required]",
        },
      },
      true,
    ],
    [
      'LM Studio, which takes no objects',
      400,
      {
        error: "Invalid tool_choice type: 'object'. Supported string values: none, auto, required",
      },
      true,
    ],
    [
      'tools that are missing',
      400,
      { error: { message: "'tool_choice' is only allowed when 'tools' are specified" } },
      true,
    ],
    [
      'Bedrock, which misses the tools',
      400,
      {
        message:
          'The toolConfig field must be defined when using toolUse and toolResult content blocks.',
      },
      false,
    ],
    ['a key that is refused', 403, { error: { message: 'tool_choice' } }, false],
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
})

describe('cancel', () => {
  test('wins over what the provider says, and nothing more is sent (R2, C4)', async () => {
    for (const failure of [busy, refused]) {
      const controller = new AbortController()
      const onAttempt = () => controller.abort('stop')
      const run = asking([failure], { signal: controller.signal, onAttempt })
      await expect(run.answer).rejects.toBe('stop')
      expect(run.sent).toHaveLength(1)
    }
  })
})

describe('the span', () => {
  afterEach(() => trace.disable())

  test('is one for all attempts, counts cached tokens as input and holds no content (Q12)', async () => {
    const spans = recordSpans()
    await asking([busy, refused]).answer
    expect(spans).toEqual([
      {
        name: 'chat m',
        kind: SpanKind.CLIENT,
        status: null,
        ends: 1,
        attributes: {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': 'ollama',
          'gen_ai.request.model': 'm',
          'gen_ai.conversation.id': 'session',
          'gen_ai.response.finish_reasons': ['stop'],
          'gen_ai.usage.input_tokens': 40,
          'gen_ai.usage.output_tokens': 5,
          'gen_ai.usage.cache_read.input_tokens': 30,
          'pi.gen_ai.oneshot.kind': 'handoff',
        },
      },
    ])
    expect(JSON.stringify(spans)).not.toContain('PRIVATE')
  })

  test('of a failure says its class, and that of a turn is no oneshot', async () => {
    const spans = recordSpans()
    const overflow = new ProviderError('overflow', 'PRIVATE words')
    await expect(asking([overflow], { kind: 'turn' }).answer).rejects.toBe(overflow)
    expect(spans[0]).toMatchObject({
      ends: 1,
      status: SpanStatusCode.ERROR,
      attributes: { 'error.type': 'overflow' },
    })
    expect(Object.keys(spans[0]?.attributes ?? {})).not.toContain('pi.gen_ai.oneshot.kind')
    expect(JSON.stringify(spans)).not.toContain('PRIVATE')
  })
})
