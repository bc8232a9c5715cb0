import { readSse } from '../../src/core/providers/read-sse.ts'
import type { Decoder, ModelAnswer } from '../../src/core/providers/types.ts'

/** Splits at every place are tried up to this size: the number of runs grows with it. */
const SMALL = 700

/** The bytes in pieces: whole, one by one, by threes, and for small bodies in two at every place. */
export function splits(bytes: Uint8Array): readonly (readonly Uint8Array[])[] {
  const by = (size: number): readonly Uint8Array[] =>
    Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    )
  const halves = Array.from({ length: bytes.length <= SMALL ? bytes.length : 0 }, (_, at) => [
    bytes.subarray(0, at),
    bytes.subarray(at),
  ])
  return [[bytes], by(1), by(3), ...halves]
}

/** What a decoder makes of a body that comes in these pieces. Throws what it throws. */
export async function decodePieces(
  pieces: readonly Uint8Array[],
  createDecoder: () => Decoder,
): Promise<ModelAnswer> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })
  const decoder = createDecoder()
  for await (const data of readSse(body)) decoder.push(data)
  return decoder.finish()
}
