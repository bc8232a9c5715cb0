import { BatonError } from '../errors.ts'

/** One line of a text stream without its line end; the first has number 1. */
export interface Line {
  readonly line: string
  readonly number: number
}

/**
 * Splits a UTF-8 stream into lines (LF or CRLF; the last one may lack its end) and cancels the stream when
 * left early. Rejects with BatonError `payload_too_large` as soon as more than `maxBytes` have arrived.
 */
export async function* readLines(
  stream: ReadableStream<Uint8Array>,
  options: { readonly maxBytes: number },
): AsyncGenerator<Line, void, void> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  // Pieces of an unfinished line are joined once, at its end: a line of many MB stays linear.
  let pieces: string[] = []
  let number = 0
  let bytes = 0
  let ended = false
  try {
    while (!ended) {
      const { done, value } = await reader.read()
      ended = done
      bytes += value?.byteLength ?? 0
      if (bytes > options.maxBytes) {
        throw new BatonError(
          'payload_too_large',
          `The file is larger than ${options.maxBytes} bytes`,
        )
      }
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true })
      let start = 0
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
        pieces.push(text.slice(start, end))
        start = end + 1
        const line = joinLine(pieces)
        pieces = []
        number += 1
        yield { line, number }
      }
      if (start < text.length) pieces.push(text.slice(start))
    }
    if (pieces.length > 0) yield { line: joinLine(pieces), number: number + 1 }
  } finally {
    // a source that failed already rejects its cancellation too; its first error is the one to tell
    if (!ended) await reader.cancel().catch(() => {})
    reader.releaseLock()
  }
}

/** The CR of a CRLF may have come in an earlier chunk than its LF, so it is cut from the whole line. */
function joinLine(pieces: readonly string[]): string {
  const line = pieces.length === 1 ? (pieces[0] ?? '') : pieces.join('')
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
