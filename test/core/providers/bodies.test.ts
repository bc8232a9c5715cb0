import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages'
import type { Content, GenerationConfig, Tool as GoogleTool, ToolConfig } from '@google/genai'
import type { ChatCompletionCreateParamsStreaming } from 'openai/resources/chat/completions'
import type { ResponseCreateParamsStreaming } from 'openai/resources/responses/responses'
import { expect, test } from 'vitest'
import type { Message } from '../../../src/core/entry.ts'
import { encodeAnthropicMessages } from '../../../src/core/providers/anthropic-messages.ts'
import { encodeGoogleGenerativeAi } from '../../../src/core/providers/google-generative-ai.ts'
import { encodeOpenAiCompletions } from '../../../src/core/providers/openai-completions.ts'
import { encodeOpenAiResponses } from '../../../src/core/providers/openai-responses.ts'
import type { Model, ModelRequest } from '../../../src/core/providers/types.ts'
import { MODEL } from './model.ts'

/** Whole bodies, checked twice: by the types of the vendors' own clients, and against what the encoders write. */

const DATA = 'iVBORw0KGgo='
const IMAGE = { type: 'image', data: DATA, mimeType: 'image/png' } as const
const text = (said: string) => ({ type: 'text', text: said }) as const
const PARAMETERS = {
  type: 'object',
  properties: { path: { type: 'string' } },
  required: ['path'],
} as const
const SEALED = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'Hm.' }],
  encrypted_content: 'SEALED',
} as const

function ask(more: Partial<Model>, signature: string): ModelRequest {
  const model: Model = {
    ...MODEL,
    input: ['text', 'image'],
    reasoning: true,
    efforts: ['low', 'high'],
    ...more,
  }
  const by = { provider: model.provider, model: model.id, api: model.api }
  const call = (id: string) =>
    ({ type: 'toolCall', id, name: 'read', arguments: { path: 'ä' } }) as const
  const messages: readonly Message[] = [
    { role: 'user', content: [text('Look 👀'), IMAGE] },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature },
        text('Reading.'),
        call('a'),
        call('b'),
      ],
      stopReason: 'toolUse',
      ...by,
    },
    {
      role: 'toolResult',
      toolCallId: 'a',
      toolName: 'read',
      content: [text('one'), IMAGE],
      isError: false,
    },
    {
      role: 'toolResult',
      toolCallId: 'b',
      toolName: 'read',
      content: [text('gone')],
      isError: true,
    },
    { role: 'developer', content: 'A note' },
    { role: 'assistant', content: [text('Done.')], stopReason: 'stop', ...by },
  ]
  return {
    model,
    context: {
      systemPrompt: ['A', '', 'B'],
      tools: [
        { name: 'read', description: 'Reads', parameters: PARAMETERS },
        { name: 'now', parameters: {} },
      ],
      messages,
    },
    appended: [{ role: 'user', content: [text('Write it')], attribution: 'agent' }],
    toolChoice: 'none',
    effort: 'high',
    cacheKey: 'k',
    sessionId: 's',
  }
}

test('Chat Completions', () => {
  const url = { url: `data:image/png;base64,${DATA}` }
  const call = (id: string) =>
    ({ id, type: 'function', function: { name: 'read', arguments: '{"path":"ä"}' } }) as const
  const expected = {
    model: 'm',
    stream: true,
    stream_options: { include_usage: true },
    prompt_cache_key: 'k',
    max_completion_tokens: 500,
    reasoning_effort: 'high',
    tools: [
      {
        type: 'function',
        function: { name: 'read', description: 'Reads', parameters: PARAMETERS },
      },
      {
        type: 'function',
        function: { name: 'now', parameters: { type: 'object', properties: {} } },
      },
    ],
    messages: [
      { role: 'developer', content: 'A\n\nB' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look 👀' },
          { type: 'image_url', image_url: url },
        ],
      },
      {
        role: 'assistant',
        content: 'Reading.',
        reasoning_content: 'Hm.',
        tool_calls: [call('a'), call('b')],
      } as {
        role: 'assistant'
      },
      { role: 'tool', tool_call_id: 'a', content: 'one' },
      { role: 'tool', tool_call_id: 'b', content: 'gone' },
      { role: 'user', content: [{ type: 'image_url', image_url: url }] },
      { role: 'developer', content: 'A note' },
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: [{ type: 'text', text: 'Write it' }] },
    ],
    tool_choice: 'none',
  } satisfies ChatCompletionCreateParamsStreaming
  const options = {
    promptCacheKey: true,
    maxTokensField: 'max_completion_tokens',
    systemRole: 'developer',
  } as const
  const request = ask({ maxTokens: 500, options }, 'reasoning_content')
  const { body } = encodeOpenAiCompletions(request)
  expect(body).toBe(JSON.stringify(expected))
})

test('Chat Completions at OpenRouter, with Anthropic’s cache marks in history only', () => {
  const options = {
    cacheControl: true,
    reasoning: 'reasoning',
    affinityHeader: 'X-Session-Id',
  } as const
  const details = [{ type: 'reasoning.text', text: 'Hm.', signature: 'SIG', index: 0 }]
  const { body, headers } = encodeOpenAiCompletions(ask({ options }, JSON.stringify(details)))
  const sent = JSON.parse(body)
  const marks = JSON.stringify(sent.messages).split('"cache_control"').length - 1
  expect(headers['x-session-id']).toBe('k')
  expect(sent.reasoning).toEqual({ effort: 'high' })
  expect(sent.messages[2].reasoning_details).toEqual(details)
  // System, and the last message of the two user turns: the picture, the note.
  expect(marks).toBe(3)
  expect(sent.messages[1].content[1].cache_control).toEqual({ type: 'ephemeral' })
  expect(sent.messages[6].content[0]).toEqual({
    ...text('A note'),
    cache_control: { type: 'ephemeral' },
  })
  expect(JSON.stringify(sent.messages[8])).not.toContain('cache_control')
})

test('Responses', () => {
  const image = {
    type: 'input_image',
    detail: 'auto',
    image_url: `data:image/png;base64,${DATA}`,
  } as const
  const call = (id: string) =>
    ({ type: 'function_call', call_id: id, name: 'read', arguments: '{"path":"ä"}' }) as const
  const expected = {
    model: 'm',
    stream: true,
    store: false,
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: 'k',
    max_output_tokens: 500,
    reasoning: { effort: 'high', summary: 'auto' },
    instructions: 'A\n\nB',
    tools: [
      {
        type: 'function',
        name: 'read',
        description: 'Reads',
        parameters: PARAMETERS,
        strict: false,
      },
      {
        type: 'function',
        name: 'now',
        parameters: { type: 'object', properties: {} },
        strict: false,
      },
    ],
    input: [
      { role: 'user', content: [{ type: 'input_text', text: 'Look 👀' }, image] },
      SEALED as unknown as { type: 'reasoning'; id: string; summary: [] },
      { role: 'assistant', content: 'Reading.' },
      call('a'),
      call('b'),
      {
        type: 'function_call_output',
        call_id: 'a',
        output: [{ type: 'input_text', text: 'one' }, image],
      },
      { type: 'function_call_output', call_id: 'b', output: 'gone' },
      { role: 'developer', content: 'A note' },
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: [{ type: 'input_text', text: 'Write it' }] },
    ],
    tool_choice: 'none',
  } satisfies ResponseCreateParamsStreaming
  const options = { promptCacheKey: true }
  const request = ask({ api: 'openai-responses', maxTokens: 500, options }, JSON.stringify(SEALED))
  expect(encodeOpenAiResponses(request).body).toBe(JSON.stringify(expected))
})

test('Anthropic Messages', () => {
  const image = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: DATA },
  } as const
  const mark = { cache_control: { type: 'ephemeral' } } as const
  const use = (id: string) =>
    ({ type: 'tool_use', id, name: 'read', input: { path: 'ä' } }) as const
  const expected = {
    model: 'm',
    max_tokens: 500,
    stream: true,
    thinking: { type: 'adaptive', display: 'summarized' },
    output_config: { effort: 'high' },
    tools: [
      {
        name: 'read',
        description: 'Reads',
        input_schema: PARAMETERS as unknown as { type: 'object' },
      },
      { name: 'now', input_schema: { type: 'object', properties: {} }, ...mark },
    ],
    system: [text('A'), { ...text('B'), ...mark }],
    messages: [
      { role: 'user', content: [text('Look 👀'), { ...image, ...mark }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'SIG' },
          text('Reading.'),
          use('a'),
          use('b'),
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: [text('one'), image] },
          { type: 'tool_result', tool_use_id: 'b', content: [text('gone')], is_error: true },
          { ...text('A note'), ...mark },
        ],
      },
      { role: 'assistant', content: [text('Done.')] },
      { role: 'user', content: [text('Write it')] },
    ],
    tool_choice: { type: 'none' },
  } satisfies MessageCreateParamsStreaming
  const options = { thinking: 'adaptive' } as const
  const request = ask({ api: 'anthropic-messages', maxTokens: 500, options }, 'SIG')
  const { body, headers } = encodeAnthropicMessages(request)
  expect(body).toBe(JSON.stringify(expected))
  expect(headers).toMatchObject({ 'x-api-key': MODEL.apiKey, 'anthropic-version': '2023-06-01' })
})

test('Google Generative AI', () => {
  const inlineData = { mimeType: 'image/png', data: DATA }
  const args = { path: 'ä' }
  const expected = {
    systemInstruction: { parts: [{ text: 'A' }, { text: 'B' }] },
    tools: [
      {
        functionDeclarations: [
          { name: 'read', description: 'Reads', parametersJsonSchema: PARAMETERS },
          { name: 'now', parametersJsonSchema: { type: 'object', properties: {} } },
        ],
      },
    ],
    generationConfig: {
      maxOutputTokens: 500,
      thinkingConfig: { includeThoughts: true, thinkingLevel: 'HIGH' as never },
    },
    contents: [
      { role: 'user', parts: [{ text: 'Look 👀' }, { inlineData }] },
      {
        role: 'model',
        parts: [
          { text: 'Hm.', thought: true, thoughtSignature: 'SIG' },
          { text: 'Reading.' },
          {
            functionCall: { id: 'a', name: 'read', args },
            thoughtSignature: 'skip_thought_signature_validator',
          },
          { functionCall: { id: 'b', name: 'read', args } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'a', name: 'read', response: { output: 'one' } } },
          { functionResponse: { id: 'b', name: 'read', response: { error: 'gone' } } },
        ],
      },
      { role: 'user', parts: [{ inlineData }] },
      { role: 'user', parts: [{ text: 'A note' }] },
      { role: 'model', parts: [{ text: 'Done.' }] },
      { role: 'user', parts: [{ text: 'Write it' }] },
    ],
    toolConfig: { functionCallingConfig: { mode: 'NONE' as never } },
  } satisfies {
    systemInstruction: Content
    tools: GoogleTool[]
    generationConfig: GenerationConfig
    contents: Content[]
    toolConfig: ToolConfig
  }
  const options = { thinking: 'level' } as const
  const id = 'gemini-3-pro'
  const request = ask({ id, api: 'google-generative-ai', maxTokens: 500, options }, 'SIG')
  const { body, headers, url } = encodeGoogleGenerativeAi(request)
  expect(body).toBe(JSON.stringify(expected))
  expect(url).toBe('http://x/v1/models/gemini-3-pro:streamGenerateContent?alt=sse')
  expect(headers['x-goog-api-key']).toBe(MODEL.apiKey)
})
