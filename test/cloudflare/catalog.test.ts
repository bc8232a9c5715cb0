import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import { createD1Catalog } from '../../src/cloudflare/d1-catalog.ts'
import type { CatalogWorld } from '../conformance/catalog.ts'
import { catalogSuite, commitOf, rejection } from '../conformance/catalog.ts'
import { sessionMeta } from '../conformance/material.ts'

beforeAll(() => applyD1Migrations(env.CATALOG, env.MIGRATIONS))

for (const [at, { name, run }] of catalogSuite.entries()) {
  test(name, () => run(() => world(`tenant-${at}`)))
}

test('a commit is tried again when D1 lost it, before as well as after it was written', async () => {
  for (const when of ['before', 'after'] as const) {
    const d1 = failing(env.CATALOG, 2, when, 'D1_ERROR: Network connection lost.')
    const commit = commitOf(`lost-${when}`, 'words')
    const catalog = createD1Catalog(d1.database)
    await catalog.commit(commit)
    expect(d1.calls()).toBe(3)
    expect(await catalog.birth(`lost-${when}`, 'session-child')).toEqual(commit.child)
  }
})

test('after three repetitions the catalog is unavailable, and the write is not there', async () => {
  const text = 'D1_ERROR: Internal error in D1 storage caused object to be reset.'
  const d1 = failing(env.CATALOG, 9, 'before', text)
  const failure = await rejection(createD1Catalog(d1.database).commit(commitOf('never', 'words')))
  expect(failure.code).toBe('unavailable')
  expect(d1.calls()).toBe(4)
  expect(await createD1Catalog(env.CATALOG).session('never', 'session-child')).toBeNull()
})

test('another error is not repeated, and shows neither SQL nor values', async () => {
  const d1 = failing(env.CATALOG, 9, 'before', 'D1_ERROR: no such column: hunter2: SQLITE_ERROR')
  const session = { ...sessionMeta({ tenant: 'hunter2' }), status: 'idle' as const }
  const told = createD1Catalog(d1.database).apply([{ kind: 'session', session }])
  const failure = await rejection(told)
  expect(failure.code).toBe('unavailable')
  expect(d1.calls()).toBe(1)
  expect(JSON.stringify([failure.message, failure.stack, failure.cause])).not.toContain('hunter2')
})

test('a single query that fails says nothing of its parameters', async () => {
  const catalog = createD1Catalog({
    prepare: () => {
      throw new Error('D1_ERROR: no such table: sessions')
    },
  } as unknown as D1Database)
  const failure = await rejection(catalog.session('tenant-hunter2', 'session-a'))
  expect(failure.code).toBe('unavailable')
  expect(JSON.stringify([failure.message, failure.cause])).not.toContain('hunter2')
})

function world(tenant: string): CatalogWorld {
  return {
    catalog: createD1Catalog(env.CATALOG),
    tenant,
    sql: (query, ...params) =>
      env.CATALOG.prepare(query)
        .bind(...params)
        .run(),
  }
}

/** The real database whose first `times` batches fail, before or after they were carried out. */
function failing(real: D1Database, times: number, when: 'before' | 'after', text: string) {
  let calls = 0
  const database = new Proxy(real, {
    get(target, name) {
      if (name !== 'batch') return Reflect.get(target, name).bind(target)
      return async (statements: D1PreparedStatement[]) => {
        calls += 1
        if (calls > times) return target.batch(statements)
        if (when === 'after') await target.batch(statements)
        throw new Error(text)
      }
    },
  })
  return { database, calls: () => calls }
}
