import type { Hooks } from '../core/ports.ts'
import { createModelMemory } from '../core/providers/model-memory.ts'
import { systemRetry } from '../core/providers/retry.ts'
import { stream } from '../core/providers/select.ts'
import type { LiveSession } from '../core/session/session.ts'
import { createSession } from '../core/session/session.ts'
import type { ToolDefinitions } from '../core/tools/server-tool.ts'
import { createServerTools } from '../core/tools/server-tool.ts'
import { createApp } from '../http/app.ts'
import { createConfig } from '../http/config.ts'
import { logEvent } from '../http/log.ts'
import { VERSION } from '../http/version.ts'
import type { Database } from './database.ts'
import { openDatabase } from './database.ts'

export interface BatonOptions {
  /** path of the SQLite file; one process owns it */
  readonly database: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly hooks?: Hooks
  /** run inside the turns of every session, by name */
  readonly tools?: ToolDefinitions
}

export interface Baton {
  fetch(request: Request): Promise<Response>
  /** Stops the timers and closes the file; what was running is finished by the next process. */
  close(): void
}

/** A session in memory, and how many calls are inside it. */
interface Kept {
  readonly session: LiveSession
  readonly handle: LiveSession
  calls: number
}

/** Live sessions that nothing runs in are dropped beyond this many; their state is in the file. */
const SESSIONS_KEPT = 1_000
/** `setTimeout` overflows beyond 2^31 ms. */
const LONGEST_TIMER_MS = 2_000_000_000

/** Baton on Deno: the same core, with a map instead of Durable Objects and one SQLite file instead of D1 and their storage. */
export function createBaton(options: BatonOptions): Baton {
  const config = createConfig(options.env)
  const database = openDatabase(options.database)
  const sessions = new Map<string, Kept>()
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const memory = createModelMemory()
  const tools = createServerTools(options.tools)
  let closed = false

  function open(tenant: string, id: string): LiveSession {
    const owner = `${tenant}:${id}`
    const known = sessions.get(owner)
    if (known !== undefined) {
      sessions.delete(owner)
      sessions.set(owner, known)
      return known.handle
    }
    const session = createSession({
      tenant,
      id,
      journal: database.journal(owner),
      catalog: database.catalog,
      resolveModel: config.resolveModel,
      defaultModel: config.defaultModel,
      stream,
      retry: systemRetry,
      memory,
      alarm: { set: (at) => setAlarm(database, owner, at) },
      // All sessions share the file: what the wipe removed is given back already.
      discard: async () => undefined,
      keepAlive: () => undefined,
      now: config.now,
      newId: config.newId,
      hooks: options.hooks ?? {},
      tools,
      open,
      log: logEvent,
    })
    const kept = keep(session)
    sessions.set(owner, kept)
    dropIdle()
    return kept.handle
  }

  /** The least recently used first; one that runs or is called stays, or there would be two of it. */
  function dropIdle(): void {
    for (const [owner, { session, calls }] of sessions) {
      if (sessions.size <= SESSIONS_KEPT) return
      if (calls === 0 && session.idle()) sessions.delete(owner)
    }
  }

  function setAlarm(store: Database, owner: string, at: number | null): void {
    // What still ran when the file was closed is the next process's to finish.
    if (closed) return
    store.setAlarm(owner, at)
    startTimer(owner, at)
  }

  function startTimer(owner: string, at: number | null): void {
    clearTimeout(timers.get(owner))
    timers.delete(owner)
    if (at === null) return
    const wait = Math.min(Math.max(0, at - config.now()), LONGEST_TIMER_MS)
    timers.set(
      owner,
      setTimeout(() => {
        timers.delete(owner)
        const [tenant = '', id = ''] = owner.split(':')
        void open(tenant, id).onAlarm()
      }, wait),
    )
  }

  // Nothing runs in a new process: what an alarm was to watch over is looked at now, not when its lease ends.
  for (const { owner } of database.alarms()) startTimer(owner, config.now())
  const app = createApp({
    ...config,
    open,
    catalog: database.catalog,
    version: VERSION,
  })

  return {
    fetch: async (request) => app.fetch(request),
    close() {
      closed = true
      for (const timer of timers.values()) clearTimeout(timer)
      database.close()
    },
  }
}

/** Counts the calls that are inside a session: an upload may take minutes in which nothing else tells that it is in use. */
function keep(session: LiveSession): Kept {
  const handle = new Proxy(session, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver)
      if (name === 'idle' || typeof method !== 'function') return method
      return async (...args: readonly unknown[]) => {
        kept.calls += 1
        try {
          return await method.apply(target, args)
        } finally {
          kept.calls -= 1
        }
      }
    },
  })
  const kept: Kept = { session, handle, calls: 0 }
  return kept
}
