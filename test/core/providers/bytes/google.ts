import type { BadFixture, Fixture } from './fixture.ts'
import { lines, raw } from './fixture.ts'

const TEXT = 'Grüße 日本 🙂'
const USAGE = {
  promptTokenCount: 100,
  cachedContentTokenCount: 64,
  candidatesTokenCount: 4,
  thoughtsTokenCount: 3,
  totalTokenCount: 107,
}
const COUNTED = { input: 36, output: 7, cacheRead: 64, reasoning: 3 }
const chunk = (parts: readonly object[], finishReason?: string, more: object = {}): object => ({
  candidates: [
    {
      index: 0,
      content: { role: 'model', parts },
      ...(finishReason === undefined ? {} : { finishReason }),
    },
  ],
  modelVersion: 'm',
  ...more,
})
const STOP = chunk([{ text: '' }], 'STOP', { usageMetadata: USAGE })
const HELLO = [chunk([{ text: 'Grüße ' }]), chunk([{ text: '日本 🙂' }]), STOP]
const READ = { functionCall: { name: 'read', args: { path: 'ä' } } }
const CALLS = [
  { name: 'read', arguments: { path: 'ä' } },
  { name: 'list', arguments: {} },
]
const json = (value: unknown): Uint8Array => raw(JSON.stringify(value))

/** Bodies of streamed generations as Google and its gateways send them. */
export const GOOD_GOOGLE: readonly Fixture[] = [
  {
    name: 'CRLF',
    bytes: lines(HELLO, '\r\n\r\n'),
    good: true,
    text: TEXT,
    usage: COUNTED,
    stopReason: 'stop',
  },
  { name: 'line feeds', bytes: lines(HELLO), good: true, text: TEXT, usage: COUNTED },
  { name: 'bare CR', bytes: lines(HELLO, '\r\r'), good: false, text: TEXT },
  {
    name: 'no blank line at the end',
    bytes: lines(HELLO).subarray(0, -2),
    good: false,
    text: TEXT,
  },
  {
    name: 'usage on every chunk, the last one counts',
    bytes: lines(HELLO.map((one) => ({ usageMetadata: { promptTokenCount: 100 }, ...one }))),
    good: true,
    text: TEXT,
    usage: COUNTED,
  },
  {
    name: 'finish and text in one chunk',
    bytes: lines([chunk([{ text: TEXT }], 'STOP', { usageMetadata: USAGE })]),
    good: true,
    text: TEXT,
    usage: COUNTED,
  },
  {
    name: 'thoughts apart from the text',
    bytes: lines([
      chunk([{ text: 'Hm ', thought: true }]),
      chunk([{ text: '🤔', thought: true }, { text: TEXT }]),
      STOP,
    ]),
    good: true,
    text: TEXT,
    thinking: 'Hm 🤔',
    usage: COUNTED,
  },
  {
    name: 'two calls in one chunk, `STOP` all the same',
    bytes: lines([chunk([READ, { functionCall: { name: 'list', args: {} } }]), STOP]),
    good: true,
    text: '',
    calls: CALLS,
    stopReason: 'toolUse',
  },
  {
    name: 'a call without arguments',
    bytes: lines([chunk([READ]), chunk([{ functionCall: { name: 'list' } }], 'STOP')]),
    good: true,
    text: '',
    calls: CALLS,
  },
  {
    name: 'an empty text with a signature behind the text',
    bytes: lines([chunk([{ text: TEXT }]), chunk([{ text: '', thoughtSignature: 'SIG' }], 'STOP')]),
    good: true,
    text: TEXT,
  },
  {
    name: 'a call that went wrong beside a text',
    bytes: lines([chunk([{ text: TEXT }]), chunk([], 'MALFORMED_FUNCTION_CALL')]),
    good: true,
    text: TEXT,
    stopReason: 'stop',
  },
  {
    name: 'a call under NONE, beside a text: the call goes',
    bytes: lines([chunk([{ text: TEXT }, READ], 'UNEXPECTED_TOOL_CALL')]),
    good: false,
    text: TEXT,
  },
  {
    name: 'the limit',
    bytes: lines([chunk([{ text: TEXT }], 'MAX_TOKENS')]),
    good: true,
    text: TEXT,
    stopReason: 'length',
  },
  {
    name: 'a call under a reason that nobody knows',
    bytes: lines([chunk([READ], 'OTHER')]),
    good: true,
    text: '',
    calls: CALLS.slice(0, 1),
    stopReason: 'toolUse',
  },
  {
    name: 'one array in place of a stream',
    bytes: json(HELLO),
    good: false,
    text: TEXT,
    usage: COUNTED,
  },
  {
    name: 'an array with line breaks',
    bytes: raw(JSON.stringify(HELLO, null, 2)),
    good: false,
    text: TEXT,
  },
  {
    name: 'one object in place of a stream',
    bytes: json(chunk([{ text: TEXT }], 'STOP')),
    good: false,
    text: TEXT,
  },
]

const HALF = chunk([{ text: 'half' }])

/** Bodies that must end as errors. */
export const BAD_GOOGLE: readonly BadFixture[] = [
  { name: 'nothing', bytes: raw(''), class: 'truncated' },
  { name: 'the end without a reason', bytes: lines([HALF]), class: 'truncated' },
  {
    name: 'a cut array',
    bytes: raw('[{"candidates":[{"content":{"parts":[{"text":"secret'),
    class: 'truncated',
  },
  {
    name: 'a blocked prompt',
    bytes: lines([{ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: USAGE }]),
    class: 'content_blocked',
  },
  ...[
    'SAFETY',
    'RECITATION',
    'BLOCKLIST',
    'PROHIBITED_CONTENT',
    'SPII',
    'LANGUAGE',
    'IMAGE_SAFETY',
  ].map((reason) => ({
    name: reason,
    bytes: lines([HALF, chunk([], reason)]),
    class: 'content_blocked',
  })),
  {
    name: 'a call that went wrong alone',
    bytes: lines([chunk([], 'MALFORMED_FUNCTION_CALL')]),
    class: 'overloaded',
  },
  { name: 'OTHER without a text', bytes: lines([chunk([], 'OTHER')]), class: 'overloaded' },
  {
    name: 'a missing signature',
    bytes: lines([chunk([], 'MISSING_THOUGHT_SIGNATURE')]),
    class: 'refused',
  },
  {
    name: 'an error in the stream',
    bytes: lines([HALF, { error: { code: 503, message: 'x', status: 'UNAVAILABLE' } }]),
    class: 'overloaded',
  },
  {
    name: 'an error in an array',
    bytes: json([{ error: { code: 429, message: 'x', status: 'RESOURCE_EXHAUSTED' } }]),
    class: 'rate_limit',
  },
  {
    name: 'a prompt that is too long',
    bytes: json([
      {
        error: {
          code: 400,
          message:
            'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
          status: 'INVALID_ARGUMENT',
        },
      },
    ]),
    class: 'overflow',
  },
  { name: 'a page', bytes: raw('<html></html>'), class: 'overloaded' },
]
