import type { MessageEntry } from '../../src/core/entry.ts'
import type { HandoffRecord } from '../../src/core/handoff/machine.ts'
import { startHandoff } from '../../src/core/handoff/machine.ts'
import type { SessionMeta } from '../../src/core/ports.ts'

/** A session's row with what the test changes. */
export function sessionMeta(change: Partial<SessionMeta> = {}): SessionMeta {
  return {
    id: 'session-a',
    tenant: 'tenant-a',
    config: {
      title: 'A title',
      model: 'local/outline',
      thinkingLevel: 'low',
      systemPrompt: ['Be brief.'],
      tools: [{ name: 'look', parameters: { type: 'object' } }],
      mode: 'none',
      settings: { a: [1, true, null] },
    },
    parentSession: null,
    handedOffTo: null,
    leafId: null,
    messageCount: 0,
    contextTokens: null,
    usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
    createdAt: 1_000,
    updatedAt: 2_000,
    revision: 1,
    state: 'live',
    ...change,
  }
}

/** A user's message as an entry. */
export function messageEntry(id: string, text: string): MessageEntry {
  return {
    type: 'message',
    id,
    parentId: null,
    timestamp: '2026-01-01T00:00:00.000Z',
    message: { role: 'user', content: [{ type: 'text', text }] },
  }
}

/** A handoff that just began, with what the test changes. */
export function handoffRecord(
  change: { id?: string; revision?: number; tenant?: string; session?: string } = {},
): HandoffRecord {
  const { revision = 1, ...start } = change
  const started = startHandoff({
    id: 'handoff-a',
    session: 'session-a',
    tenant: 'tenant-a',
    childId: 'session-child',
    entryId: 'entry-child',
    startedAt: 3_000,
    focus: null,
    model: 'local/outline',
    thinkingLevel: null,
    trigger: 'manual',
    ...start,
  })
  return { ...started, revision }
}
