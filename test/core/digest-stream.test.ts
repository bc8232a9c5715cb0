import { expect, test } from 'vitest'
import { sha256Hex } from '../../src/core/digest.ts'
import { digestStream } from '../../src/core/digest-stream.ts'

const TEXT = 'é😀'.repeat(100_000)

function pieces(size: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(TEXT)
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.slice(at, at + size))
      at += size
    },
  })
}

test('the digest is that of all bytes, however they came and whoever read them', async () => {
  const expected = await sha256Hex(TEXT)
  for (const size of [1_000, 65_536, 10_000_000]) {
    const read = digestStream(pieces(size), 1_000_000)
    expect(await new Response(read.stream).text()).toBe(TEXT)
    expect(await read.digest()).toBe(expected)
    expect(await digestStream(pieces(size), 1_000_000).digest()).toBe(expected)
  }
})

test('more than the limit is refused without reading on', async () => {
  let given = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      given += 1
      controller.enqueue(new Uint8Array(1_000))
    },
  })
  await expect(digestStream(endless, 10_000).digest()).rejects.toMatchObject({
    code: 'payload_too_large',
  })
  expect(given).toBeLessThan(20)
})
