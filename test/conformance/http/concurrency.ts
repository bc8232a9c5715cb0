import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { answer, hang, say } from '../../support/fake-provider.ts'
import type { Answer, Case, World } from './world.ts'
import { call, isProblem, newSession } from './world.ts'

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The answers of so many equal calls at once. */
function many(count: number, one: (at: number) => Promise<Answer>): Promise<readonly Answer[]> {
  return Promise.all(Array.from({ length: count }, (_, at) => one(at)))
}

/** What users said in a session, in order. */
async function said(world: World, id: string): Promise<readonly unknown[]> {
  const { body } = await call(world, 'GET', `/v1/sessions/${id}/entries?limit=1000`)
  return body.items
    .filter((entry: { message?: { role: string } }) => entry.message?.role === 'user')
    .map((entry: { message: { content: unknown } }) => entry.message.content)
}

export const CONCURRENCY_CASES: readonly Case[] = [
  {
    name: 'turns of a session run one after another, in the order they came',
    async run(world) {
      const model = 'in-turn'
      let open = 0
      let most = 0
      world.provider.on(model, async (reply) => {
        most = Math.max(most, (open += 1))
        await pause(50)
        open -= 1
        say(reply, 'ok')
      })
      const id = await newSession(world, { model: `slow/${model}`, messages: [] })
      const turns: Promise<Answer>[] = []
      for (let at = 0; at < 5; at += 1) {
        turns.push(call(world, 'POST', `/v1/sessions/${id}/turns`, { message: `m${at}` }))
        await pause(30)
      }
      const all = await Promise.all(turns)
      assert.deepEqual(new Set(all.map(({ body }) => body.turn.status)), new Set(['completed']))
      assert.equal(most, 1)
      assert.deepEqual(await said(world, id), ['m0', 'm1', 'm2', 'm3', 'm4'])
    },
  },
  {
    name: 'several turns that wait for a handoff run in the child, in their order (G11, S3)',
    async run(world) {
      const model = 'queue-moves'
      let document: ServerResponse | null = null
      world.provider.on(model, (reply, _request, attempt) => {
        if (attempt === 1) document = reply
        else say(reply, 'ok')
      })
      const id = await newSession(world, { model: `slow/${model}` })
      const handoff = call(world, 'POST', `/v1/sessions/${id}/handoff`)
      await world.provider.waitFor(model)
      const turns: Promise<Answer>[] = []
      for (const message of ['first', 'second', 'third']) {
        turns.push(call(world, 'POST', `/v1/sessions/${id}/turns`, { message }))
        await pause(100)
      }
      assert.ok(document !== null)
      say(document, 'DOC')
      const child = (await handoff).body.newSession.id
      for (const { body } of await Promise.all(turns)) assert.equal(body.session, child)
      assert.deepEqual(await said(world, child), ['first', 'second', 'third'])
      assert.equal((await call(world, 'GET', `/v1/sessions/${id}`)).body.messageCount, 2)
    },
  },
  {
    name: 'a handoff and a turn that race agree on who was first (B10, B42)',
    async run(world) {
      for (let round = 0; round < 5; round += 1) {
        const model = `race-${round}`
        world.provider.on(model, async (reply) => {
          await pause(30)
          say(reply, 'ok')
        })
        const id = await newSession(world, { model: `slow/${model}` })
        const [handoff, turn] = await Promise.all([
          call(world, 'POST', `/v1/sessions/${id}/handoff`),
          call(world, 'POST', `/v1/sessions/${id}/turns`, { message: 'x' }),
        ])
        assert.equal(turn.status, 200, JSON.stringify(turn.body))
        if (handoff.status === 201) assert.equal(turn.body.session, handoff.body.newSession.id)
        else {
          isProblem(handoff, 409, 'session_busy')
          assert.equal(turn.body.session, id)
        }
      }
    },
  },
  {
    name: 'a failed handoff is repeated by its Idempotency-Key as it was, without asking again',
    async run(world) {
      const model = 'same-failure'
      world.provider.on(model, (reply) => answer(reply, 400, { error: { message: 'Bad thing' } }))
      const id = await newSession(world, { model: `slow/${model}` })
      const post = () =>
        call(world, 'POST', `/v1/sessions/${id}/handoff`, {}, { 'idempotency-key': 'failure' })
      const all = [...(await many(3, post)), await post()]
      for (const one of all) {
        isProblem(one, 502, 'provider_error', 'Handoff generation failed: Bad thing')
        assert.equal(one.body.providerStatus, 400)
      }
      assert.equal(world.provider.requests(model).length, 1)
    },
  },
  {
    name: 'a handoff begun in the background is joined by its Idempotency-Key',
    async run(world) {
      const model = 'join-async'
      world.provider.on(model, (reply) => setTimeout(() => say(reply, 'DOC'), 300))
      const id = await newSession(world, { model: `slow/${model}` })
      const path = `/v1/sessions/${id}/handoff`
      const key = { 'idempotency-key': 'join' }
      const begun = await call(world, 'POST', path, {}, { ...key, prefer: 'respond-async' })
      assert.equal(begun.status, 202)
      const joined = await call(world, 'POST', path, {}, key)
      assert.deepEqual([joined.status, joined.body.id], [201, begun.body.id])
      assert.equal(world.provider.requests(model).length, 1)
    },
  },
  {
    name: 'turns, entries and creations with one Idempotency-Key happen once',
    async run(world) {
      const model = 'once'
      world.provider.on(model, (reply) => setTimeout(() => say(reply, 'ok'), 100))
      const id = await newSession(world, { model: `slow/${model}` })
      const key = { 'idempotency-key': 'once' }
      const turn = () => call(world, 'POST', `/v1/sessions/${id}/turns`, { message: 'x' }, key)
      const turns = [...(await many(5, turn)), await turn()]
      for (const one of turns) assert.deepEqual([one.status, one.body], [200, turns[0]?.body])
      assert.equal(world.provider.requests(model).length, 1)
      const messages = [{ role: 'user', content: 'y' }]
      const append = () => call(world, 'POST', `/v1/sessions/${id}/entries`, { messages }, key)
      const appended = [...(await many(5, append)), await append()]
      for (const one of appended) assert.deepEqual([one.status, one.body], [201, appended[0]?.body])
      assert.equal((await call(world, 'GET', `/v1/sessions/${id}`)).body.messageCount, 5)
      isProblem(
        await call(world, 'POST', `/v1/sessions/${id}/turns`, { message: 'z' }, key),
        422,
        'idempotency_mismatch',
      )
    },
  },
  {
    name: 'a turn with an Idempotency-Key that moved to the child is not run again in the old session',
    async run(world) {
      const model = 'moved-key'
      let document: ServerResponse | null = null
      world.provider.on(model, (reply, _request, attempt) => {
        if (attempt === 1) document = reply
        else say(reply, 'ok')
      })
      const id = await newSession(world, { model: `slow/${model}` })
      const handoff = call(world, 'POST', `/v1/sessions/${id}/handoff`)
      await world.provider.waitFor(model)
      const key = { 'idempotency-key': 'moved' }
      const post = () => call(world, 'POST', `/v1/sessions/${id}/turns`, { message: 'x' }, key)
      const first = post()
      await pause(200)
      assert.ok(document !== null)
      say(document, 'DOC')
      await handoff
      const moved = await first
      assert.deepEqual((await post()).body, moved.body)
      assert.equal(world.provider.requests(model).length, 2)
    },
  },
  {
    name: 'of twenty creations with one id one succeeds and nineteen are conflicts',
    async run(world) {
      const id = `race-${Date.now()}`
      const all = await many(20, () => call(world, 'POST', '/v1/sessions', { id }))
      assert.equal(all.filter(({ status }) => status === 201).length, 1)
      for (const one of all) if (one.status !== 201) isProblem(one, 409, 'conflict')
    },
  },
  {
    name: 'deleting a session ends its handoff: the provider is let go and no child appears (C7, B11)',
    async run(world) {
      const model = 'deleted'
      world.provider.on(model, (reply) => hang(reply))
      const id = await newSession(world, { model: `slow/${model}` })
      const waiting = call(world, 'POST', `/v1/sessions/${id}/handoff`)
      const { closed } = await world.provider.waitFor(model)
      assert.equal((await call(world, 'DELETE', `/v1/sessions/${id}`)).status, 204)
      await closed
      const ended = await waiting
      assert.ok([404, 409].includes(ended.status), JSON.stringify(ended.body))
      isProblem(await call(world, 'GET', `/v1/sessions/${id}/handoff`), 404, 'not_found')
      assert.equal(world.provider.requests(model).length, 1)
    },
  },
  {
    name: 'a handoff of one session waits for no other session',
    async run(world) {
      const model = 'neighbour'
      world.provider.on(model, (reply) => hang(reply))
      const slow = await newSession(world, { model: `slow/${model}` })
      const waiting = call(world, 'POST', `/v1/sessions/${slow}/handoff`)
      await world.provider.waitFor(model)
      const ids = await Promise.all(Array.from({ length: 5 }, () => newSession(world)))
      const all = await many(5, (at) => call(world, 'POST', `/v1/sessions/${ids[at]}/handoff`))
      assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([201]))
      await call(world, 'DELETE', `/v1/sessions/${slow}/handoff`)
      await waiting
    },
  },
]
