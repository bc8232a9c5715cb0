import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { BatonError } from './errors.ts'

/** A byte stream that is hashed while somebody reads it. */
export interface DigestedStream {
  readonly stream: ReadableStream<Uint8Array>
  /** SHA-256 of all bytes, hex; takes in what nobody read. Once. Rejects as the source does, or `payload_too_large`. */
  digest(): Promise<string>
}

/** Takes the stream over. Not WebCrypto: its `digest` wants all bytes at once. */
export function digestStream(source: ReadableStream<Uint8Array>, maxBytes: number): DigestedStream {
  const reader = source.getReader()
  const hash = sha256.create()
  let size = 0

  async function next(): Promise<Uint8Array | null> {
    const { done, value } = await reader.read()
    if (done) return null
    size += value.length
    hash.update(value)
    return value
  }

  return {
    stream: new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const chunk = await next()
          if (chunk === null) controller.close()
          else controller.enqueue(chunk)
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    ),
    async digest() {
      while (size <= maxBytes && (await next()) !== null);
      if (size > maxBytes) {
        await reader.cancel()
        throw new BatonError('payload_too_large', `The body exceeds ${maxBytes} bytes`)
      }
      return bytesToHex(hash.digest())
    },
  }
}
