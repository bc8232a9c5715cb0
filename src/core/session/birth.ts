import { BatonError } from '../errors.ts'
import type { SessionMeta } from '../ports.ts'
import { appendEntries, notFound } from './ledger.ts'
import type { CreateInput } from './handle.ts'
import type { SessionPorts } from './ports.ts'
import { newSessionMeta } from './view.ts'

/** How a session comes into this object, and how it leaves. */
export interface Birthplace {
  /** Present and live, or `not_found`. A child that never woke is born from its row in the catalog. */
  ensure(): Promise<void>
  create(input: CreateInput): Promise<void>
  /** Takes the id for an import: a row in state `loading` that nobody sees until `finish`. */
  begin(meta: SessionMeta): void
  finish(meta: SessionMeta): void
  abandon(): void
  /** Ends a deletion that the journal already knows of: catalog first, then everything here. */
  remove(): Promise<void>
}

/** One per live session. */
export function createBirthplace(ports: SessionPorts): Birthplace {
  const { journal, catalog, tenant, id, now } = ports
  let loading = false
  let joining: Promise<void> | null = null

  async function ensure(): Promise<void> {
    const meta = journal.meta()
    if (meta?.state === 'live') return
    if (loading) throw notFound()
    joining ??= settle().finally(() => {
      joining = null
    })
    await joining
    if (journal.meta()?.state !== 'live') throw notFound()
  }

  /** Whatever a crash left half done is ended first; then the catalog may know a child that was never woken. */
  async function settle(): Promise<void> {
    const meta = journal.meta()
    if (meta?.state === 'deleted') return remove()
    if (meta?.state === 'loading') journal.wipe()
    const birth = await catalog.birth(tenant, id)
    if (birth === null || journal.meta() !== null) return
    journal.transaction(() => {
      journal.putMeta({
        ...birth.meta,
        leafId: birth.entries.at(-1)?.id ?? null,
        revision: birth.meta.revision + 1,
      })
      journal.append(birth.entries)
    })
  }

  /** An id that the caller chose may be taken, here or by a child that never woke. */
  async function requireFree(chosen: boolean): Promise<void> {
    if (loading || journal.meta()?.state === 'live') throw taken()
    if (journal.meta() === null && !chosen) return
    await ensure().then(
      () => {
        throw taken()
      },
      (thrown: unknown) => {
        if (!(thrown instanceof BatonError) || thrown.code !== 'not_found') throw thrown
      },
    )
  }

  async function create(input: CreateInput): Promise<void> {
    await requireFree(input.chosenId)
    // Others may have come while the catalog was asked: the check and the write are one step.
    if (loading || journal.meta() !== null) throw taken()
    const meta = newSessionMeta({
      id,
      tenant,
      config: input.config,
      parentSession: input.parentSession,
      createdAt: now(),
    })
    journal.transaction(() => {
      journal.putMeta(meta)
      journal.enqueue({ kind: 'session' })
      appendEntries(
        ports,
        input.messages.map((message) => ({ type: 'message', message })),
      )
    })
  }

  async function remove(): Promise<void> {
    await catalog.deleteSession(tenant, id)
    journal.transaction(() => {
      journal.wipe()
      ports.alarm.set(null)
    })
  }

  return {
    ensure,
    create,
    begin(meta) {
      if (loading || journal.meta() !== null) throw taken()
      loading = true
      journal.putMeta({ ...meta, state: 'loading' })
    },
    finish(meta) {
      loading = false
      const live = { ...meta, state: 'live' as const }
      journal.transaction(() => {
        journal.putMeta(live)
        journal.enqueue({ kind: 'session' })
      })
    },
    abandon() {
      loading = false
      journal.wipe()
    },
    remove,
  }
}

function taken(): BatonError {
  return new BatonError('conflict', 'A session with this id exists already')
}
