import { expect, test } from 'vitest'
import { readLines } from '../../../src/core/transcript/read-lines.ts'

/** A stream of these bytes in chunks of that size, and whether it was cancelled. */
function source(text: string | Uint8Array, size = 3) {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  const state = { cancelled: false, at: 0 }
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (state.at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(state.at, state.at + size))
      state.at += size
    },
    cancel() {
      state.cancelled = true
    },
  })
  return { stream, state }
}

async function collect(text: string | Uint8Array, size?: number, maxBytes = 1e9) {
  const lines: string[] = []
  for await (const { line, number } of readLines(source(text, size).stream, { maxBytes })) {
    lines.push(`${number}:${line}`)
  }
  return lines
}

test('LF, CRLF, empty lines and a last line without its end come out alike for every chunk size', async () => {
  const expected = ['1:ä', '2:', '3:b€', '4:👩‍💻', '5:end']
  for (const size of [1, 2, 3, 7, 1000]) {
    expect(await collect('\u{feff}ä\r\n\nb€\n👩‍💻\r\nend', size)).toEqual(expected)
  }
  expect(await collect('a\n')).toEqual(['1:a'])
  expect(await collect('')).toEqual([])
})

test('bytes that are not UTF-8 become U+FFFD', async () => {
  expect(await collect(new Uint8Array([0x61, 0xff, 0x0a, 0xe2, 0x82]))).toEqual(['1:a�', '2:�'])
})

test('one byte too many is refused and the source is told to stop', async () => {
  expect(await collect('abcdef', 2, 6)).toEqual(['1:abcdef'])
  const { stream, state } = source('abcdef\nmore', 2)
  const lines = readLines(stream, { maxBytes: 5 })
  await expect(lines.next()).rejects.toMatchObject({ code: 'payload_too_large' })
  expect(state.cancelled).toBe(true)
})

test('leaving early cancels the source', async () => {
  const { stream, state } = source('a\nb\nc\nd\ne\nf\n', 2)
  for await (const { line } of readLines(stream, { maxBytes: 100 })) if (line === 'b') break
  expect(state.cancelled).toBe(true)
})

test('a single line of 32 MB in small chunks takes linear time', async () => {
  const chunk = new TextEncoder().encode('x'.repeat(4096))
  let left = 8192
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (left === 0) return controller.close()
      left -= 1
      controller.enqueue(chunk)
    },
  })
  const start = performance.now()
  const { value } = await readLines(stream, { maxBytes: 64 * 2 ** 20 }).next()
  expect(value?.line.length).toBe(4096 * 8192)
  expect(performance.now() - start).toBeLessThan(4000)
})
