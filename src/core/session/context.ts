import type {
  AssistantMessage,
  CompactionEntry,
  Entry,
  ForeignMessage,
  Message,
  StoredEntry,
} from '../entry.ts'
import { isEntry } from '../entry.ts'

/**
 * Entries → what a model should see. A pure fold: no I/O, no clock, nothing is changed in place.
 * The order of the rules is the order of the code; each stage's output is the next one's input.
 */

export interface SessionContext {
  /** in order, still with the coding agent's own roles; `convertMessages` makes them provider-neutral */
  readonly items: readonly ContextItem[]
  readonly thinkingLevel: string
  readonly mode: string
  /** of the latest title change; null when there was none */
  readonly title: string | null
  /** model per role; `default` is the session's own */
  readonly models: Readonly<Record<string, string>>
}

/** One thing of the context: a message, or an entry that becomes one. */
export type ContextItem =
  | { readonly kind: 'message'; readonly message: Message | ForeignMessage }
  | { readonly kind: 'entry'; readonly entry: Entry }

interface Node {
  readonly id: string
  readonly parentId: string | null
}

/** Root → leaf. Stops at a repeated id (cycle) or a missing parent (orphan). `null` is an empty path, an unknown leaf the last entry. */
export function walkBranch<T extends Node>(
  nodes: readonly T[],
  leafId?: string | null,
): readonly T[] {
  if (leafId === null || nodes.length === 0) return []
  const byId = new Map(nodes.map((node) => [node.id, node]))
  let node: T | undefined =
    (leafId === undefined ? undefined : byId.get(leafId)) ?? nodes[nodes.length - 1]
  const path: T[] = []
  const seen = new Set<string>()
  while (node !== undefined && !seen.has(node.id)) {
    seen.add(node.id)
    path.push(node)
    node = node.parentId === null ? undefined : byId.get(node.parentId)
  }
  return path.toReversed()
}

/** How many `message` entries a branch has; no other type counts (G4). */
export function countMessages(branch: readonly { readonly type: string }[]): number {
  return branch.reduce((count, node) => (node.type === 'message' ? count + 1 : count), 0)
}

/** What the model sees at that leaf, and the settings in force there. */
export function buildSessionContext(
  entries: readonly (Entry | StoredEntry)[],
  leafId?: string | null,
): SessionContext {
  const branch = walkBranch(entries, leafId)
  const seen = selectSeen(branch, (summary) => (summary as CompactionEntry).firstKeptEntryId)
  return { ...readSettings(branch), items: toItems(seen) }
}

/** The latest thinking level, mode and models; an assistant's model counts only until one was chosen explicitly. */
export function readSettings(branch: readonly Entry[]): Omit<SessionContext, 'items'> {
  let thinkingLevel = 'off'
  let title: string | null = null
  let mode = 'none'
  let chosen = false
  const models: Record<string, string> = {}
  for (const entry of branch) {
    if (isEntry(entry, 'thinking_level_change')) thinkingLevel = String(entry.thinkingLevel)
    else if (isEntry(entry, 'title_change') && typeof entry.title === 'string') title = entry.title
    else if (isEntry(entry, 'mode_change')) mode = String(entry.mode)
    else if (isEntry(entry, 'model_change') && typeof entry.model === 'string') {
      const role = entry.role ?? 'default'
      models[role] = entry.model
      chosen ||= role === 'default'
    } else if (isEntry(entry, 'message') && !chosen && isAssistant(entry.message)) {
      const { provider, model } = entry.message
      if (provider && model) models['default'] = `${provider}/${model}`
    }
  }
  return { thinkingLevel, mode, models, title }
}

/** Types of entries that hide what came before them on the branch. */
export const CUTS = ['reset_boundary', 'compaction'] as const

/**
 * Where to start: after a reset boundary, or at the latest compaction with its kept entries, or at the root. Works on
 * entries without their bodies; only the compaction that counts is asked for the first entry it keeps.
 */
export function selectSeen<T extends { readonly id: string; readonly type: string }>(
  branch: readonly T[],
  firstKeptOf: (compaction: T) => string,
): readonly T[] {
  const reset = branch.findLastIndex((entry) => entry.type === 'reset_boundary')
  const compaction = branch.findLastIndex((entry) => entry.type === 'compaction')
  if (reset > compaction) return branch.slice(reset + 1)
  const summary = branch[compaction]
  if (summary === undefined) return branch
  const firstKept = firstKeptOf(summary)
  const kept = branch.findIndex((entry) => entry.id === firstKept)
  return [
    summary,
    ...(kept < 0 || kept > compaction ? [] : branch.slice(kept, compaction)),
    ...branch.slice(compaction + 1),
  ]
}

/** What the seen entries of a branch are to a model. */
export function toItems(seen: readonly Entry[]): readonly ContextItem[] {
  return dropFailed(seen.flatMap(toItem))
}

function toItem(entry: Entry): readonly ContextItem[] {
  if (isEntry(entry, 'message')) {
    const retried = (entry.message as ForeignMessage)['retryRecovery']
    return entry.message.role === 'assistant' && retried
      ? []
      : [{ kind: 'message', message: entry.message }]
  }
  if (isEntry(entry, 'custom_message')) {
    const fits = typeof entry.content === 'string' || Array.isArray(entry.content)
    return fits ? [{ kind: 'entry', entry }] : []
  }
  if (isEntry(entry, 'branch_summary')) {
    return entry.summary ? [{ kind: 'entry', entry }] : []
  }
  return isEntry(entry, 'compaction') ? [{ kind: 'entry', entry }] : []
}

/** Drops turns that ended in an error or were aborted, with their tool results, unless the note about them follows. */
function dropFailed(items: readonly ContextItem[]): readonly ContextItem[] {
  const gone = new Set<string>()
  const kept: ContextItem[] = []
  for (const [index, item] of items.entries()) {
    if (item.kind === 'message' && isAssistant(item.message)) {
      const { stopReason, content } = item.message
      const failed = stopReason === 'error' || stopReason === 'aborted'
      if (failed && !isInterruptionNote(items[index + 1])) {
        for (const block of content) if (block.type === 'toolCall') gone.add(block.id)
        continue
      }
    }
    const orphaned =
      item.kind === 'message' &&
      item.message.role === 'toolResult' &&
      gone.has(String((item.message as ForeignMessage)['toolCallId']))
    if (!orphaned) kept.push(item)
  }
  return kept
}

function isInterruptionNote(item: ContextItem | undefined): boolean {
  return (
    item?.kind === 'entry' &&
    isEntry(item.entry, 'custom_message') &&
    item.entry.customType === 'interrupted-thinking' &&
    !item.entry.display
  )
}

function isAssistant(message: Message | ForeignMessage): message is AssistantMessage {
  return message.role === 'assistant' && Array.isArray((message as ForeignMessage)['content'])
}
