import { DurableObject } from 'cloudflare:workers'
import { drizzle } from 'drizzle-orm/durable-sqlite'
import type { Hooks } from '../core/ports.ts'
import { createModelMemory } from '../core/providers/model-memory.ts'
import { systemRetry } from '../core/providers/retry.ts'
import { stream } from '../core/providers/select.ts'
import type { SessionHandle } from '../core/session/handle.ts'
import type { LiveSession } from '../core/session/session.ts'
import { createSession } from '../core/session/session.ts'
import type { ServerTool } from '../core/tools/server-tool.ts'
import { createJournal } from '../db/journal.ts'
import { createLazyJournal } from '../db/lazy-journal.ts'
import type { SqlStorageLike } from '../db/migrate.ts'
import type { SyncDatabase } from '../db/sync-database.ts'
import { logEvent } from '../http/log.ts'
import { createConfig } from '../http/config.ts'
import { createD1Catalog } from './d1-catalog.ts'
import type { BatonEnv } from './env.ts'
import { variables } from './env.ts'
import { createOpen } from './open-session.ts'

export type SessionObjectInstance = DurableObject<BatonEnv> & SessionHandle

export type SessionObjectClass = new (
  ctx: DurableObjectState,
  env: BatonEnv,
) => SessionObjectInstance

/** The Durable Object class, for the hooks and tools that the embedding program gave: it builds ports and owns one Session. */
export function createSessionObject({
  hooks,
  tools,
}: {
  readonly hooks: Hooks
  readonly tools: ReadonlyMap<string, ServerTool>
}): SessionObjectClass {
  return class SessionObject extends DurableObject<BatonEnv> implements SessionHandle {
    readonly #session: LiveSession

    constructor(ctx: DurableObjectState, env: BatonEnv) {
      super(ctx, env)
      const owner = ctx.id.name ?? ''
      const [tenant = '', id = ''] = owner.split(':')
      const storage = ctx.storage as unknown as SqlStorageLike
      const db = drizzle(ctx.storage) as unknown as SyncDatabase
      const config = createConfig(variables(env))
      this.#session = createSession({
        tenant,
        id,
        journal: createLazyJournal(storage, createJournal(db, owner)),
        catalog: createD1Catalog(env.CATALOG),
        resolveModel: config.resolveModel,
        defaultModel: config.defaultModel,
        stream,
        retry: systemRetry,
        memory: createModelMemory(),
        alarm: {
          // Part of a surrounding transactionSync; the output gate holds outgoing calls back until it is written.
          set(at) {
            if (at === null) void ctx.storage.deleteAlarm()
            else void ctx.storage.setAlarm(at)
          },
        },
        discard: () => ctx.storage.deleteAll(),
        // A pending fetch alone may not keep an object alive (compatibility date 2026-10-01, waitUntil does).
        keepAlive: (promise) => ctx.waitUntil(promise),
        now: config.now,
        newId: config.newId,
        hooks,
        tools,
        open: createOpen(env),
        log: logEvent,
      })
    }

    override async alarm(): Promise<void> {
      await this.#session.onAlarm()
    }

    create(...args: Parameters<SessionHandle['create']>) {
      return this.#session.create(...args)
    }
    importFile(...args: Parameters<SessionHandle['importFile']>) {
      return this.#session.importFile(...args)
    }
    exportFile() {
      return this.#session.exportFile()
    }
    view() {
      return this.#session.view()
    }
    update(...args: Parameters<SessionHandle['update']>) {
      return this.#session.update(...args)
    }
    destroy() {
      return this.#session.destroy()
    }
    entries(...args: Parameters<SessionHandle['entries']>) {
      return this.#session.entries(...args)
    }
    append(...args: Parameters<SessionHandle['append']>) {
      return this.#session.append(...args)
    }
    context() {
      return this.#session.context()
    }
    turn(...args: Parameters<SessionHandle['turn']>) {
      return this.#session.turn(...args)
    }
    turnEvents(...args: Parameters<SessionHandle['turnEvents']>) {
      return this.#session.turnEvents(...args)
    }
    followTurn(...args: Parameters<SessionHandle['followTurn']>) {
      return this.#session.followTurn(...args)
    }
    followTurnEvents(...args: Parameters<SessionHandle['followTurnEvents']>) {
      return this.#session.followTurnEvents(...args)
    }
    cancelTurn(...args: Parameters<SessionHandle['cancelTurn']>) {
      return this.#session.cancelTurn(...args)
    }
    abort(...args: Parameters<SessionHandle['abort']>) {
      return this.#session.abort(...args)
    }
    queue() {
      return this.#session.queue()
    }
    removeQueued(...args: Parameters<SessionHandle['removeQueued']>) {
      return this.#session.removeQueued(...args)
    }
    events(...args: Parameters<SessionHandle['events']>) {
      return this.#session.events(...args)
    }
    chat(...args: Parameters<SessionHandle['chat']>) {
      return this.#session.chat(...args)
    }
    resumeChat(...args: Parameters<SessionHandle['resumeChat']>) {
      return this.#session.resumeChat(...args)
    }
    chatMessages() {
      return this.#session.chatMessages()
    }
    adopt(...args: Parameters<SessionHandle['adopt']>) {
      return this.#session.adopt(...args)
    }
    handoff(...args: Parameters<SessionHandle['handoff']>) {
      return this.#session.handoff(...args)
    }
    handoffEvents(...args: Parameters<SessionHandle['handoffEvents']>) {
      return this.#session.handoffEvents(...args)
    }
    latestHandoff() {
      return this.#session.latestHandoff()
    }
    handoffById(...args: Parameters<SessionHandle['handoffById']>) {
      return this.#session.handoffById(...args)
    }
    cancelHandoff(...args: Parameters<SessionHandle['cancelHandoff']>) {
      return this.#session.cancelHandoff(...args)
    }
  }
}
