import { encodeFrame, HEARTBEAT, HEARTBEAT_MS } from '../sse.ts'
import type { HandoffView } from '../session/handle.ts'

/** What a watcher of a handoff hears. */
export type HandoffNews =
  | { readonly type: 'progress'; readonly receivedChars: number; readonly elapsedMs: number }
  | { readonly type: 'ended'; readonly handoff: HandoffView }

const TERMINAL = {
  completed: 'handoff_completed',
  cancelled: 'handoff_cancelled',
  failed: 'handoff_failed',
} as const

/**
 * A handoff as SSE bytes: `handoff_started`, progress without the text, one terminal event, end.
 * A reader that leaves only unsubscribes. The stream never errors, and listening never throws.
 */
export function streamHandoff(
  started: HandoffView,
  nextEvent: () => number,
  subscribe: (listener: (news: HandoffNews) => void) => () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let stop = (): void => undefined
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (event: string, data: unknown): void =>
        controller.enqueue(encoder.encode(encodeFrame({ id: nextEvent(), event, data })))
      const beat = setInterval(() => controller.enqueue(encoder.encode(HEARTBEAT)), HEARTBEAT_MS)
      let unsubscribe = (): void => undefined
      stop = () => {
        clearInterval(beat)
        unsubscribe()
      }
      send('handoff_started', started)
      unsubscribe = subscribe((news) => {
        try {
          if (news.type === 'progress') {
            const { receivedChars, elapsedMs } = news
            return send('handoff_progress', { handoff: started.id, receivedChars, elapsedMs })
          }
          const { status } = news.handoff
          if (status in TERMINAL) send(TERMINAL[status as keyof typeof TERMINAL], news.handoff)
        } catch {
          // The journal gave no number. A watcher must not disturb what it watches; the end of the stream sends it to ask.
        }
        stop()
        controller.close()
      })
    },
    cancel() {
      stop()
    },
  })
}
