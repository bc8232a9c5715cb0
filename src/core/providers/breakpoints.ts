import type { Message } from '../entry.ts'

/** A provider that caches up to marked places takes four of them: tools, system, and these two. */
const USER_TURNS = 2

/**
 * Where Anthropic's cache is told to remember: the last message of each of the last two user turns, a user turn being
 * everything between two assistant messages. A handoff asks for its history, never for the one-off messages behind
 * it, so that its marks are where the live turn wrote them: it reads, and pays for no entry that nobody will read.
 */
export function findBreakpoints(history: readonly Message[]): ReadonlySet<number> {
  const found = new Set<number>()
  for (let at = history.length - 1; at >= 0 && found.size < USER_TURNS; at -= 1) {
    const ends = at === history.length - 1 || history[at + 1]?.role === 'assistant'
    if (ends && history[at]?.role !== 'assistant') found.add(at)
  }
  return found
}
