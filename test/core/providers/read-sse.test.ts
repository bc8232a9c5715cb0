import { describe, expect, test } from 'vitest'
import { readSse } from '../../../src/core/providers/read-sse.ts'

function toBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function toBody(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })
}

async function collect(body: ReadableStream<Uint8Array>): Promise<readonly string[]> {
  const found: string[] = []
  for await (const data of readSse(body)) found.push(data)
  return found
}

/** The events of a body that comes in these pieces. */
function read(pieces: readonly string[]): Promise<readonly string[]> {
  return collect(toBody(pieces.map(toBytes)))
}

/** Whole, in two and in three pieces at every place, and one byte at a time. */
function* waysToSplit(bytes: Uint8Array): Generator<readonly Uint8Array[]> {
  for (let first = 0; first <= bytes.length; first += 1) {
    for (let second = first; second <= bytes.length; second += 1) {
      yield [bytes.slice(0, first), bytes.slice(first, second), bytes.slice(second)]
    }
  }
  yield Array.from(bytes, (byte) => Uint8Array.of(byte))
}

const TWO = ['a', 'b']

describe('every split of the bytes gives the same events', () => {
  test.each<[string, string, readonly string[]]>([
    ['LF', 'data: a\n\ndata: b\n\n', TWO],
    ['CR', 'data: a\r\rdata: b\r\r', TWO],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', TWO],
    ['LF and CRLF', 'data: a\n\r\ndata: b\r\n\n', TWO],
    ['CR and LF', 'data: a\r\n\rdata: b\r\r\n', TWO],
    ['CR, then CRLF', 'data: a\r\r\ndata: b\n\r', TWO],
    ['CRLF and several data lines', 'data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n', ['a\nb', 'c']],
    ['several data lines', 'data: a\ndata: b\ndata:\n\n', ['a\nb\n']],
    ['no space', 'data:a\n\ndata:b\n\n', TWO],
    ['two spaces', 'data:  a\n\n', [' a']],
    ['a colon in the data', 'data: a: b\n\ndata:: c\n\n', ['a: b', ': c']],
    ['comments', ': OPENROUTER PROCESSING\n\ndata: a\n: x\n\n:\n\ndata: b\n\n', TWO],
    ['a comment inside of an event', 'data: a\n: ping\ndata: b\n\n', ['a\nb']],
    ['other fields', 'event: x\nid: 1\nretry: 5\ndata: a\nfoo: y\nbar\n\n', ['a']],
    ['fields without data', 'event: ping\n\ndata: a\n\nid: 7\n\n', ['a']],
    ['an empty event', 'data:\n\ndata: a\n\n', ['', 'a']],
    ['a field name alone', 'data\n\ndata: a\n\n', ['', 'a']],
    ['no last blank line', 'data: a\n\ndata: b\n', TWO],
    ['no last blank line, CR', 'data: a\r\rdata: b\r', TWO],
    ['no last blank line, CRLF', 'data: a\r\n\r\ndata: b\r\n', TWO],
    ['no last line end', 'data: a\n\ndata: b', TWO],
    ['half a blank line', 'data: a\r\n\r\ndata: b\r\n\r', TWO],
    ['a byte order mark', '\ufeffdata: a\n\ndata: b\n\n', TWO],
    ['a byte order mark before a comment', '\ufeff: x\n\ndata: a\n\n', ['a']],
    ['leading blank lines', '\n\r\n\ndata: a\n\n', ['a']],
    ['many blank lines', 'data: a\n\n\n\n\r\n\r\ndata: b\n\n', TWO],
    ['characters of two bytes', 'data: äöü\n\ndata: ß\n\n', ['äöü', 'ß']],
    ['characters of three bytes', 'data: 日本語\n\ndata: €', ['日本語', '€']],
    ['characters of four bytes', 'data: 😀🎉\r\n\r\ndata: 👩‍💻', ['😀🎉', '👩‍💻']],
    [
      'what only looks like a line end',
      'data: a\u2028b\u0085c\u000bd\n\n',
      ['a\u2028b\u0085c\u000bd'],
    ],
    ['JSON and its end', 'data: {"a":"\\n"}\n\ndata: [DONE]\n\n', ['{"a":"\\n"}', '[DONE]']],
    ['JSON', '[{"error":\n{"code":400}}]', ['[{"error":\n{"code":400}}]']],
    ['a page', '\n<!doctype html>\n<p>ü', ['<!doctype html>\n<p>ü']],
    ['text', 'upstream is down', ['upstream is down']],
    ['text that begins like a field', 'retry later', ['retry later']],
    ['a short text that begins like a field', 'data', ['']],
    ['very short text', 'no', ['no']],
    ['nothing', '', []],
    ['nothing but blanks', ' \r\n\n', []],
    ['nothing but comments', ': a\n\n: b', []],
  ])('%s', async (_name, text, expected) => {
    for (const pieces of waysToSplit(toBytes(text))) {
      expect(await collect(toBody(pieces)), pieces.join('|')).toEqual(expected)
    }
  })
})

test.each(['data unavailable', 'event loop blocked', 'identity unknown', 'retry in 5s'])(
  'a body that is no event stream comes out whole though it begins like one: %s',
  async (text) => {
    expect(await read([text])).toEqual([text])
  },
)

test('bytes that are no UTF-8, or a character cut off by the end, harm nothing else', async () => {
  const broken = [...toBytes('data: a'), 0xff, ...toBytes('\n\ndata: b'), 0xf0, 0x9f]
  expect(await collect(toBody([Uint8Array.from(broken)]))).toEqual(['a\ufffd', 'b\ufffd'])
})

test('events come out as soon as they are whole', async () => {
  let feed: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (feed = controller) })
  const events = readSse(body)
  feed?.enqueue(toBytes('data: a\n\ndata: b'))
  expect((await events.next()).value).toBe('a')
  feed?.enqueue(toBytes('\r\n\r'))
  expect((await events.next()).value).toBe('b')
})

test('keep-alives are no events, however many: only the end of the body ends the waiting', async () => {
  let pings = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      pings += 1
      if (pings > 10_000) controller.error(new Error('given up'))
      else controller.enqueue(toBytes(': ping\n\n'))
    },
  })
  const events = readSse(body)
  await expect(events.next()).rejects.toThrow('given up')
  expect(pings).toBe(10_001)
})

test('a body that breaks gives what came before, then its error', async () => {
  const found: string[] = []
  let feed: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (feed = controller) })
  feed?.enqueue(toBytes('data: a\n\ndata: half'))
  const reading = (async () => {
    for await (const data of readSse(body)) {
      found.push(data)
      feed?.error(new Error('reset'))
    }
  })()
  await expect(reading).rejects.toThrow('reset')
  expect(found).toEqual(['a'])
})

test('who stops reading ends the body', async () => {
  let ended = false
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(toBytes('data: a\n\n')),
    cancel: () => void (ended = true),
  })
  for await (const data of readSse(body)) if (data === 'a') break
  expect(ended).toBe(true)
})

const LONG = Array.from({ length: 17 }, () => 'x'.repeat(1_000_000))

test.each(['data: ', '{', ': ', 'x', 'event: '])(
  'an event, or any body, that never ends is given up: %s',
  async (start) => {
    await expect(read([start, ...LONG])).rejects.toMatchObject({ class: 'protocol' })
  },
)

test('a long event is none of these, nor are many short ones', async () => {
  expect(await read(['data: ', ...LONG.slice(2), '\n\n'])).toEqual([LONG.slice(2).join('')])
  const short = LONG.map((text) => `data: ${text}\n\n`)
  expect(await read(short)).toHaveLength(17)
})
