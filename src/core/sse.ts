/** Server-sent events out. Pure: one frame in, its text out. */

export interface SseFrame {
  readonly id: number
  readonly event: string
  readonly data: unknown
}

/** JSON never contains a raw line break, so `data` is always one line. */
export function encodeFrame({ id, event, data }: SseFrame): string {
  return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

/** A comment: keeps proxies from closing a quiet stream. */
export const HEARTBEAT = ': keep-alive\n\n'

/** Milliseconds between heartbeats; the contract promises one at least every 15 s. */
export const HEARTBEAT_MS = 10_000
