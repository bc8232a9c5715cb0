import { createParser } from 'eventsource-parser'
import { ProviderError } from './types.ts'

/** Characters that one event may have; a longer one is no answer of a model. */
const MAX_EVENT = 16_000_000

/** Proxies and servers that ignore `stream` answer 200 with JSON, a page or a line of text instead of events. */
const EVENTS = /^(?:(?:data|event|id|retry)(?:[:\r\n]|$)|:)/
/** Characters after which the start of a body tells which it is: the longest field name and what follows it. */
const TELLING = 6

/**
 * The `data` of each server-sent event, in order. One decoder for the whole body, so that characters and line ends
 * split between chunks come out whole; a last event without its blank line is read too (servers omit it). A body that
 * is no event stream comes out whole, as one text. `onBytes` is told whenever something came, events or not.
 */
export async function* readSse(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void = () => undefined,
): AsyncGenerator<string, void, void> {
  const ready: string[] = []
  const parser = createParser({ onEvent: ({ data }) => ready.push(data) })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let pending = 0
  let head = ''
  let kind: 'unknown' | 'events' | 'text' = 'unknown'
  try {
    for (;;) {
      const { done, value } = await reader.read()
      onBytes()
      head += done ? decoder.decode() : decoder.decode(value, { stream: true })
      if (kind === 'unknown') {
        head = head.trimStart()
        if (head.length >= TELLING || done) kind = EVENTS.test(head) ? 'events' : 'text'
      }
      if (kind === 'events') {
        parser.feed(done ? `${head}\n\n` : head)
        head = ''
      } else if (kind === 'text' && done && head !== '') ready.push(head)
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
