import type { CustomMessageEntry, Entry } from '../core/entry.ts'
import { isEntry } from '../core/entry.ts'
import type { HandoffRecord } from '../core/handoff/machine.ts'
import type { CatalogSession, SessionConfig } from '../core/ports.ts'
import type { customMessages, handoffs, sessions } from './catalog-schema.ts'
import { assertRowSize, splitText } from './chunks.ts'

/**
 * Domain ↔ rows of the catalog. Pure. Free text is kept as JSON, which escapes NUL: Deno's node:sqlite (2.9.6) stores a
 * text with a NUL whole, but reads it only up to there.
 */

export type SessionRow = typeof sessions.$inferInsert
export type CustomMessageRow = typeof customMessages.$inferInsert

/** The session as its row. Throws when its configuration does not fit one row; HTTP refuses such a one before. */
export function toSessionRow(meta: CatalogSession): SessionRow {
  const { title } = meta.config
  const row = {
    tenant: meta.tenant,
    id: meta.id,
    parentSession: meta.parentSession,
    handedOffTo: meta.handedOffTo,
    title,
    config: JSON.stringify(meta.config),
    leafId: meta.leafId,
    messageCount: meta.messageCount,
    status: meta.status,
    contextTokens: meta.contextTokens,
    inputTokens: meta.usage.input,
    outputTokens: meta.usage.output,
    cacheReadTokens: meta.usage.cacheRead,
    cacheWriteTokens: meta.usage.cacheWrite,
    createdAt: meta.createdAt,
    updatedAt: meta.updatedAt,
    revision: meta.revision,
  }
  assertRowSize([row.config, title])
  return row
}

/** The inverse of `toSessionRow`. */
export function fromSessionRow(row: typeof sessions.$inferSelect): CatalogSession {
  const config = JSON.parse(row.config) as SessionConfig
  return {
    id: row.id,
    tenant: row.tenant,
    config,
    parentSession: row.parentSession,
    handedOffTo: row.handedOffTo,
    leafId: row.leafId,
    messageCount: row.messageCount,
    status: row.status,
    contextTokens: row.contextTokens,
    usage: {
      input: row.inputTokens,
      output: row.outputTokens,
      cacheRead: row.cacheReadTokens,
      cacheWrite: row.cacheWriteTokens,
    },
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    revision: row.revision,
    state: 'live',
  }
}

/** A birth's entries as rows, a long text over several. Only `custom_message` entries are born. */
export function toCustomMessageRows(
  of: { readonly tenant: string; readonly session: string },
  entries: readonly Entry[],
): readonly CustomMessageRow[] {
  return entries.flatMap((entry) => {
    if (!isEntry(entry, 'custom_message')) {
      throw new Error(`A session cannot be born with a ${entry.type} entry`)
    }
    const { id, customType, attribution, display, timestamp } = entry
    return splitText(JSON.stringify(entry.content)).map((content, part) => ({
      ...of,
      entryId: id,
      part,
      customType,
      attribution: attribution ?? null,
      display,
      timestamp,
      content,
    }))
  })
}

/** The inverse, for rows in order of entry and part. Entries follow each other. */
export function fromCustomMessageRows(
  rows: readonly (typeof customMessages.$inferSelect)[],
): readonly Entry[] {
  const entries: CustomMessageEntry[] = []
  for (const [entryId, parts] of Map.groupBy(rows, (row) => row.entryId)) {
    const [row] = parts
    if (row === undefined) continue
    const content = parts.map((part) => part.content).join('')
    entries.push({
      type: 'custom_message',
      id: entryId,
      parentId: entries.at(-1)?.id ?? null,
      timestamp: row.timestamp,
      customType: row.customType,
      content: JSON.parse(content) as CustomMessageEntry['content'],
      display: row.display,
      ...(row.attribution === null ? {} : { attribution: row.attribution as 'user' | 'agent' }),
    })
  }
  return entries
}

/** What the catalog keeps of a handoff: enough to find and list it; its document is the child's. */
export function toHandoffRow(record: HandoffRecord): typeof handoffs.$inferInsert {
  return {
    tenant: record.tenant,
    id: record.id,
    session: record.session,
    child: record.childId,
    status: record.status,
    trigger: record.trigger,
    model: record.model,
    startedAt: record.startedAt,
    finishedAt: 'finishedAt' in record ? record.finishedAt : null,
    revision: record.revision,
  }
}
