import type { EventEncoder, LoggedEvent, SessionEvent } from '../events.ts'
import { HEARTBEAT_MS } from '../sse.ts'
import type { EventLog } from './event-log.ts'

/** Events read from the log at once. */
const PAGE = 200

export interface EventStreamOptions {
  /** number after which to begin */
  readonly after: number
  readonly encoder: EventEncoder
  /** text to send before anything else */
  readonly prefix?: string
  /** whether the event belongs into this stream */
  accepts(event: LoggedEvent): boolean
  /** whether this accepted event is the last one */
  ends(event: LoggedEvent): boolean
  /** whether nothing more will come, though no last event came: it went elsewhere */
  over?(): boolean
  /** what to tell last when no last event came; null for nothing */
  last?(): SessionEvent | null
}

/**
 * A part of a session's log as bytes: what is there already, then what comes, with a heartbeat in silence. A slow
 * reader reads on from the log; one that leaves only stops listening. Never errors.
 */
export function streamEvents(
  log: EventLog,
  options: EventStreamOptions,
): ReadableStream<Uint8Array> {
  const { encoder, prefix = '', accepts, ends, over = () => false, last = () => null } = options
  const bytes = new TextEncoder()
  let cursor = options.after
  let leave = (): void => undefined
  let gone = false

  /** The text of the next events that this stream tells; empty when there are none yet. */
  function next(): { readonly text: string; readonly ended: boolean } {
    let text = ''
    for (;;) {
      const page = log.read(cursor, PAGE)
      for (const event of page) {
        cursor = event.seq
        if (!accepts(event)) continue
        text += encoder.encode(event)
        if (ends(event)) return { text, ended: true }
      }
      if (page.length < PAGE || text !== '') return { text, ended: false }
    }
  }

  /** Waits for an append, for the time of a heartbeat, or until the reader has left. */
  function silence(): Promise<'news' | 'beat' | 'gone'> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => end('beat'), HEARTBEAT_MS)
      const deafen = log.listen(() => end('news'))
      function end(why: 'news' | 'beat' | 'gone'): void {
        clearTimeout(timer)
        deafen()
        resolve(why)
      }
      leave = () => end('gone')
    })
  }

  return new ReadableStream<Uint8Array>({
    start(controller) {
      if (prefix !== '') controller.enqueue(bytes.encode(prefix))
    },
    async pull(controller) {
      for (;;) {
        if (gone) return
        const { text, ended } = readSafely(next)
        if (text !== '') controller.enqueue(bytes.encode(text))
        if (ended) return controller.close()
        if (log.closed() || (text === '' && over())) {
          const event = last()
          const end = event === null ? '' : encoder.encode({ ...event, seq: cursor + 1 })
          if (end !== '') controller.enqueue(bytes.encode(end))
          return controller.close()
        }
        if (text !== '') return
        const why = await silence()
        if (why === 'beat') return controller.enqueue(bytes.encode(encoder.heartbeat))
      }
    },
    cancel() {
      gone = true
      leave()
    },
  })
}

/** Storage that fails ends the stream without a last event, which sends the reader to ask again. */
function readSafely(next: () => { readonly text: string; readonly ended: boolean }): {
  readonly text: string
  readonly ended: boolean
} {
  try {
    return next()
  } catch {
    return { text: '', ended: true }
  }
}
