import type { Entry, MessageEntry, StoredEntry } from '../entry.ts'
import { isEntry } from '../entry.ts'
import { BatonError } from '../errors.ts'
import type { SessionConfig, SessionMeta } from '../ports.ts'
import { countMessages, walkBranch } from './context.ts'
import type { EventLog } from './event-log.ts'
import type { SessionPorts } from './ports.ts'
import { toIso } from './view.ts'

/**
 * What is written together: entries, the row that counts them, and the note for the catalog.
 * Every function is synchronous and belongs inside or is its own transaction.
 */

/** The session's row. Throws `not_found` when it does not exist or is being deleted. */
export function requireMeta({ journal }: Pick<SessionPorts, 'journal'>): SessionMeta {
  const meta = journal.meta()
  if (meta === null || meta.state !== 'live') throw notFound()
  return meta
}

/** The same words for a missing, foreign and malformed id. */
export function notFound(): BatonError {
  return new BatonError('not_found', 'There is no such session')
}

/** A changed row with the time and the revision that its change gives it. */
export function nextMeta({ now }: Pick<SessionPorts, 'now'>, meta: SessionMeta): SessionMeta {
  return { ...meta, updatedAt: now(), revision: meta.revision + 1 }
}

/** Writes a changed row and queues it for the catalog. */
export function saveMeta(
  { journal, now }: Pick<SessionPorts, 'journal' | 'now'>,
  meta: SessionMeta,
): SessionMeta {
  const saved = nextMeta({ now }, meta)
  journal.putMeta(saved)
  journal.enqueue({ kind: 'session' })
  return saved
}

/** Tells the catalog that something changed which is not in the row: what the session is doing. Its times stay. */
export function touch({ journal }: Pick<SessionPorts, 'journal'>): void {
  const meta = journal.meta()
  if (meta === null) return
  journal.putMeta({ ...meta, revision: meta.revision + 1 })
  journal.enqueue({ kind: 'session' })
}

/** An entry without its place: the ledger gives parent, time, and an id where none was chosen. */
export type NewEntry = {
  readonly type: string
  readonly id?: string
  readonly [field: string]: unknown
}

/** Appends to the current branch, in order. */
export function appendEntries(
  ports: Pick<SessionPorts, 'journal' | 'now' | 'newId'> & { readonly events?: EventLog },
  drafts: readonly NewEntry[],
): readonly StoredEntry[] {
  if (drafts.length === 0) return []
  const { journal, now, newId } = ports
  return journal.transaction(() => {
    const meta = requireMeta(ports)
    const timestamp = toIso(now())
    let parentId = meta.leafId
    const entries = drafts.map(({ type, id = newId(), ...fields }): Entry => {
      const entry = { type, id, parentId, timestamp, ...fields }
      parentId = entry.id
      return entry as Entry
    })
    const stored = journal.append(entries)
    saveMeta(ports, countEntries({ ...meta, leafId: parentId }, entries))
    ports.events?.append(
      ...stored.map(({ id, seq, parentId: parent, type }) => ({
        type: 'entry_appended' as const,
        entry: { id, seq, parentId: parent, type },
      })),
    )
    return stored
  })
}

/** Goes on from another entry, null for the root; what came after it stays, on a branch of its own. An entry that is not here changes nothing. */
export function branchAt(
  ports: Pick<SessionPorts, 'journal' | 'now'>,
  leafId: string | null,
): void {
  const { journal } = ports
  const meta = requireMeta(ports)
  if (leafId === meta.leafId || (leafId !== null && journal.seqOf(leafId) === null)) return
  const messageCount = countMessages(walkBranch(journal.spine(), leafId))
  saveMeta(ports, { ...meta, leafId, messageCount, contextTokens: null })
}

/** The row with what those entries add to its counts. */
export function countEntries(meta: SessionMeta, entries: readonly Entry[]): SessionMeta {
  let { messageCount, contextTokens } = meta
  const usage = { ...meta.usage }
  for (const entry of entries) {
    if (entry.type === 'compaction' || entry.type === 'reset_boundary') contextTokens = null
    if (!isEntry(entry, 'message')) continue
    messageCount += 1
    const spent = usageOf(entry)
    if (spent === null) continue
    usage.input += spent.input ?? 0
    usage.output += spent.output ?? 0
    usage.cacheRead += spent.cacheRead ?? 0
    usage.cacheWrite += spent.cacheWrite ?? 0
    const total = totalTokens(spent)
    if (total !== null) contextTokens = total
  }
  return { ...meta, messageCount, contextTokens, usage }
}

/** The row of a session whose entries were all adopted: counts of its current branch. */
export function recount(meta: SessionMeta, branch: readonly Entry[]): SessionMeta {
  const empty = { ...meta, messageCount: 0, contextTokens: null }
  const counted = countEntries(empty, branch)
  return {
    ...counted,
    messageCount: countMessages(branch),
    leafId: branch.at(-1)?.id ?? null,
  }
}

/** Fields of a configuration change that leave a trace in the transcript, as session files know them. */
export function changeEntries(before: SessionConfig, after: SessionConfig): readonly NewEntry[] {
  const drafts: NewEntry[] = []
  if (after.model !== before.model && after.model !== null) {
    drafts.push({ type: 'model_change', model: after.model, role: 'default' })
  }
  if (after.thinkingLevel !== before.thinkingLevel) {
    drafts.push({ type: 'thinking_level_change', thinkingLevel: after.thinkingLevel ?? 'inherit' })
  }
  if (after.mode !== before.mode) drafts.push({ type: 'mode_change', mode: after.mode })
  if (after.title !== before.title && after.title !== null) {
    const previous = before.title === null ? {} : { previousTitle: before.title }
    drafts.push({ type: 'title_change', title: after.title, ...previous, source: 'user' })
  }
  return drafts
}

interface Spent {
  readonly input?: number | null
  readonly output?: number | null
  readonly cacheRead?: number | null
  readonly cacheWrite?: number | null
}

function usageOf(entry: MessageEntry): Spent | null {
  const { message } = entry
  if (message.role !== 'assistant') return null
  const { usage } = message as { usage?: unknown }
  if (typeof usage !== 'object' || usage === null) return null
  const read = (name: keyof Spent): number | null => {
    const value = (usage as Record<string, unknown>)[name]
    // Files may hold fractions; tokens are whole.
    return typeof value === 'number' && Number.isFinite(value) && value >= 0
      ? Math.round(value)
      : null
  }
  return {
    input: read('input'),
    output: read('output'),
    cacheRead: read('cacheRead'),
    cacheWrite: read('cacheWrite'),
  }
}

/** Null when nothing is known, or when all counts are zero: an answer without usage is unknown, not empty. */
function totalTokens(spent: Spent): number | null {
  const total =
    (spent.input ?? 0) + (spent.cacheRead ?? 0) + (spent.cacheWrite ?? 0) + (spent.output ?? 0)
  return total > 0 ? total : null
}
