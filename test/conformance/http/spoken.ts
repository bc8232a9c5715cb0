import type { ServerResponse } from 'node:http'
import { say } from '../../support/fake-provider.ts'
import type { SaidMore } from '../../support/said-more.ts'
import { sayAnthropic } from '../../support/say-anthropic.ts'
import { sayGoogle } from '../../support/say-google.ts'
import { sayResponses } from '../../support/say-responses.ts'

/** In what the four wires differ, for whoever looks at them from outside. */
export interface Spoken {
  /** the provider's name in the configuration */
  readonly provider: string
  /** the path that is called, without the model */
  readonly path: RegExp
  readonly key: { readonly header: string; readonly value: string }
  readonly list: string
  readonly choice: string
  readonly none: unknown
  /** what a thought is signed with, where thoughts go back */
  readonly signed?: string
  say(reply: ServerResponse, text: string, more?: SaidMore): void
  /** one answer's token counts in the provider's words: 36 new, 64 read, 7 written by the model */
  readonly usage: object
  /** finish reasons: cut off, stopped by a filter */
  readonly cut: string
  readonly blocked: string
  /** the first bytes of an answer, after which nothing comes */
  readonly beginning: string
  /** a frame of a 200 that says the server is overloaded */
  readonly overloaded: string
}

/** What every provider under test is configured with. */
export const KEY = 'test-key-1234567890'
const frames = (...data: readonly object[]): string =>
  data.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('')

/** The wires, in the order in which they came. */
export const SPOKEN: readonly Spoken[] = [
  {
    provider: 'fake',
    path: /^\/v1\/chat\/completions$/,
    key: { header: 'authorization', value: `Bearer ${KEY}` },
    list: 'messages',
    choice: 'tool_choice',
    none: 'none',
    say: (reply, text, { toolCalls, ...more } = {}) =>
      say(reply, text, {
        ...more,
        ...(toolCalls === undefined ? {} : { toolCalls: toolCalls.map(toCompletionsCall) }),
      }),
    usage: {
      prompt_tokens: 100,
      completion_tokens: 7,
      prompt_tokens_details: { cached_tokens: 64 },
      completion_tokens_details: { reasoning_tokens: 2 },
    },
    cut: 'length',
    blocked: 'content_filter',
    beginning: frames({ choices: [{ index: 0, delta: { content: 'so far' } }] }),
    overloaded: frames({ error: { code: 502, message: 'Overloaded' }, choices: [] }),
  },
  {
    provider: 'responses',
    signed: 'EXAMPLE',
    path: /^\/v1\/responses$/,
    key: { header: 'authorization', value: `Bearer ${KEY}` },
    list: 'input',
    choice: 'tool_choice',
    none: 'none',
    say: sayResponses,
    usage: {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 64 },
      output_tokens: 7,
      output_tokens_details: { reasoning_tokens: 2 },
      total_tokens: 107,
    },
    cut: 'max_output_tokens',
    blocked: 'content_filter',
    beginning: frames({
      type: 'response.output_text.delta',
      item_id: 'msg_1',
      output_index: 0,
      content_index: 0,
      delta: 'so far',
      sequence_number: 1,
    }),
    overloaded: frames({ type: 'error', code: 'server_error', message: 'Overloaded', param: null }),
  },
  {
    provider: 'claude',
    signed: 'EXAMPLE-SIGNATURE',
    path: /^\/v1\/messages$/,
    key: { header: 'x-api-key', value: KEY },
    list: 'messages',
    choice: 'tool_choice',
    none: { type: 'none' },
    say: sayAnthropic,
    usage: { input_tokens: 36, cache_read_input_tokens: 64, output_tokens: 7 },
    cut: 'max_tokens',
    blocked: 'refusal',
    beginning: frames(
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'so far' } },
    ),
    overloaded: frames({
      type: 'error',
      error: { type: 'overloaded_error', message: 'Overloaded' },
    }),
  },
  {
    provider: 'gemini',
    path: /^\/v1beta\/models\/[^/]+:streamGenerateContent\?alt=sse$/,
    key: { header: 'x-goog-api-key', value: KEY },
    list: 'contents',
    choice: 'toolConfig',
    none: { functionCallingConfig: { mode: 'NONE' } },
    say: sayGoogle,
    usage: {
      promptTokenCount: 100,
      cachedContentTokenCount: 64,
      candidatesTokenCount: 5,
      thoughtsTokenCount: 2,
    },
    cut: 'MAX_TOKENS',
    blocked: 'SAFETY',
    beginning: frames({
      candidates: [{ content: { role: 'model', parts: [{ text: 'so far' }] } }],
    }),
    overloaded: frames({ error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } }),
  },
]

function toCompletionsCall(
  call: NonNullable<SaidMore['toolCalls']>[number],
  index: number,
): object {
  const { id, name } = call
  return {
    index,
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(call.arguments) },
  }
}
