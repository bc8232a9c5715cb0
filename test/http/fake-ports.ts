import type { ErrorData, Result } from '../../src/core/errors.ts'
import type { Catalog, SessionMeta } from '../../src/core/ports.ts'
import type { SessionHandle } from '../../src/core/session/handle.ts'
import { newSessionMeta, toSessionView } from '../../src/core/session/view.ts'
import type { HttpPorts } from '../../src/http/operation.ts'

export const ID = 'session-0001'

/** What the routes asked their ports for, in order. */
export type Calls = { readonly name: string; readonly args: readonly unknown[] }[]

export const META: SessionMeta = newSessionMeta({
  id: ID,
  tenant: 'local',
  parentSession: null,
  createdAt: 0,
  config: {
    title: null,
    model: 'local/outline',
    thinkingLevel: null,
    systemPrompt: ['Be brief.'],
    tools: [],
    mode: 'none',
    settings: {},
  },
})
export const VIEW = toSessionView(META, 'idle')

const HANDOFF = { id: 'handoff-0001', session: ID, newSession: { ...VIEW, id: 'child-000001' } }

/** What a session answers unless a test says otherwise. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  create: VIEW,
  view: VIEW,
  update: VIEW,
  destroy: null,
  entries: { items: [], nextCursor: null },
  append: { entries: [] },
  context: { systemPrompt: [], tools: [], messages: [] },
  turn: { turn: { id: 't', status: 'completed' }, session: ID, messages: [] },
  handoff: { handoff: HANDOFF, error: null },
  latestHandoff: HANDOFF,
  handoffById: HANDOFF,
  cancelHandoff: { cancelled: false },
  importFile: { session: VIEW, imported: 1, skipped: 0, warnings: [] },
}

export interface Fakes {
  readonly ports: HttpPorts
  readonly calls: Calls
}

/** Ports that only remember: the route layer is what these tests look at. */
export function fakePorts(
  of: {
    readonly answers?: Readonly<Record<string, unknown>>
    readonly errors?: Readonly<Record<string, ErrorData>>
    readonly ports?: Partial<HttpPorts>
    readonly catalog?: Partial<Catalog>
  } = {},
): Fakes {
  const calls: Calls = []
  const open = (tenant: string, id: string): SessionHandle =>
    new Proxy({} as SessionHandle, {
      get:
        (_target, name: string) =>
        async (...args: readonly unknown[]): Promise<Result<unknown>> => {
          calls.push({ name, args: [tenant, id, ...args] })
          const error = of.errors?.[name]
          if (error !== undefined) return { ok: false, error }
          const own = of.answers?.[name]
          const value = own ?? (name in ANSWERS ? ANSWERS[name] : stream(name))
          return { ok: true, value: typeof value === 'function' ? value(id) : value }
        },
    })
  const catalog: Catalog = {
    session: async () => null,
    sessions: async () => ({ items: [{ ...META, status: 'running' }], nextCursor: null }),
    children: async () => [],
    birth: async () => null,
    apply: async () => {},
    commit: async () => {},
    handoffSession: async () => null,
    deleteSession: async () => {},
    claim: async (claim) => {
      calls.push({ name: 'claim', args: [claim] })
      return claim.proposed
    },
    tenantOfKey: async () => null,
    ...of.catalog,
  }
  const ports: HttpPorts = {
    open,
    catalog,
    defaultModel: 'local/outline',
    corsOrigins: [],
    knowsModel: () => true,
    models: () => [],
    auth: 'none',
    version: '9.9.9',
    now: () => 0,
    newId: () => 'new-id-00001',
    ...of.ports,
  }
  return { ports, calls }
}

function stream(text: string): ReadableStream<Uint8Array> {
  return new Response(text).body ?? new ReadableStream()
}
