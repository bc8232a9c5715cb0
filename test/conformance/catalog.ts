import assert from 'node:assert/strict'
import type { CustomMessageEntry } from '../../src/core/entry.ts'
import type { HandoffRecord } from '../../src/core/handoff/machine.ts'
import type {
  Birth,
  Catalog,
  CatalogChange,
  SessionMeta,
  SessionStatus,
} from '../../src/core/ports.ts'
import { handoffRecord, sessionMeta } from './material.ts'

/** A catalog and plain SQL beside it; all cases may share one database, each has a tenant of its own. */
export interface CatalogWorld {
  readonly catalog: Catalog
  readonly tenant: string
  sql(query: string, ...params: readonly (string | number | null)[]): Promise<unknown> | unknown
}

const DAY_MS = 86_400_000

/** What every runtime's catalog must do. */
export const catalogSuite: readonly {
  readonly name: string
  run(make: () => Promise<CatalogWorld> | CatalogWorld): Promise<void>
}[] = [
  {
    name: 'a session comes back as it was applied, to its own tenant only',
    async run(make) {
      const { catalog, tenant } = await make()
      const config = { ...sessionMeta().config, title: 'a\u0000b' }
      const meta = sessionMeta({ tenant, config, contextTokens: 9, parentSession: 'session-p' })
      await catalog.apply([session(meta, 'running')])
      const told = { ...meta, status: 'running' }
      assert.deepEqual(await catalog.session(tenant, 'session-a'), told)
      assert.equal(await catalog.session(`${tenant}-other`, 'session-a'), null)
      assert.equal(await catalog.session(tenant, 'absent'), null)
      await catalog.apply([])
    },
  },
  {
    name: 'an older or equal revision never undoes a newer one',
    async run(make) {
      const { catalog, tenant } = await make()
      const at = (revision: number, title: string) =>
        sessionMeta({ tenant, revision, config: { ...sessionMeta().config, title } })
      await catalog.apply([session(at(2, 'two')), session(at(1, 'one')), session(at(2, 'late'))])
      assert.equal((await catalog.session(tenant, 'session-a'))?.config.title, 'two')
      await catalog.apply([session(at(3, 'three'))])
      assert.equal((await catalog.session(tenant, 'session-a'))?.config.title, 'three')
    },
  },
  {
    name: 'sessions are listed newest first, page by page, without gap or repetition',
    async run(make) {
      const { catalog, tenant } = await make()
      const metas = Array.from({ length: 7 }, (_, at) =>
        sessionMeta({ tenant, id: `session-${at}`, createdAt: 1_000 + Math.floor(at / 3) }),
      )
      await catalog.apply(metas.map((meta) => session(meta)))
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const page = await catalog.sessions(tenant, { limit: 3, cursor, parent: null })
        seen.push(...page.items.map((item) => item.id))
        cursor = page.nextCursor
      } while (cursor !== null)
      assert.deepEqual(seen, metas.map((meta) => meta.id).toReversed())
      const exact = await catalog.sessions(tenant, { limit: 7, cursor: null, parent: null })
      assert.equal(exact.nextCursor, null)
    },
  },
  {
    name: 'a foreign cursor is refused as invalid',
    async run(make) {
      const { catalog, tenant } = await make()
      const query = { limit: 3, cursor: "x' OR 1=1", parent: null }
      await assert.rejects(async () => catalog.sessions(tenant, query), { code: 'invalid' })
    },
  },
  {
    name: 'children are found by their parent',
    async run(make) {
      const { catalog, tenant } = await make()
      const child = (id: string, createdAt: number) =>
        session(sessionMeta({ tenant, id, createdAt, parentSession: 'session-a' }))
      await catalog.apply([
        session(sessionMeta({ tenant })),
        child('child-00', 1),
        child('child-01', 2),
      ])
      const children = await catalog.children(tenant, 'session-a')
      assert.deepEqual(
        children.map((meta) => meta.id),
        ['child-01', 'child-00'],
      )
      const page = await catalog.sessions(tenant, { limit: 9, cursor: null, parent: 'session-a' })
      assert.deepEqual(page.items, children)
      assert.deepEqual(await catalog.children(`${tenant}-other`, 'session-a'), [])
    },
  },
  {
    name: 'a commit makes the child, its message, the handoff and the pointer, and repeating it changes nothing',
    async run(make) {
      const { catalog, tenant } = await make()
      const commit = commitOf(tenant, 'What was done.')
      await catalog.apply([session(sessionMeta({ tenant }))])
      await catalog.commit(commit)
      await catalog.commit(commit)
      assert.deepEqual(await catalog.birth(tenant, 'session-child'), commit.child)
      assert.equal((await catalog.session(tenant, 'session-a'))?.handedOffTo, 'session-child')
      assert.equal(await catalog.handoffSession(tenant, 'handoff-a'), 'session-a')
      assert.equal(await catalog.handoffSession(`${tenant}-other`, 'handoff-a'), null)
      // The child lives on; a late repetition of its birth must not set it back.
      await catalog.apply([session({ ...commit.child.meta, revision: 5, messageCount: 4 })])
      await catalog.commit(commit)
      assert.equal((await catalog.session(tenant, 'session-child'))?.messageCount, 4)
    },
  },
  {
    name: 'a document of 3.9 MB with pairs on the borders, and one with a NUL, are born whole',
    async run(make) {
      const { catalog, tenant } = await make()
      for (const [at, text] of [
        `x${'😀'.repeat(650_000)}${'€'.repeat(430_000)}`,
        'a\u0000b',
      ].entries()) {
        const commit = commitOf(`${tenant}-${at}`, text)
        await catalog.commit(commit)
        const birth = await catalog.birth(`${tenant}-${at}`, 'session-child')
        assert.ok(JSON.stringify(birth) === JSON.stringify(commit.child))
      }
    },
  },
  {
    name: 'a birth of nothing is null, of a plain session its row alone',
    async run(make) {
      const { catalog, tenant } = await make()
      assert.equal(await catalog.birth(tenant, 'absent'), null)
      const meta = sessionMeta({ tenant })
      await catalog.apply([session(meta)])
      assert.deepEqual(await catalog.birth(tenant, 'session-a'), { meta, entries: [] })
    },
  },
  {
    name: 'a commit that fails in its last statement leaves nothing',
    async run(make) {
      const { catalog, tenant } = await make()
      const commit = commitOf(tenant, 'secret words')
      const handoff = { ...commit.handoff, trigger: null } as unknown as HandoffRecord
      const failure = await rejection(catalog.commit({ ...commit, handoff }))
      assert.equal(failure.code, 'unavailable')
      assert.doesNotMatch(
        `${failure.message} ${String(failure.cause)}`,
        /secret|insert|NULL|handoffs/i,
      )
      assert.equal(await catalog.session(tenant, 'session-child'), null)
      assert.equal(await catalog.birth(tenant, 'session-child'), null)
    },
  },
  {
    name: 'a key stands for the first id, for a day',
    async run(make) {
      const { catalog, tenant } = await make()
      const claim = { tenant, route: 'r', key: 'k', proposed: 'id-1', now: 1_000 }
      assert.equal(await catalog.claim(claim), 'id-1')
      assert.equal(await catalog.claim({ ...claim, proposed: 'id-2', now: DAY_MS }), 'id-1')
      const other = { ...claim, proposed: 'id-3' }
      assert.equal(await catalog.claim({ ...other, route: 'q' }), 'id-3')
      assert.equal(await catalog.claim({ ...other, now: 1_001 + DAY_MS }), 'id-3')
      assert.equal(await catalog.claim({ ...claim, now: 1_002 + DAY_MS }), 'id-3')
    },
  },
  {
    name: 'ten callers with one key agree on one id',
    async run(make) {
      const { catalog, tenant } = await make()
      const claim = { tenant, route: 'r', key: 'k', now: 1 }
      const ids = await Promise.all(
        Array.from({ length: 10 }, (_, at) => catalog.claim({ ...claim, proposed: `id-${at}` })),
      )
      assert.equal(new Set(ids).size, 1)
    },
  },
  {
    name: 'deleting a session removes its rows and nobody else’s',
    async run(make) {
      const { catalog, tenant } = await make()
      await catalog.commit(commitOf(tenant, 'words'))
      await catalog.commit(commitOf(`${tenant}-other`, 'words'))
      const claim = { tenant, route: 'r', key: 'k', now: 1 }
      await catalog.claim({ ...claim, proposed: 'session-child' })
      await catalog.deleteSession(tenant, 'session-child')
      await catalog.deleteSession(tenant, 'session-child')
      assert.equal(await catalog.birth(tenant, 'session-child'), null)
      await catalog.apply([session(sessionMeta({ tenant, id: 'session-child' }))])
      assert.deepEqual((await catalog.birth(tenant, 'session-child'))?.entries, [])
      // The key must not bring back what was deleted, until it is forgotten.
      assert.equal(await catalog.claim({ ...claim, proposed: 'session-new' }), null)
      const later = { ...claim, now: 2 + DAY_MS }
      assert.equal(await catalog.claim({ ...later, proposed: 'session-new' }), 'session-new')
      assert.equal(await catalog.handoffSession(tenant, 'handoff-a'), 'session-a')
      await catalog.deleteSession(tenant, 'session-a')
      assert.equal(await catalog.handoffSession(tenant, 'handoff-a'), null)
      assert.notEqual(await catalog.session(`${tenant}-other`, 'session-child'), null)
    },
  },
  {
    name: 'a key names its tenant until it is revoked or has expired',
    async run(make) {
      const { catalog, tenant, sql } = await make()
      const add = async (name: string, revoked: number | null, expires: number | null) =>
        sql(
          'INSERT INTO api_keys (id, tenant, digest, created_at, revoked_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)',
          `${tenant}-${name}`,
          tenant,
          `${tenant}-${name}`,
          1,
          revoked,
          expires,
        )
      await add('live', null, null)
      await add('lasting', null, Date.now() + DAY_MS)
      await add('revoked', 2, null)
      await add('expired', null, 2)
      const answers = ['live', 'lasting', 'revoked', 'expired', 'absent'].map((name) =>
        catalog.tenantOfKey(`${tenant}-${name}`),
      )
      assert.deepEqual(await Promise.all(answers), [tenant, tenant, null, null, null])
    },
  },
]

/** What a commit of this document writes. */
export function commitOf(tenant: string, content: string) {
  const message: CustomMessageEntry = {
    type: 'custom_message',
    id: 'entry-child',
    parentId: null,
    timestamp: '2026-01-01T00:00:00.000Z',
    customType: 'handoff',
    content,
    display: true,
    attribution: 'agent',
  }
  const meta = sessionMeta({ tenant, id: 'session-child', parentSession: 'session-a' })
  const child: Birth = { meta, entries: [message] }
  const parent = sessionMeta({ tenant, revision: 2, handedOffTo: 'session-child' })
  return { child, parent, handoff: handoffRecord({ tenant, revision: 2 }) }
}

/** The BatonError a call rejects with. */
export async function rejection(call: Promise<unknown>): Promise<Error & { code?: string }> {
  const thrown = await call.then(
    () => null,
    (error: unknown) => error,
  )
  assert.ok(thrown instanceof Error, 'it was expected to reject')
  return thrown
}

function session(meta: SessionMeta, status: SessionStatus = 'idle'): CatalogChange {
  return { kind: 'session', session: { ...meta, status } }
}
