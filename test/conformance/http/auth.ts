import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { TestServer } from '../../support/start-server.ts'
import { say } from '../../support/fake-provider.ts'
import type { Case, World } from './world.ts'
import { TALK, call, isProblem } from './world.ts'

const root = join(import.meta.dirname, '../../..')

/** Runs `npm run keys -- …` against the data of a running server. */
function keys({ server }: World, args: readonly string[]): string {
  const place =
    server.kind === 'deno' ? ['--database', databaseOf(server)] : ['--persist-to', server.folder]
  const { status, stdout, stderr } = spawnSync(
    join(root, 'node_modules/.bin/node'),
    [join(root, 'src/cli/keys.ts'), ...args, ...place],
    { encoding: 'utf8' },
  )
  assert.equal(status, 0, stderr)
  return stdout
}

function databaseOf(server: TestServer): string {
  return join(server.folder, 'baton.sqlite')
}

function createKey(
  world: World,
  tenant: string,
): { id: string; headers: { authorization: string } } {
  const key = /bat_([0-9a-f]{12})_\w+/.exec(keys(world, ['create', tenant]))
  assert.ok(key?.[1])
  return { id: key[1], headers: { authorization: `Bearer ${key[0]}` } }
}

/** For a server with AUTH=keys. */
export const AUTH_CASES: readonly Case[] = [
  {
    name: 'without a valid key every call is the same 401, and only the service’s own pages answer',
    async run(world) {
      const { headers } = createKey(world, 'team-a')
      const key = headers.authorization.slice('Bearer '.length)
      const wrong: readonly Record<string, string>[] = [
        {},
        { authorization: '' },
        { authorization: 'Bearer' },
        { authorization: `Basic ${key}` },
        { authorization: `Bearer ${key}x` },
        { 'x-api-key': key },
      ]
      for (const header of wrong) {
        const answer = await call(world, 'GET', '/v1/sessions', undefined, header)
        isProblem(answer, 401, 'unauthorized')
        assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
      }
      isProblem(
        await call(world, 'GET', `/v1/sessions?key=${key}&access_token=${key}`),
        401,
        'unauthorized',
      )
      isProblem(await call(world, 'POST', '/v1/sessions', {}), 401, 'unauthorized')
      assert.equal((await call(world, 'GET', '/v1/sessions', undefined, headers)).status, 200)
      for (const path of ['/healthz', '/openapi.json', '/docs']) {
        assert.equal((await call(world, 'GET', path)).status, 200)
      }
    },
  },
  {
    name: 'a tenant sees nothing of another one, not even that it exists',
    async run(world) {
      const a = createKey(world, 'team-a').headers
      const b = createKey(world, 'team-b').headers
      world.provider.on('tenants', (reply) => say(reply, 'CANARY'))
      const made = await call(
        world,
        'POST',
        '/v1/sessions',
        { model: 'fake/tenants', messages: TALK },
        a,
      )
      const { id } = made.body
      const handoff = await call(world, 'POST', `/v1/sessions/${id}/handoff`, {}, a)
      assert.equal(handoff.status, 201)
      const missing = await call(world, 'GET', '/v1/sessions/nobody-here-at-all', undefined, b)
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['PATCH', '', {}],
        ['DELETE', '', undefined],
        ['GET', '/entries', undefined],
        ['POST', '/entries', { messages: TALK }],
        ['GET', '/context', undefined],
        ['GET', '/export', undefined],
        ['GET', '/lineage', undefined],
        ['POST', '/handoff', {}],
        ['GET', '/handoff', undefined],
        ['DELETE', '/handoff', undefined],
        ['POST', '/turns', { message: 'x' }],
      ] as const) {
        const answer = await call(world, method, `/v1/sessions/${id}${path}`, body, b)
        isProblem(answer, 404, 'not_found')
        assert.deepEqual(answer.body, missing.body)
      }
      isProblem(
        await call(world, 'GET', `/v1/handoffs/${handoff.body.id}`, undefined, b),
        404,
        'not_found',
      )
      isProblem(await call(world, 'POST', '/v1/sessions', { parentSession: id }, b), 422, 'invalid')
      assert.deepEqual((await call(world, 'GET', '/v1/sessions', undefined, b)).body.items, [])
      assert.equal(
        (await call(world, 'POST', '/v1/sessions', { id }, b)).status,
        201,
        'ids are per tenant',
      )
      assert.equal(
        (await call(world, 'GET', `/v1/sessions/${id}`, undefined, a)).body.messageCount,
        2,
      )
    },
  },
  {
    name: 'a revoked key is refused at once',
    async run(world) {
      const { id, headers } = createKey(world, 'team-c')
      assert.equal((await call(world, 'GET', '/v1/sessions', undefined, headers)).status, 200)
      keys(world, ['revoke', id])
      isProblem(await call(world, 'GET', '/v1/sessions', undefined, headers), 401, 'unauthorized')
    },
  },
]
