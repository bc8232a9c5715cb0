import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { header, toFile, userLine } from '../fixtures/session-files.ts'
import { call, newSession } from '../conformance/http/world.ts'
import { startBundledWorld } from '../support/bundled-world.ts'

/** What objects leave in their storage, looked at in the files that workerd keeps. */

let world: Awaited<ReturnType<typeof startBundledWorld>>

beforeAll(async () => {
  world = await startBundledWorld()
}, 90_000)
afterAll(() => world.stop())

test('an id that nobody has leaves no table, whatever is asked of it', async () => {
  const path = '/v1/sessions/nobody-0001'
  for (const [method, end, body] of [
    ['GET', '', undefined],
    ['GET', '/entries', undefined],
    ['GET', '/context', undefined],
    ['GET', '/export', undefined],
    ['GET', '/lineage', undefined],
    ['GET', '/handoff', undefined],
    ['PATCH', '', { title: 'x' }],
    ['POST', '/entries', { messages: [{ role: 'user', content: 'x' }] }],
    ['POST', '/turns', { message: 'x' }],
    ['POST', '/handoff', {}],
    ['DELETE', '/handoff', undefined],
    ['DELETE', '', undefined],
  ] as const) {
    const key: Record<string, string> = method === 'POST' ? { 'idempotency-key': 'k' } : {}
    const { status } = await call(world, method, `${path}${end}`, body, key)
    expect(status, `${method} ${end}`).toBe(404)
  }
  expect(tables()).toEqual([[]])
})

test('what was refused, imported in vain or deleted leaves no table; what lives has some', async () => {
  const nobody = { parentSession: 'nobody-0001' }
  expect((await call(world, 'POST', '/v1/sessions', nobody)).status).toBe(422)
  const cut = toFile([header(), userLine('a', null, 'x'.repeat(100_000))]).slice(0, 50)
  const ndjson = { 'content-type': 'application/x-ndjson' }
  expect((await call(world, 'POST', '/v1/sessions/import', cut, ndjson)).status).toBe(422)
  const id = await newSession(world)
  expect((await call(world, 'DELETE', `/v1/sessions/${id}`)).status).toBe(204)
  expect(tables().flat()).toEqual([])
  await newSession(world)
  expect(tables().filter((names) => names.length > 0)).toHaveLength(1)
})

/** Names of our tables, a list for each object that ever woke. */
function tables(): readonly (readonly string[])[] {
  return readdirSync(world.server.folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\bdo\b.*\/[0-9a-f]{64}\.sqlite$/.test(path))
    .map((path) => {
      const database = new DatabaseSync(join(world.server.folder, path), { readOnly: true })
      try {
        return database
          .prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`)
          .all()
          .map(({ name }) => String(name))
          .filter((name) => !/^(_cf_|__miniflare|sqlite_)/.test(name))
      } finally {
        database.close()
      }
    })
}
