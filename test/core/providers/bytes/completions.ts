import type { BadFixture, Fixture } from './fixture.ts'
import { lines, raw } from './fixture.ts'

const chunk = (delta: object, finish: string | null = null, more: object = {}): object => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
  ...more,
})
const STOP = chunk({}, 'stop')
const DONE = 'data: [DONE]'

const HELLO = [
  chunk({ role: 'assistant', content: '' }),
  chunk({ content: 'Grüße ' }),
  chunk({ content: '日本 🙂' }),
  STOP,
]
const TEXT = 'Grüße 日本 🙂'
const tool = (part: object): object => chunk({ tool_calls: [part] })
const CALLS = [
  { name: 'read', arguments: { path: 'a' } },
  { name: 'list', arguments: {} },
]
const USAGE = {
  prompt_tokens: 100,
  completion_tokens: 7,
  prompt_tokens_details: { cached_tokens: 64 },
}
const COUNTED = { input: 36, output: 7, cacheRead: 64 }
const usageOnly = { ...chunk({}), choices: [], usage: USAGE }

/** Bodies of streamed chat completions as servers send them, byte for byte. */
export const GOOD_COMPLETIONS: readonly Fixture[] = [
  { name: 'line feeds and [DONE]', bytes: lines([...HELLO, DONE]), good: true, text: TEXT },
  { name: 'CRLF', bytes: lines([...HELLO, DONE], '\r\n\r\n'), good: true, text: TEXT },
  { name: 'bare CR', bytes: lines([...HELLO, DONE], '\r\r'), good: true, text: TEXT },
  {
    name: 'no space behind data:',
    bytes: lines([...HELLO, DONE], '\n\n', 'data:'),
    good: true,
    text: TEXT,
  },
  { name: 'no [DONE]', bytes: lines(HELLO), good: true, text: TEXT },
  {
    name: 'no blank line at the end',
    bytes: lines([...HELLO, DONE]).subarray(0, -1),
    good: true,
    text: TEXT,
  },
  {
    name: 'no line end at all at the end, and no [DONE]',
    bytes: lines(HELLO).subarray(0, -2),
    good: false,
    text: TEXT,
  },
  {
    name: '[DONE] without a finish reason',
    bytes: lines([...HELLO.slice(0, -1), DONE]),
    good: true,
    text: TEXT,
  },
  {
    name: 'comments, event names, ids and retry hints between the chunks',
    bytes: lines([
      ': OPENROUTER PROCESSING',
      ...HELLO.slice(0, 2),
      ': ping\nid: 4\nretry: 10',
      ...HELLO.slice(2),
      DONE,
    ]),
    good: true,
    text: TEXT,
  },
  {
    name: 'a byte order mark',
    bytes: raw(`\ufeff${new TextDecoder().decode(lines([...HELLO, DONE]))}`),
    good: false,
    text: TEXT,
  },
  {
    name: 'several data lines in one event',
    bytes: raw(
      `${new TextDecoder().decode(lines(HELLO.slice(0, 3)))}data: {"choices":[{"index":0,\ndata: "delta":{},"finish_reason":"stop"}]}\n\n`,
    ),
    good: true,
    text: TEXT,
  },
  {
    name: 'Azure: a first chunk without choices, with the filter’s verdict',
    bytes: lines([{ id: '', model: '', choices: [], prompt_filter_results: [{}] }, ...HELLO, DONE]),
    good: true,
    text: TEXT,
  },
  {
    name: 'OpenAI: usage null on every chunk and counted in one without choices',
    bytes: lines([...HELLO.map((one) => ({ ...one, usage: null })), usageOnly, DONE]),
    good: true,
    text: TEXT,
    usage: COUNTED,
  },
  {
    name: 'vLLM: usage with the finish and once more with the cache',
    bytes: lines([
      ...HELLO.slice(0, -1),
      { ...STOP, usage: { prompt_tokens: 100, completion_tokens: 7 } },
      usageOnly,
      DONE,
    ]),
    good: true,
    text: TEXT,
    usage: COUNTED,
  },
  {
    name: 'content null, no delta, role again, an empty chunk',
    bytes: lines([
      chunk({ role: 'assistant', content: null }),
      { choices: [{ index: 0, finish_reason: null }] },
      chunk({ role: 'assistant', content: 'Hi' }),
      { choices: [] },
      STOP,
      DONE,
    ]),
    good: true,
    text: 'Hi',
  },
  {
    name: 'the whole message once more with the finish',
    bytes: lines([
      ...HELLO.slice(0, -1),
      {
        choices: [
          { index: 0, message: { role: 'assistant', content: TEXT }, finish_reason: 'stop' },
        ],
      },
      DONE,
    ]),
    good: true,
    text: TEXT,
  },
  ...['reasoning_content', 'reasoning', 'reasoning_text'].map((name) => ({
    name: `thoughts as ${name}`,
    bytes: lines([
      chunk({ [name]: 'hm ' }),
      chunk({ [name]: 'so', content: null }),
      ...HELLO,
      DONE,
    ]),
    good: true,
    text: TEXT,
    thinking: 'hm so',
  })),
  {
    name: 'two calls in pieces, interleaved by index',
    bytes: lines([
      tool({ index: 0, id: 'a', type: 'function', function: { name: 'read', arguments: '' } }),
      tool({ index: 1, id: 'b', type: 'function', function: { name: 'list', arguments: '' } }),
      tool({ index: 0, function: { arguments: '{"pa' } }),
      tool({ index: 1, function: { arguments: '{' } }),
      tool({ index: 0, function: { arguments: 'th":"a"}' } }),
      tool({ index: 1, function: { arguments: '}' } }),
      chunk({}, 'tool_calls'),
      DONE,
    ]),
    good: true,
    text: '',
    calls: CALLS,
  },
  {
    name: 'whole calls in one chunk, and `stop` although there are calls',
    bytes: lines([
      chunk({
        tool_calls: [
          { index: 0, id: 'a', function: { name: 'read', arguments: '{"path":"a"}' } },
          { index: 1, id: 'b', function: { name: 'list', arguments: '{}' } },
        ],
      }),
      STOP,
      DONE,
    ]),
    good: true,
    text: '',
    calls: CALLS,
  },
  {
    name: 'every call with index 0 and an id of its own',
    bytes: lines([
      tool({ index: 0, id: 'a', function: { name: 'read', arguments: '{"path":' } }),
      tool({ index: 0, id: 'a', function: { name: '', arguments: '"a"}' } }),
      tool({ index: 0, id: 'b', function: { name: 'list', arguments: '{}' } }),
      STOP,
      DONE,
    ]),
    good: false,
    text: '',
    calls: CALLS,
  },
  {
    name: 'no index, the name repeated, arguments as an object',
    bytes: lines([
      tool({ id: 'a', function: { name: 'read', arguments: '{"path"' } }),
      tool({ id: 'a', function: { name: 'read', arguments: ':"a"}' } }),
      tool({ id: 'b', function: { name: 'list', arguments: {} } }),
      STOP,
      DONE,
    ]),
    good: false,
    text: '',
    calls: CALLS,
  },
]

const FIRST = chunk({ content: 'half' })

/** Bodies that must end as errors. */
export const BAD_COMPLETIONS: readonly BadFixture[] = [
  { name: 'the end without an end', bytes: lines([FIRST]), class: 'truncated' },
  {
    name: 'a cut chunk',
    bytes: raw('data: {"choices":[{"delta":{"content":"se'),
    class: 'truncated',
  },
  { name: 'nothing', bytes: raw(''), class: 'truncated' },
  {
    name: 'OpenRouter: an error beside a choice',
    bytes: lines([
      FIRST,
      { ...chunk({ content: '' }, 'error'), error: { code: 502, message: 'x' } },
      DONE,
    ]),
    class: 'overloaded',
  },
  {
    name: 'OpenRouter: an error without a choice (B34)',
    bytes: lines([{ choices: [], error: { code: 502, message: 'x' } }]),
    class: 'overloaded',
  },
  {
    name: 'LiteLLM: an error, then nothing',
    bytes: lines([FIRST, { error: { message: 'x', type: 'rate_limit_error', code: '429' } }]),
    class: 'rate_limit',
  },
  {
    name: 'Azure: an error in an error',
    bytes: lines([{ error: { error: { message: 'x', code: 'invalid_request_error' } } }]),
    class: 'refused',
  },
  { name: 'a flat error', bytes: lines([{ code: 503, message: 'busy' }]), class: 'overloaded' },
  {
    name: 'an overflow in the stream',
    bytes: lines([{ error: { message: 'x', code: 'context_length_exceeded' } }]),
    class: 'overflow',
  },
  {
    name: 'a chunk that is a string',
    bytes: lines(['data: "upstream error"']),
    class: 'overloaded',
  },
  { name: 'a line of text', bytes: lines(['data: 429 Too Many Requests']), class: 'rate_limit' },
  { name: 'a page', bytes: raw('<!DOCTYPE html><html></html>'), class: 'overloaded' },
  {
    name: 'a filter',
    bytes: lines([FIRST, chunk({}, 'content_filter'), DONE]),
    class: 'content_blocked',
  },
  {
    name: 'the end of the window',
    bytes: lines([FIRST, chunk({}, 'model_context_window_exceeded')]),
    class: 'overflow',
  },
]
