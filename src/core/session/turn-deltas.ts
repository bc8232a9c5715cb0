import type { SessionEvent } from '../events.ts'
import type { EventLog } from './event-log.ts'

/** Milliseconds in which pieces are put together: each write is a row, and nobody reads faster. */
const TOGETHER_MS = 40
/** Characters of one event at most, far below what a row may have. */
const LONGEST = 100_000

export type Delta = Extract<
  SessionEvent,
  { type: 'text_delta' | 'thinking_delta' | 'toolcall_delta' }
>

export interface Deltas {
  /** Tells the first piece after a silence at once, later ones together. */
  push(delta: Delta): void
  /** Tells what is still held back; before anything that comes after it. */
  flush(): void
  /** Forgets what is held back. */
  drop(): void
}

/** The pieces of an answer on their way into the log. `alive` is asked before each write: a deleted session takes nothing. */
export function createDeltas(host: {
  readonly events: EventLog
  now(): number
  alive(): boolean
}): Deltas {
  let held: Delta[] = []
  let timer: ReturnType<typeof setTimeout> | null = null
  let toldAt = -Infinity

  function flush(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (held.length === 0) return
    const told = held.flatMap(split)
    held = []
    toldAt = host.now()
    if (host.alive()) host.events.append(...told)
  }

  /** A timer has nobody to throw to; storage that fails is found by the next write. */
  function flushQuietly(): void {
    try {
      flush()
    } catch {
      held = []
    }
  }

  return {
    push(delta) {
      const last = held.at(-1)
      if (last !== undefined && joins(last, delta)) {
        held[held.length - 1] = { ...last, delta: last.delta + delta.delta }
      } else held.push(delta)
      const wait = toldAt + TOGETHER_MS - host.now()
      if (wait <= 0) flush()
      else timer ??= setTimeout(flushQuietly, wait)
    },
    flush,
    drop() {
      if (timer !== null) clearTimeout(timer)
      timer = null
      held = []
    },
  }
}

function joins(one: Delta, other: Delta): boolean {
  if (one.type !== other.type || one.entry !== other.entry) return false
  return (
    one.type !== 'toolcall_delta' ||
    (other.type === 'toolcall_delta' &&
      one.index === other.index &&
      one.id === other.id &&
      one.name === other.name)
  )
}

/** Never inside a surrogate pair: each piece is text of its own. */
function split(delta: Delta): readonly Delta[] {
  const text = delta.delta
  if (text.length <= LONGEST) return [delta]
  const pieces: Delta[] = []
  for (let at = 0; at < text.length;) {
    let end = Math.min(at + LONGEST, text.length)
    const code = text.charCodeAt(end - 1)
    if (end < text.length && code >= 0xd800 && code <= 0xdbff) end -= 1
    pieces.push({ ...delta, delta: text.slice(at, end) })
    at = end
  }
  return pieces
}
