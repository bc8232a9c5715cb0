import { toErrorData } from '../errors.ts'
import type { CatalogChange, News, SessionStatus } from '../ports.ts'
import type { SessionPorts } from './ports.ts'

const BATCH = 20
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000

export interface Outbox {
  /** Tells the catalog what it has not heard yet, in order; joins a drain that runs. Never rejects: what failed is tried again by the alarm. */
  drain(): Promise<void>
  /** when the alarm should drain; null when nothing waits */
  nextTry(): number | null
  /** resolves when no drain runs */
  settled(): Promise<void>
  busy(): boolean
}

/** The way from a session's journal to the catalog. `host.changed` is called when the next try has changed. */
export function createOutbox(
  ports: SessionPorts,
  host: { changed(): void; status(): SessionStatus },
): Outbox {
  const { journal, catalog, now } = ports
  let current: Promise<void> | null = null
  let failures = 0
  let retryAt = 0

  /** What the news stand for now; newer than when they were queued is all the better. */
  function changeOf(news: News): CatalogChange | null {
    if (news.kind === 'session') {
      const meta = journal.meta()
      if (meta === null) return null
      return { kind: 'session', session: { ...meta, status: host.status() } }
    }
    const record = journal.handoff(news.id)
    return record === null ? null : { kind: 'handoff', record }
  }

  async function run(): Promise<void> {
    try {
      for (;;) {
        if (journal.meta()?.state !== 'live') return
        const batch = journal.news(BATCH)
        if (batch.length === 0) return
        await catalog.apply(batch.flatMap(({ news }) => changeOf(news) ?? []))
        journal.settle(batch.map(({ token }) => token))
        failures = 0
      }
    } catch (thrown) {
      failures += 1
      retryAt = now() + Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS)
      ports.log({ name: 'outbox_waits', session: ports.id, code: toErrorData(thrown).code })
    }
  }

  function drain(): Promise<void> {
    if (current !== null) return current
    const drained = run().finally(() => {
      current = null
      host.changed()
    })
    current = drained
    ports.keepAlive(drained)
    return drained
  }

  return {
    drain,
    nextTry() {
      if (journal.meta()?.state !== 'live' || !journal.hasNews()) return null
      return Math.max(retryAt, now() + FIRST_WAIT_MS)
    },
    settled: () => current ?? Promise.resolve(),
    busy: () => current !== null,
  }
}
