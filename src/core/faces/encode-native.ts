import type { EventEncoder } from '../events.ts'
import { encodeFrame, HEARTBEAT } from '../sse.ts'

/** The service's own face: every event as it is, its number as the SSE id. A handoff is told as the object of the contract. */
export function createNativeEncoder(): EventEncoder {
  return {
    encode(event) {
      const { seq, type, ...rest } = event
      const whole = 'handoff' in event && typeof event.handoff === 'object'
      return encodeFrame({ id: seq, event: type, data: whole ? event.handoff : rest })
    },
    heartbeat: HEARTBEAT,
  }
}
