import type { BadFixture, Fixture } from './fixture.ts'
import { lines, named, raw } from './fixture.ts'

type Event = { readonly type: string; readonly [field: string]: unknown }

const TEXT = 'Grüße 日本 🙂'
const USAGE = {
  input_tokens: 105,
  input_tokens_details: { cached_tokens: 64, cache_write_tokens: 5 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: 112,
}
const COUNTED = { input: 36, output: 7, cacheRead: 64, cacheWrite: 5, reasoning: 3 }
const message = (content = TEXT): object => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: content, annotations: [] }],
})
const call = (id: string, name: string, json: string): object => ({
  type: 'function_call',
  id: `fc_${id}`,
  call_id: id,
  name,
  arguments: json,
  status: 'completed',
})
const response = (status: string, more: object = {}): object => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'm',
  status,
  error: null,
  incomplete_details: null,
  output: [],
  usage: USAGE,
  ...more,
})
const CREATED: Event = {
  type: 'response.created',
  response: response('in_progress', { usage: null }),
}
const added = (output_index: number, item: object): Event => ({
  type: 'response.output_item.added',
  output_index,
  item,
})
const done = (output_index: number, item: object): Event => ({
  type: 'response.output_item.done',
  output_index,
  item,
})
const said = (output_index: number, delta: string, item_id = 'msg_1'): Event => ({
  type: 'response.output_text.delta',
  output_index,
  item_id,
  content_index: 0,
  delta,
})
const completed = (...output: readonly object[]): Event => ({
  type: 'response.completed',
  response: response('completed', { output }),
})
const part = (output_index: number): Event => ({
  type: 'response.content_part.added',
  output_index,
  item_id: 'msg_1',
  content_index: 0,
  part: { type: 'output_text', text: '', annotations: [] },
})
const spoken = (at: number): readonly Event[] => [
  added(at, { ...message(), content: [], status: 'in_progress' }),
  part(at),
  said(at, 'Grüße '),
  said(at, '日本 🙂'),
  {
    type: 'response.output_text.done',
    output_index: at,
    item_id: 'msg_1',
    content_index: 0,
    text: TEXT,
  },
  done(at, message()),
]
const HELLO = [
  CREATED,
  { type: 'response.in_progress', response: {} },
  ...spoken(0),
  completed(message()),
]
const CALLS = [
  { name: 'read', arguments: { path: 'ä' } },
  { name: 'list', arguments: {} },
]
const READ = call('a', 'read', '{"path":"ä"}')
const LIST = call('b', 'list', '{}')
const args = (output_index: number, id: string, delta: string): Event => ({
  type: 'response.function_call_arguments.delta',
  output_index,
  item_id: `fc_${id}`,
  delta,
})
const REASONING = {
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'Hm 🤔' }],
  encrypted_content: 'SEALED',
}
const numbered = (events: readonly Event[]): readonly Event[] =>
  events.map((event, sequence_number) => ({ ...event, sequence_number }))
const stream = (events: readonly Event[]): Uint8Array => named(numbered(events))

/** Bodies of streamed responses as OpenAI and compatible servers send them. */
export const GOOD_RESPONSES: readonly Fixture[] = [
  {
    name: 'line feeds',
    bytes: stream(HELLO),
    good: true,
    text: TEXT,
    usage: COUNTED,
    stopReason: 'stop',
  },
  { name: 'CRLF', bytes: named(numbered(HELLO), '\r\n'), good: true, text: TEXT, usage: COUNTED },
  { name: 'bare CR', bytes: named(numbered(HELLO), '\r'), good: true, text: TEXT },
  {
    name: 'data without event names, and [DONE]',
    bytes: lines([...numbered(HELLO), 'data: [DONE]']),
    good: true,
    text: TEXT,
  },
  {
    name: 'no blank line at the end',
    bytes: stream(HELLO).subarray(0, -2),
    good: false,
    text: TEXT,
  },
  {
    name: 'text that only the last event tells',
    bytes: stream([CREATED, completed(message())]),
    good: true,
    text: TEXT,
    usage: COUNTED,
  },
  {
    name: 'deltas without items or places',
    bytes: stream([
      { type: 'response.output_text.delta', delta: 'Grüße ' },
      { type: 'response.output_text.delta', delta: '日本 🙂' },
      { type: 'response.completed', response: response('completed') },
    ]),
    good: false,
    text: TEXT,
  },
  {
    name: 'deltas without items or places, and a last event that tells it all again',
    bytes: stream([
      { type: 'response.output_text.delta', delta: 'Grüße ' },
      { type: 'response.output_text.delta', delta: '日本 🙂' },
      { type: 'response.function_call_arguments.delta', item_id: 'x', delta: '{"path":"ä"}' },
      completed(message(), READ),
    ]),
    good: false,
    text: TEXT,
    calls: CALLS.slice(0, 1),
  },
  {
    name: 'items that begin with their place and go on by their ids, or the other way round',
    bytes: stream([
      CREATED,
      added(0, { ...message(), content: [] }),
      { type: 'response.output_text.delta', item_id: 'msg_1', delta: 'Grüße ' },
      { type: 'response.output_text.delta', output_index: 0, delta: '日本 🙂' },
      { type: 'response.output_item.added', item: { ...READ, arguments: '' } },
      {
        type: 'response.function_call_arguments.delta',
        item_id: 'fc_a',
        output_index: 1,
        delta: '{"path":"ä"}',
      },
      completed(message(), READ),
    ]),
    good: false,
    text: TEXT,
    calls: CALLS.slice(0, 1),
  },
  {
    name: 'reasoning with a summary, sealed, then text',
    bytes: stream([
      CREATED,
      added(0, { ...REASONING, summary: [] }),
      {
        type: 'response.reasoning_summary_part.added',
        output_index: 0,
        item_id: 'rs_1',
        summary_index: 0,
        part: { type: 'summary_text', text: '' },
      },
      {
        type: 'response.reasoning_summary_text.delta',
        output_index: 0,
        item_id: 'rs_1',
        summary_index: 0,
        delta: 'Hm ',
      },
      {
        type: 'response.reasoning_summary_text.delta',
        output_index: 0,
        item_id: 'rs_1',
        summary_index: 0,
        delta: '🤔',
      },
      done(0, REASONING),
      ...spoken(1),
      completed(REASONING, message()),
    ]),
    good: true,
    text: TEXT,
    thinking: 'Hm 🤔',
    signature: JSON.stringify(REASONING),
    usage: COUNTED,
  },
  {
    name: 'reasoning without a summary keeps its seal',
    bytes: stream([
      CREATED,
      added(0, { ...REASONING, summary: [], encrypted_content: null }),
      done(0, { ...REASONING, summary: [] }),
      ...spoken(1),
      // The last event does not repeat the seal.
      completed({ ...REASONING, summary: [], encrypted_content: null }, message()),
    ]),
    good: true,
    text: TEXT,
    thinking: '',
    signature: JSON.stringify({ ...REASONING, summary: [] }),
  },
  {
    name: 'two calls whose arguments are interleaved',
    bytes: stream([
      CREATED,
      added(0, { ...READ, arguments: '', status: 'in_progress' }),
      added(1, { ...LIST, arguments: '', status: 'in_progress' }),
      args(0, 'a', '{"pa'),
      args(1, 'b', '{'),
      args(0, 'a', 'th":"ä"}'),
      args(1, 'b', '}'),
      done(0, READ),
      done(1, LIST),
      completed(READ, LIST),
    ]),
    good: true,
    text: '',
    calls: CALLS,
    stopReason: 'toolUse',
  },
  {
    name: 'calls that only their last events tell whole',
    bytes: stream([
      CREATED,
      added(0, { ...READ, arguments: '' }),
      done(0, READ),
      added(1, LIST),
      completed(READ, LIST),
    ]),
    good: true,
    text: '',
    calls: CALLS,
  },
  {
    name: 'text, a call, and text again, in their order',
    bytes: stream([
      CREATED,
      ...spoken(0),
      added(1, READ),
      done(1, READ),
      completed(message(), READ),
    ]),
    good: true,
    text: TEXT,
    calls: CALLS.slice(0, 1),
  },
  {
    name: 'the limit',
    bytes: stream([
      CREATED,
      ...spoken(0),
      {
        type: 'response.incomplete',
        response: response('incomplete', {
          incomplete_details: { reason: 'max_output_tokens' },
          output: [message()],
        }),
      },
    ]),
    good: true,
    text: TEXT,
    stopReason: 'length',
  },
  {
    name: 'a whole response in place of a stream',
    bytes: raw(JSON.stringify(response('completed', { output: [message(), READ] }))),
    good: false,
    text: TEXT,
    calls: CALLS.slice(0, 1),
    usage: COUNTED,
  },
]

const HALF = [CREATED, ...spoken(0).slice(0, 3)]
const failed = (code: string, text = 'x'): Event => ({
  type: 'response.failed',
  response: response('failed', { error: { code, message: text } }),
})

/** Bodies that must end as errors. */
export const BAD_RESPONSES: readonly BadFixture[] = [
  { name: 'nothing', bytes: raw(''), class: 'truncated' },
  { name: 'the end without an end', bytes: stream(HALF), class: 'truncated' },
  { name: '[DONE] without an end', bytes: lines([...HALF, 'data: [DONE]']), class: 'truncated' },
  {
    name: 'an error event',
    bytes: stream([...HALF, { type: 'error', code: 'server_error', message: 'x', param: null }]),
    class: 'overloaded',
  },
  {
    name: 'a failure of the server',
    bytes: stream([...HALF, failed('server_error')]),
    class: 'overloaded',
  },
  { name: 'a rate limit', bytes: stream([failed('rate_limit_exceeded')]), class: 'rate_limit' },
  {
    name: 'a prompt that is too long',
    bytes: stream([failed('context_length_exceeded')]),
    class: 'overflow',
  },
  { name: 'a wrong request', bytes: stream([failed('invalid_prompt')]), class: 'refused' },
  {
    name: 'a filter',
    bytes: stream([
      ...HALF,
      {
        type: 'response.incomplete',
        response: response('incomplete', { incomplete_details: { reason: 'content_filter' } }),
      },
    ]),
    class: 'content_blocked',
  },
  {
    name: 'a cancelled response',
    bytes: stream([{ type: 'response.cancelled', response: response('cancelled') }]),
    class: 'overloaded',
  },
  { name: 'a flat error', bytes: lines([{ detail: 'busy', code: 503 }]), class: 'overloaded' },
  { name: 'a page', bytes: raw('<!DOCTYPE html>'), class: 'overloaded' },
]
