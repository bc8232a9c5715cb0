import { describe, expect, test } from 'vitest'
import type { Lesson } from '../../../src/core/providers/adapt.ts'
import { applyLesson, learnFrom, withModel } from '../../../src/core/providers/adapt.ts'
import { createModelMemory } from '../../../src/core/providers/model-memory.ts'
import type { Model, ModelRequest } from '../../../src/core/providers/types.ts'
import { ProviderError } from '../../../src/core/providers/types.ts'
import { MODEL } from './model.ts'

const EFFORTS = ['minimal', 'low', 'medium', 'high'] as const

function asked(model: Partial<Model> = {}): ModelRequest {
  const tools = [{ name: 't', parameters: {} }]
  return {
    model: { ...MODEL, reasoning: true, efforts: EFFORTS, ...model },
    context: { systemPrompt: [], tools, messages: [] },
    effort: 'high',
    cacheKey: 'k',
    sessionId: 's',
  }
}
const refused = (message: string, param: string | null = null, status = 400) =>
  new ProviderError('refused', message, { status, param })

describe('a refusal that names what it is about', () => {
  test.each<[string, string | null, Partial<Model>, Lesson]>([
    [
      "Unsupported value: 'minimal' is not supported with the 'gpt-5.1' model. Supported values are: 'none', 'low', 'medium', and 'high'.",
      'reasoning_effort',
      {},
      { efforts: ['low', 'medium', 'high'] },
    ],
    [
      "Unsupported value: 'reasoning_effort' does not support 'none' with this model. Supported values are: 'low', 'xhigh'.",
      'reasoning.effort',
      {},
      { efforts: ['low', 'xhigh'] },
    ],
    ['`reasoning_effort` must be one of `none` or `default`', null, {}, { efforts: [] }],
    ['Model grok-build-0.1 does not support parameter reasoningEffort.', null, {}, { efforts: [] }],
    ['This model does not support the effort parameter.', null, {}, { efforts: [] }],
    [
      'This model does not support the effort parameter.',
      null,
      { options: { thinking: 'budget-effort' } },
      { options: { thinking: 'budget' } },
    ],
    [
      "Function tools with reasoning_effort are not supported for gpt-5.6-terra in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
      'reasoning_effort',
      {},
      { api: 'openai-responses' },
    ],
    [
      '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control it.',
      null,
      {},
      { options: { thinking: 'adaptive' } },
    ],
    [
      'adaptive thinking is not supported on this model',
      null,
      {},
      { options: { thinking: 'budget' } },
    ],
    [
      'messages.1.content.0: Invalid `signature` in `thinking` block',
      null,
      {},
      { options: { replayThinking: false } },
    ],
    [
      '`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.',
      null,
      {},
      { options: { replayThinking: false } },
    ],
    [
      'The `reasoning_content` in the thinking mode must be passed back to the API.',
      null,
      {},
      { options: { replayThinking: 'always' } },
    ],
    ['Corrupted thought signature.', null, {}, { options: { replayThinking: false } }],
    [
      'Your organization must be verified to generate reasoning summaries.',
      'reasoning.summary',
      {},
      { options: { summaries: false } },
    ],
    [
      'thinking.adaptive.display: Extra inputs are not permitted',
      null,
      {},
      { options: { summaries: false } },
    ],
    [
      'Thinking level is not supported for this model.',
      null,
      {},
      { options: { thinking: 'budget' } },
    ],
    [
      'Thinking_budget is not supported for this model.',
      null,
      {},
      { options: { thinking: 'level' } },
    ],
    ['Thinking is not enabled for models/gemini-x', null, {}, { efforts: [] }],
    [
      "output_config.effort: Input should be 'low', 'medium' or 'high'",
      null,
      {},
      { efforts: ['low', 'medium', 'high'] },
    ],
    [
      "property 'prompt_cache_key' is unsupported",
      null,
      { options: { promptCacheKey: true } },
      { options: { promptCacheKey: false } },
    ],
    [
      'Extra inputs are not permitted',
      'prompt_cache_key',
      { options: { promptCacheKey: true } },
      { options: { promptCacheKey: false } },
    ],
    [
      "Extra inputs are not permitted, field: 'promptCacheKey'",
      null,
      { options: { promptCacheKey: true } },
      { options: { promptCacheKey: false } },
    ],
    [
      'Validation: Unsupported parameter(s): `stream_options`',
      null,
      {},
      { options: { streamUsage: false } },
    ],
    [
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'max_tokens',
      {},
      { options: { maxTokensField: 'max_completion_tokens' } },
    ],
    [
      'max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens for claude-x',
      null,
      {},
      { outputLimit: 8192, maxTokens: 8192 },
    ],
    [
      'tools.3.cache_control: Extra inputs are not permitted',
      null,
      {},
      { options: { cacheControl: false } },
    ],
    [
      'Unsupported parameter: store',
      'store',
      { options: { store: true } },
      { options: { store: false } },
    ],
    ["Unexpected role 'user' after role 'tool'", null, {}, { options: { bridge: 'tool' } }],
    [
      'After the optional system message, conversation roles must alternate user/assistant',
      null,
      {},
      { options: { bridge: 'alternate' } },
    ],
    ['System message must be at the beginning.', null, {}, { options: { noteRole: 'user' } }],
    [
      "Unexpected role 'developer', expected one of 'system', 'user'",
      null,
      { options: { systemRole: 'developer' } },
      { options: { systemRole: 'system' } },
    ],
  ])('%s', (message, param, model, expected) => {
    expect(learnFrom(asked(model), refused(message, param))).toEqual(expected)
  })

  test.each([
    'Unexpected role developer',
    'Unsupported parameter: store',
    'prompt_cache_key is unsupported',
  ])('what was not sent cannot be left out: %s', (message) => {
    expect(learnFrom(asked(), refused(message))).toBeNull()
  })

  test('a clone of Responses that does not know `store` is not sent it', () => {
    const thrown = refused('Unsupported parameter: store')
    expect(learnFrom(asked({ api: 'openai-responses' }), thrown)).toEqual({
      options: { store: false },
    })
    expect(
      learnFrom(asked({ api: 'openai-responses', options: { store: false } }), thrown),
    ).toBeNull()
  })

  test('before Claude 4.5 an output limit that fills the window is lowered, when enough is left', () => {
    const overflow = (input: number) =>
      new ProviderError(
        'overflow',
        `input length and \`max_tokens\` exceed context limit: ${input} + 20000 > 200000, decrease input length`,
        { status: 400 },
      )
    expect(learnFrom(asked(), overflow(188_059))).toEqual({ maxTokens: 11_841 })
    expect(learnFrom(asked(), overflow(199_500))).toBeNull()
  })

  test.each<[string, ProviderError]>([
    ['another fault of the request', refused('messages: text content blocks must be non-empty')],
    ['a server that is busy', new ProviderError('overloaded', 'prompt_cache_key', { status: 503 })],
    ['a rate limit', new ProviderError('rate_limit', 'unsupported store', { status: 429 })],
    [
      'a prompt that is too long',
      new ProviderError('overflow', 'prompt is too long', { status: 400 }),
    ],
    ['an effort nobody sent', refused('schema of tool x: unknown keyword "effortless"')],
  ])('%s teaches nothing', (_name, thrown) => {
    const request = { ...asked(), effort: null }
    expect(learnFrom(request, thrown)).toBeNull()
  })
})

describe('what was learned', () => {
  test('stays with its model at its address, for every later request', () => {
    const memory = createModelMemory()
    memory.learn(MODEL, { options: { promptCacheKey: false } })
    memory.learn(MODEL, { efforts: ['low'] })
    expect(memory.recall(MODEL)).toMatchObject({
      efforts: ['low'],
      options: { promptCacheKey: false },
    })
    for (const other of [{ id: 'n' }, { provider: 'p' }, { baseUrl: 'http://y' }]) {
      const model = { ...MODEL, ...other }
      expect(memory.recall(model)).toBe(model)
    }
  })

  test('clamps the effort anew, and says when it is nothing new', () => {
    const request = asked()
    const model = applyLesson(request.model, { efforts: ['low', 'medium'] })
    expect(withModel(request, model).effort).toBe('medium')
    expect(applyLesson(model, { efforts: ['low', 'medium'] })).toBe(model)
    expect(withModel(request, request.model)).toBe(request)
  })
})
