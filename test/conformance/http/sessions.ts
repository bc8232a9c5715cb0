import assert from 'node:assert/strict'
import { say } from '../../support/fake-provider.ts'
import type { Case } from './world.ts'
import { TALK, call, isProblem, newSession } from './world.ts'

export const SESSION_CASES: readonly Case[] = [
  {
    name: 'a session is created, read, changed, listed and deleted',
    async run(world) {
      const id = `chosen-${Date.now()}`
      const made = await call(world, 'POST', '/v1/sessions', { id, title: 'T', messages: TALK })
      assert.equal(made.status, 201)
      assert.equal(made.headers.get('location'), `/v1/sessions/${id}`)
      assert.deepEqual((await call(world, 'GET', `/v1/sessions/${id}`)).body, made.body)
      isProblem(await call(world, 'POST', '/v1/sessions', { id }), 409, 'conflict')
      const patched = await call(world, 'PATCH', `/v1/sessions/${id}`, {
        title: null,
        model: 'fake/x',
        systemPrompt: 'P',
      })
      assert.deepEqual(
        [patched.body.title, patched.body.model, patched.body.systemPrompt],
        [null, 'fake/x', ['P']],
      )
      const list = await call(world, 'GET', '/v1/sessions?limit=1')
      assert.equal(list.body.items.length, 1)
      assert.equal(list.body.items[0].id, id)
      assert.equal(list.body.items[0].model, 'fake/x')
      const next = await call(
        world,
        'GET',
        `/v1/sessions?limit=100&cursor=${list.body.nextCursor ?? ''}`,
      )
      if (list.body.nextCursor !== null)
        assert.ok(!next.body.items.some((item: { id: string }) => item.id === id))
      assert.equal((await call(world, 'DELETE', `/v1/sessions/${id}`)).status, 204)
      isProblem(await call(world, 'GET', `/v1/sessions/${id}`), 404, 'not_found')
      isProblem(await call(world, 'DELETE', `/v1/sessions/${id}`), 404, 'not_found')
      assert.equal((await call(world, 'POST', '/v1/sessions', { id })).status, 201)
      assert.equal((await call(world, 'GET', `/v1/sessions/${id}`)).body.messageCount, 0)
    },
  },
  {
    name: 'appended messages get ids and seq, and come back page by page',
    async run(world) {
      const id = await newSession(world)
      const messages = Array.from({ length: 5 }, (_, at) => ({ role: 'user', content: `m${at}` }))
      const made = await call(world, 'POST', `/v1/sessions/${id}/entries`, { messages })
      assert.equal(made.status, 201)
      assert.deepEqual(
        made.body.entries.map((entry: { seq: number }) => entry.seq),
        [3, 4, 5, 6, 7],
      )
      const page = await call(world, 'GET', `/v1/sessions/${id}/entries?limit=3`)
      assert.equal(page.body.items.length, 3)
      const rest = await call(
        world,
        'GET',
        `/v1/sessions/${id}/entries?after=${page.body.nextCursor}`,
      )
      assert.deepEqual(
        rest.body.items.map((entry: { seq: number }) => entry.seq),
        [4, 5, 6, 7],
      )
      assert.equal(rest.body.nextCursor, null)
      assert.equal((await call(world, 'GET', `/v1/sessions/${id}`)).body.messageCount, 7)
    },
  },
  {
    name: 'a creation with an Idempotency-Key happens once',
    async run(world) {
      const headers = { 'idempotency-key': `create-${Date.now()}` }
      const all = await Promise.all(
        Array.from({ length: 5 }, () =>
          call(world, 'POST', '/v1/sessions', { title: 'once' }, headers),
        ),
      )
      assert.deepEqual(
        all.map(({ status }) => status),
        [201, 201, 201, 201, 201],
      )
      assert.equal(new Set(all.map(({ body }) => body.id)).size, 1)
      isProblem(
        await call(world, 'POST', '/v1/sessions', { title: 'other' }, headers),
        422,
        'idempotency_mismatch',
      )
    },
  },
  {
    name: 'a chain of three knows its ancestors and descendants',
    async run(world) {
      const a = await newSession(world)
      const b = await newSession(world, { parentSession: a })
      const c = await newSession(world, { parentSession: b })
      const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id)
      const middle = (await call(world, 'GET', `/v1/sessions/${b}/lineage`)).body
      assert.deepEqual([ids(middle.ancestors), ids(middle.descendants)], [[a], [c]])
      assert.deepEqual(
        ids((await call(world, 'GET', `/v1/sessions/${c}/lineage`)).body.ancestors),
        [b, a],
      )
      assert.deepEqual(
        ids((await call(world, 'GET', `/v1/sessions/${a}/lineage`)).body.descendants),
        [b, c],
      )
      isProblem(
        await call(world, 'POST', '/v1/sessions', { parentSession: 'nobody-here' }),
        422,
        'invalid',
      )
    },
  },
  {
    name: 'a list and a lineage tell what a session is doing, as the session itself does',
    async run(world) {
      let release = (): void => undefined
      world.provider.on('status', (reply) => (release = () => say(reply, 'DONE')))
      const parent = await newSession(world)
      const id = await newSession(world, { model: 'slow/status', parentSession: parent })
      const told = async (status: string) => {
        const deadline = Date.now() + 10_000
        for (;;) {
          const own = (await call(world, 'GET', `/v1/sessions/${id}`)).body.status
          const list = (await call(world, 'GET', `/v1/sessions?parent=${parent}`)).body.items
          const lineage = (await call(world, 'GET', `/v1/sessions/${parent}/lineage`)).body
          const all = [own, list[0].status, lineage.descendants[0].status]
          if (all.every((one) => one === status)) return
          assert.ok(Date.now() < deadline, `${status}: ${all.join()}`)
        }
      }
      for (const [path, body, status] of [
        ['turns', { message: 'hi' }, 'running'],
        ['handoff', {}, 'handing_off'],
      ] as const) {
        await told('idle')
        const waiting = call(world, 'POST', `/v1/sessions/${id}/${path}`, body)
        await world.provider.waitFor('status', status === 'running' ? 1 : 2)
        await told(status)
        release()
        await waiting
      }
      await told('idle')
      const cancelled = call(world, 'POST', `/v1/sessions/${id}/handoff`)
      await world.provider.waitFor('status', 3)
      await told('handing_off')
      await call(world, 'DELETE', `/v1/sessions/${id}/handoff`)
      await cancelled
      await told('idle')
    },
  },
  {
    name: 'a change that changes nothing leaves no trace, not even a time',
    async run(world) {
      const id = await newSession(world, { title: 'Same', tools: [{ name: 'a', parameters: {} }] })
      const before = (await call(world, 'GET', `/v1/sessions/${id}`)).body
      await new Promise((resolve) => setTimeout(resolve, 5))
      for (const change of [{}, { title: 'Same' }, { tools: before.tools, mode: before.mode }]) {
        const { status, body } = await call(world, 'PATCH', `/v1/sessions/${id}`, change)
        assert.deepEqual([status, body], [200, before])
      }
      const { items } = (await call(world, 'GET', `/v1/sessions/${id}/entries`)).body
      assert.equal(items.length, 2)
    },
  },
  {
    name: 'a key whose session was deleted does not bring it back',
    async run(world) {
      const key = { 'idempotency-key': `deleted-${Date.now()}` }
      const first = await call(world, 'POST', '/v1/sessions', { title: 'once' }, key)
      await call(world, 'DELETE', `/v1/sessions/${first.body.id}`)
      const late = await call(world, 'POST', '/v1/sessions', { title: 'once' }, key)
      isProblem(late, 409, 'conflict')
      isProblem(await call(world, 'GET', `/v1/sessions/${first.body.id}`), 404, 'not_found')
    },
  },
  {
    name: 'a failing turn keeps the user’s message and says why',
    async run(world) {
      world.provider.on('t1', (reply) => reply.writeHead(400).end('{"error":{"message":"No"}}'))
      const id = await newSession(world, { model: 'fake/t1' })
      const turn = await call(world, 'POST', `/v1/sessions/${id}/turns`, { message: 'x' })
      assert.equal(turn.status, 200)
      assert.equal(turn.body.turn.status, 'failed')
      assert.equal(turn.body.error.code, 'provider_error')
      assert.equal(turn.body.messages.at(-1).stopReason, 'error')
      assert.equal((await call(world, 'GET', `/v1/sessions/${id}`)).body.messageCount, 4)
    },
  },
]
