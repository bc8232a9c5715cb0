import { fromErrorData, toErrorData } from '../errors.ts'
import type { SessionHandle } from './handle.ts'
import type { LivePorts } from './ports.ts'
import type { Queue } from './queue.ts'

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000

export interface Forwarder {
  /** Brings what a handoff took along to the child, in order; joins a run in progress. Never rejects. */
  run(): Promise<void>
  /** when to try again; null when nothing is on its way */
  nextTry(): number | null
  busy(): boolean
}

/** The way of waiting turns into the child. An item is forgotten here once it is written there. */
export function createForwarder(
  ports: LivePorts,
  host: { changed(): void; moved(id: string, child: string): void },
): Forwarder {
  const { journal, events, now } = ports
  let current: Promise<void> | null = null
  let failures = 0
  let retryAt = 0

  async function forward(): Promise<void> {
    try {
      for (let sent; (sent = journal.sentQueue()[0]) !== undefined;) {
        await move(sent)
        failures = 0
      }
    } catch (thrown) {
      failures += 1
      retryAt = now() + Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS)
      ports.log({ name: 'queue_not_moved', session: ports.id, code: toErrorData(thrown).code })
    }
  }

  async function move({ id, child }: { readonly id: string; readonly child: string }) {
    const item = journal.queueItem(id)
    if (item === null) return
    const from = { session: ports.id, eventsUpTo: events.last(), items: [item] }
    const adopted = await ports.open(ports.tenant, child).adopt(from)
    // A child that was deleted takes its turns along.
    if (!adopted.ok && adopted.error.code !== 'not_found') throw fromErrorData(adopted.error)
    host.moved(id, child)
  }

  return {
    run() {
      if (current !== null || journal.sentQueue().length === 0 || now() < retryAt) {
        return current ?? Promise.resolve()
      }
      const running = forward().finally(() => {
        current = null
        host.changed()
      })
      current = running
      ports.keepAlive(running)
      return running
    },
    nextTry: () =>
      journal.sentQueue().length === 0 ? null : Math.max(retryAt, now() + FIRST_WAIT_MS),
    busy: () => current !== null,
  }
}

/** Takes over turns of the session that this one continues; one that is known already is not taken twice. */
export function adopt(
  ports: LivePorts,
  queue: Queue,
  from: Parameters<SessionHandle['adopt']>[0],
): void {
  const { journal, events } = ports
  journal.transaction(() => {
    const fresh = from.items.filter(({ id }) => journal.turnRecord(id) === null)
    if (fresh.length === 0) return
    // Readers that followed the old session go on here: numbers must not fall behind.
    if (events.last() < from.eventsUpTo) {
      events.appendAbove(from.eventsUpTo, {
        type: 'session_switch',
        reason: 'handoff',
        previousSession: from.session,
        session: ports.id,
      })
    }
    for (const item of fresh) {
      // Its entry is the old session's, and there is no turn here that it could steer.
      const { after: _, ...rest } = item
      queue.add({ ...rest, kind: 'turn' })
    }
  })
}
