import { expect, test } from 'vitest'
import { readSse } from '../../../src/core/providers/read-sse.ts'

/** The events of a body that comes in these pieces. */
async function read(pieces: readonly (string | Uint8Array)[]): Promise<readonly string[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) {
        controller.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece)
      }
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

test('one byte at a time changes nothing, nor do a byte order mark and leading blank lines', async () => {
  const text = '\ufeff\n\nevent: x\r\ndata: a\r\n\r\n: c\n\ndata: b'
  expect(await read([text])).toEqual(['a', 'b'])
  expect(await read([...text])).toEqual(['a', 'b'])
})

test('a body that is no event stream comes out whole', async () => {
  expect(await read(['{"err', 'or":\n"x"}'])).toEqual(['{"error":\n"x"}'])
  expect(await read(['no'])).toEqual(['no'])
  expect(await read([' \n'])).toEqual([])
})

test('an event, or any body, that never ends is given up', async () => {
  const long = Array.from({ length: 17 }, () => 'x'.repeat(1_000_000))
  for (const start of ['data: ', '{']) {
    await expect(read([start, ...long])).rejects.toMatchObject({ class: 'protocol' })
  }
})
