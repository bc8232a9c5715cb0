import type { BadFixture, Fixture } from './fixture.ts'
import { lines, named, raw } from './fixture.ts'

type Event = { readonly type: string; readonly [field: string]: unknown }

const TEXT = 'Grüße 日本 🙂'
const start = (usage: object = { input_tokens: 36, output_tokens: 1 }): Event => ({
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  },
})
const begin = (index: number, content_block: object): Event => ({
  type: 'content_block_start',
  index,
  content_block,
})
const delta = (index: number, piece: object): Event => ({
  type: 'content_block_delta',
  index,
  delta: piece,
})
const stop = (index: number): Event => ({ type: 'content_block_stop', index })
const end = (stop_reason: string | null, usage: object = { output_tokens: 7 }): Event => ({
  type: 'message_delta',
  delta: { stop_reason, stop_sequence: null },
  usage,
})
const OVER: Event = { type: 'message_stop' }
const text = (index: number, ...pieces: readonly string[]): readonly Event[] => [
  begin(index, { type: 'text', text: '' }),
  ...pieces.map((piece) => delta(index, { type: 'text_delta', text: piece })),
  stop(index),
]
const call = (index: number, name: string, ...pieces: readonly string[]): readonly Event[] => [
  begin(index, { type: 'tool_use', id: `toolu_${index}`, name, input: {} }),
  ...pieces.map((partial_json) => delta(index, { type: 'input_json_delta', partial_json })),
  stop(index),
]
const HELLO = [start(), ...text(0, 'Grüße ', '日本 🙂'), end('end_turn'), OVER]
const COUNTED = { input: 36, output: 7 }

/** Bodies of streamed messages as Anthropic and compatible servers send them. */
export const GOOD_ANTHROPIC: readonly Fixture[] = [
  {
    name: 'line feeds',
    bytes: named(HELLO),
    good: true,
    text: TEXT,
    usage: COUNTED,
    stopReason: 'stop',
  },
  { name: 'CRLF', bytes: named(HELLO, '\r\n'), good: true, text: TEXT, usage: COUNTED },
  { name: 'bare CR', bytes: named(HELLO, '\r'), good: true, text: TEXT },
  { name: 'data without event names', bytes: lines(HELLO), good: false, text: TEXT },
  {
    name: 'no blank line at the end',
    bytes: named(HELLO).subarray(0, -2),
    good: false,
    text: TEXT,
  },
  {
    name: 'pings, comments and events and blocks that nobody knows',
    bytes: raw(
      new TextDecoder()
        .decode(
          named([
            HELLO[0]!,
            { type: 'ping' },
            ...HELLO.slice(1, 4),
            { type: 'content_block_from_the_future', index: 0 },
            ...HELLO.slice(4),
          ]),
        )
        .replace('event: ping', ': comment\n\nevent: ping'),
    ),
    good: true,
    text: TEXT,
  },
  {
    name: 'the last event missing after the stop reason',
    bytes: named(HELLO.slice(0, -1)),
    good: false,
    text: TEXT,
  },
  {
    name: 'thinking with its signature, then text',
    bytes: named([
      start(),
      begin(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'thinking_delta', thinking: 'Hm ' }),
      delta(0, { type: 'thinking_delta', thinking: '🤔' }),
      delta(0, { type: 'signature_delta', signature: 'SIG' }),
      stop(0),
      ...text(1, TEXT),
      end('end_turn', { output_tokens: 7, output_tokens_details: { thinking_tokens: 3 } }),
      OVER,
    ]),
    good: true,
    text: TEXT,
    thinking: 'Hm 🤔',
    signature: 'SIG',
    usage: { ...COUNTED, reasoning: 3 },
  },
  {
    name: 'omitted thinking: nothing but a signature',
    bytes: named([
      start(),
      begin(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, { type: 'signature_delta', signature: 'SIG' }),
      stop(0),
      ...text(1, TEXT),
      end('end_turn'),
      OVER,
    ]),
    good: true,
    text: TEXT,
    thinking: '',
    signature: 'SIG',
  },
  {
    name: 'redacted thinking',
    bytes: named([
      start(),
      begin(0, { type: 'redacted_thinking', data: 'SEALED' }),
      stop(0),
      ...text(1, TEXT),
      end('end_turn'),
      OVER,
    ]),
    good: true,
    text: TEXT,
    thinking: '',
    signature: 'SEALED',
  },
  {
    name: 'text and two calls, their arguments in pieces, one without any',
    bytes: named([
      start(),
      ...text(0, TEXT),
      ...call(1, 'read', '', '{"pa', 'th":"ä"}'),
      ...call(2, 'list'),
      end('tool_use'),
      OVER,
    ]),
    good: true,
    text: TEXT,
    calls: [
      { name: 'read', arguments: { path: 'ä' } },
      { name: 'list', arguments: {} },
    ],
    stopReason: 'toolUse',
  },
  {
    name: 'blocks whose pieces are interleaved',
    bytes: named([
      start(),
      begin(0, { type: 'tool_use', id: 'a', name: 'read', input: {} }),
      begin(1, { type: 'tool_use', id: 'b', name: 'list', input: {} }),
      delta(0, { type: 'input_json_delta', partial_json: '{"path":' }),
      delta(1, { type: 'input_json_delta', partial_json: '{"all":' }),
      delta(0, { type: 'input_json_delta', partial_json: '"a"}' }),
      delta(1, { type: 'input_json_delta', partial_json: 'true}' }),
      stop(0),
      stop(1),
      end('tool_use'),
      OVER,
    ]),
    good: true,
    text: '',
    calls: [
      { name: 'read', arguments: { path: 'a' } },
      { name: 'list', arguments: { all: true } },
    ],
  },
  {
    name: 'blocks without an index, and a block that never began',
    bytes: lines(
      [
        start(),
        delta(9, { type: 'text_delta', text: 'Grüße ' }),
        ...text(0, '日本 🙂'),
        ...call(1, 'list', '{}'),
        end('tool_use'),
      ].map((event) => ({ ...event, index: event['index'] === 9 ? 9 : undefined })),
    ),
    good: false,
    text: TEXT,
    calls: [{ name: 'list', arguments: {} }],
  },
  {
    name: 'counts of the cache, restated and nulled later',
    bytes: named([
      start({
        input_tokens: 36,
        cache_read_input_tokens: 64,
        cache_creation_input_tokens: 5,
        output_tokens: 1,
      }),
      ...text(0, TEXT),
      end(null, { output_tokens: 3 }),
      end('end_turn', { input_tokens: null, cache_read_input_tokens: 64, output_tokens: 7 }),
      OVER,
    ]),
    good: false,
    text: TEXT,
    usage: { ...COUNTED, cacheRead: 64, cacheWrite: 5 },
  },
  {
    name: 'the limit',
    bytes: named([start(), ...text(0, TEXT), end('max_tokens'), OVER]),
    good: true,
    text: TEXT,
    stopReason: 'length',
  },
  {
    name: 'a whole message in place of a stream',
    bytes: raw(
      JSON.stringify({
        type: 'message',
        role: 'assistant',
        content: [
          { type: 'text', text: TEXT },
          { type: 'tool_use', id: 'a', name: 'list', input: { all: true } },
        ],
        stop_reason: 'tool_use',
        usage: { input_tokens: 36, output_tokens: 7 },
      }),
    ),
    good: false,
    text: TEXT,
    calls: [{ name: 'list', arguments: { all: true } }],
    usage: COUNTED,
  },
]

const HALF = [start(), ...text(0, 'half')]
const failed = (type: string, message = 'x'): Event => ({ type: 'error', error: { type, message } })

/** Bodies that must end as errors. */
export const BAD_ANTHROPIC: readonly BadFixture[] = [
  { name: 'nothing', bytes: raw(''), class: 'truncated' },
  { name: 'the end without an end', bytes: named(HALF), class: 'truncated' },
  { name: 'a cut event', bytes: named(HELLO).subarray(0, 300), class: 'truncated' },
  {
    name: 'overloaded, after some text',
    bytes: named([...HALF, failed('overloaded_error')]),
    class: 'overloaded',
  },
  { name: 'an error of the API', bytes: named([failed('api_error')]), class: 'overloaded' },
  {
    name: 'a rate limit',
    bytes: named([...HALF, failed('rate_limit_error')]),
    class: 'rate_limit',
  },
  { name: 'a wrong request', bytes: named([failed('invalid_request_error')]), class: 'refused' },
  { name: 'a wrong key', bytes: named([failed('authentication_error')]), class: 'auth' },
  {
    name: 'a prompt that is too long',
    bytes: named([
      failed('invalid_request_error', 'prompt is too long: 213462 tokens > 200000 maximum'),
    ]),
    class: 'overflow',
  },
  { name: 'a flat error', bytes: lines([{ message: 'busy', code: 503 }]), class: 'overloaded' },
  { name: 'a refusal', bytes: named([...HALF, end('refusal'), OVER]), class: 'content_blocked' },
  {
    name: 'the end of the window',
    bytes: named([...HALF, end('model_context_window_exceeded')]),
    class: 'overflow',
  },
  { name: 'a page', bytes: raw('<html><body>Bad gateway</body></html>'), class: 'overloaded' },
]
