import type { SessionMeta } from '../ports.ts'
import type { SessionView } from './handle.ts'

/** ISO 8601 UTC with milliseconds. */
export function toIso(ms: number): string {
  return new Date(ms).toISOString()
}

/** The Session object of the HTTP contract. */
export function toSessionView(meta: SessionMeta, status: SessionView['status']): SessionView {
  const { config } = meta
  return {
    id: meta.id,
    title: config.title,
    parentSession: meta.parentSession,
    handedOffTo: meta.handedOffTo,
    model: config.model,
    thinkingLevel: config.thinkingLevel,
    systemPrompt: config.systemPrompt,
    tools: config.tools,
    mode: config.mode,
    status,
    messageCount: meta.messageCount,
    contextTokens: meta.contextTokens,
    usage: meta.usage,
    settings: config.settings,
    createdAt: toIso(meta.createdAt),
    updatedAt: toIso(meta.updatedAt),
  }
}

/** A session as it is at the moment of its birth, before anything happened in it. */
export function newSessionMeta(
  birth: Pick<SessionMeta, 'id' | 'tenant' | 'config' | 'parentSession' | 'createdAt'>,
): SessionMeta {
  return {
    ...birth,
    handedOffTo: null,
    leafId: null,
    messageCount: 0,
    contextTokens: null,
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    updatedAt: birth.createdAt,
    revision: 1,
    state: 'live',
  }
}
