import { createModelMemory } from '../../../src/core/providers/model-memory.ts'
import { BatonError } from '../../../src/core/errors.ts'
import type { Catalog, Hooks } from '../../../src/core/ports.ts'
import { createModelResolver } from '../../../src/core/providers/parse-config.ts'
import { systemRetry } from '../../../src/core/providers/retry.ts'
import type { StreamFn } from '../../../src/core/providers/types.ts'
import type { LiveSession } from '../../../src/core/session/session.ts'
import { createSession } from '../../../src/core/session/session.ts'
import type { Database } from '../../../src/deno/database.ts'
import { openDatabase } from '../../../src/deno/database.ts'

/**
 * Live sessions over the real stores; only the model is a function, and the catalog can be made to fail. Stores are not
 * closed: the processes that died in these tests would go on writing into them.
 */

export const ID = 'session-0001'

/** A database, and processes of one session over it. */
export function setUp() {
  const database = openDatabase(':memory:')
  let count = 0
  let away = false
  const catalog: Catalog = {
    ...database.catalog,
    commit: async (commit) => {
      if (away) throw new BatonError('unavailable', 'away')
      await database.catalog.commit(commit)
    },
  }
  const alarms: (number | null)[] = []
  /** A process: several of them over the same journal are what a crash leaves behind. */
  function live(
    hooks: Hooks = {},
    stream: StreamFn = saying('DOC'),
    env: Readonly<Record<string, string>> = {},
  ): LiveSession {
    return createSession({
      tenant: 'local',
      id: ID,
      journal: database.journal(`local:${ID}`),
      catalog,
      resolveModel: createModelResolver(env),
      defaultModel: 'local/outline',
      stream,
      retry: systemRetry,
      memory: createModelMemory(),
      alarm: { set: (at) => void alarms.push(at) },
      discard: async () => undefined,
      keepAlive: () => undefined,
      now: () => Date.now(),
      newId: () => `generated-${String((count += 1)).padStart(6, '0')}`,
      hooks,
      tools: new Map(),
      open: () => live(),
      log: () => undefined,
    })
  }
  return { database, live, alarms, setAway: (value: boolean) => void (away = value) }
}

/** A model that always says this. */
export function saying(text: string): StreamFn {
  return async () => ({
    content: [{ type: 'text', text }],
    stopReason: 'stop',
    usage: { input: null, output: null, cacheRead: null, cacheWrite: null },
  })
}

/** What creates the session with two messages. */
export const CREATE = {
  config: {
    title: null,
    model: 'local/outline',
    thinkingLevel: null,
    systemPrompt: [],
    tools: [],
    mode: 'none',
    settings: {},
  },
  parentSession: null,
  messages: [
    { role: 'user', content: 'a' },
    { role: 'user', content: 'b' },
  ],
  chosenId: false,
  idempotency: null,
} as const
/** A handoff with nothing asked for. */
export const HANDOFF = { focus: null, model: null, thinkingLevel: null, idempotency: null }

/** Ids of the session's children, as the catalog knows them. */
export async function childrenOf(database: Database): Promise<readonly string[]> {
  return (await database.catalog.children('local', ID)).map(({ id }) => id)
}
