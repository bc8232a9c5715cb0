import { BatonError, invalid } from '../errors.ts'
import type { SessionMeta } from '../ports.ts'
import { completeMessage } from './complete-message.ts'
import { requireConfigSize } from './config-size.ts'
import { appendEntries, notFound } from './ledger.ts'
import type { CreateInput } from './handle.ts'
import type { SessionPorts } from './ports.ts'
import { requireKnownModel } from './request.ts'
import { newSessionMeta } from './view.ts'

/** Milliseconds after which the alarm looks whether an import lives or left its entries behind. */
const LOADING_MS = 60_000

/** How a session comes into this object, and how it leaves. */
export interface Birthplace {
  /** Present and live, or `not_found`. A child that never woke is born from its row in the catalog. */
  ensure(): Promise<void>
  /** Throws `conflict` for an id that is taken and `invalid` for what it refers to. `born` runs in the transaction. */
  create<T>(input: CreateInput, born: () => T): Promise<T>
  /** Takes the id for an import: a row in state `loading` that nobody sees until `finish`. */
  begin(meta: SessionMeta): void
  /** `born` runs in the transaction. */
  finish<T>(meta: SessionMeta, born: () => T): T
  abandon(): Promise<void>
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
    if (meta?.state === 'loading') await abandon()
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

  async function requireParent(parent: string | null): Promise<void> {
    if (parent === null || (await catalog.session(tenant, parent)) !== null) return
    throw invalid([{ path: 'parentSession', message: 'There is no such session' }])
  }

  async function create<T>(input: CreateInput, born: () => T): Promise<T> {
    requireConfigSize(input.config)
    if (input.config.model !== ports.defaultModel) requireKnownModel(ports, input.config.model)
    await Promise.all([requireFree(input.chosenId), requireParent(input.parentSession)])
    // Others may have come while the catalog was asked: the check and the write are one step.
    if (loading || journal.meta() !== null) throw taken()
    const meta = newSessionMeta({
      id,
      tenant,
      config: input.config,
      parentSession: input.parentSession,
      createdAt: now(),
    })
    return journal.transaction(() => {
      journal.putMeta(meta)
      journal.enqueue({ kind: 'session' })
      appendEntries(
        ports,
        input.messages.map((message) => ({
          type: 'message',
          message: completeMessage(message, input.config.model, ports.resolveModel),
        })),
      )
      return born()
    })
  }

  async function remove(): Promise<void> {
    await catalog.deleteSession(tenant, id)
    await empty()
  }

  async function abandon(): Promise<void> {
    loading = false
    await empty()
  }

  /** No await before `discard`: what is written after the wipe must not go with it. */
  function empty(): Promise<void> {
    journal.transaction(() => {
      journal.wipe()
      ports.alarm.set(null)
    })
    return ports.discard()
  }

  return {
    ensure,
    create,
    begin(meta) {
      const left = journal.meta()?.state ?? null
      if (loading || (left !== null && left !== 'loading')) throw taken()
      loading = true
      journal.transaction(() => {
        // What an import left that died with its process goes first.
        if (left === 'loading') journal.wipe()
        journal.putMeta({ ...meta, state: 'loading' })
        ports.alarm.set(now() + LOADING_MS)
      })
    },
    finish(meta, born) {
      const answer = journal.transaction(() => {
        journal.putMeta({ ...meta, state: 'live' })
        journal.enqueue({ kind: 'session' })
        return born()
      })
      loading = false
      return answer
    },
    abandon,
    remove,
  }
}

function taken(): BatonError {
  return new BatonError('conflict', 'A session with this id exists already')
}
