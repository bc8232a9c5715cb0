import { createParser } from 'eventsource-parser'
import { ProviderError } from './types.ts'

/** Characters that one event may have; a longer one is no answer of a model. */
const MAX_EVENT = 16_000_000

/**
 * The `data` of each server-sent event, in order. One decoder for the whole body, so that characters and line ends
 * split between chunks come out whole; a last event without its blank line is read too (servers omit it).
 */
export async function* readSse(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<string, void, void> {
  const ready: string[] = []
  const parser = createParser({ onEvent: ({ data }) => ready.push(data) })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let pending = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      parser.feed(done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true }))
      pending = ready.length > 0 ? 0 : pending + (value?.length ?? 0)
      if (pending > MAX_EVENT) {
        throw new ProviderError('protocol', 'The provider sent an event that never ends')
      }
      yield* ready.splice(0)
      if (done) return
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
