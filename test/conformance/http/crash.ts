import assert from 'node:assert/strict'
import { answer, hang, say } from '../../support/fake-provider.ts'
import { readEvents } from '../../support/read-events.ts'
import { documentFor } from './hooks.ts'
import type { Answer, Case, World } from './world.ts'
import { TALK, call, newSession } from './world.ts'

/** The session's handoff once it has ended. */
export async function settled(world: World, id: string): Promise<Answer['body']> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const { body } = await call(world, 'GET', `/v1/sessions/${id}/handoff`)
    if (body.finishedAt) return body
    assert.ok(Date.now() < deadline, `not settled: ${JSON.stringify(body)}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** They kill the server. */
export const CRASH_CASES: readonly Case[] = [
  {
    name: 'killed while generating: the handoff is generated again by itself, with one child',
    async run(world) {
      world.provider.on('kill1', (reply, _request, attempt) =>
        attempt === 1 ? hang(reply) : say(reply, 'AGAIN'),
      )
      const id = await newSession(world, { model: 'slow/kill1' })
      const lost = call(world, 'POST', `/v1/sessions/${id}/handoff`).catch(() => null)
      await world.provider.waitFor('kill1')
      await world.server.kill()
      await lost
      await world.server.restart()
      // Nobody asks for it: the alarm of the killed process finds it.
      await world.provider.waitFor('kill1', 2)
      const handoff = await settled(world, id)
      assert.equal(handoff.status, 'completed')
      assert.equal(handoff.document, 'AGAIN')
      assert.equal((await call(world, 'GET', `/v1/sessions?parent=${id}`)).body.items.length, 1)
    },
  },
  {
    name: 'killed around the commit: one child at most, and the document is not lost once it was generated',
    async run(world) {
      for (const delay of [0, 2, 5, 10, 20]) {
        const model = `kill2-${delay}`
        world.provider.on(model, (reply) => say(reply, `DOC ${delay}`))
        const id = await newSession(world, { model: `slow/${model}` })
        const lost = call(world, 'POST', `/v1/sessions/${id}/handoff`).catch(() => null)
        await world.provider.waitFor(model)
        await new Promise((resolve) => setTimeout(resolve, delay))
        await world.server.kill()
        await lost
        await world.server.restart()
        const handoff = await settled(world, id)
        assert.equal(handoff.status, 'completed')
        const { items } = (await call(world, 'GET', `/v1/sessions?parent=${id}`)).body
        assert.deepEqual(
          items.map((item: { id: string }) => item.id),
          [handoff.newSession.id],
        )
        const child = await call(world, 'GET', `/v1/sessions/${handoff.newSession.id}/entries`)
        assert.equal(child.body.items.length, 1)
        assert.ok(child.body.items[0].content.includes(`DOC ${delay}`))
      }
    },
  },
  {
    name: 'killed right after the answer: the child is there with its document, and nobody sweeps it (P1, P2, B14, B15)',
    async run(world) {
      world.provider.on('kill4', (reply) => say(reply, 'SAFE'))
      const id = await newSession(world, { model: 'slow/kill4' })
      const { body } = await call(world, 'POST', `/v1/sessions/${id}/handoff`)
      await world.server.kill()
      await world.server.restart()
      const child = await call(world, 'GET', `/v1/sessions/${body.newSession.id}`)
      assert.deepEqual([child.status, child.body.parentSession], [200, id])
      const { items } = (await call(world, 'GET', `/v1/sessions/${child.body.id}/entries`)).body
      assert.equal(items.length, 1)
      assert.ok(items[0].content.includes('SAFE'))
      assert.equal((await call(world, 'GET', `/v1/sessions/${id}`)).body.handedOffTo, child.body.id)
    },
  },
  {
    name: 'a cancelled handoff stays cancelled when the process is killed right after, and nothing is asked again',
    async run(world) {
      const model = 'kill-cancelled'
      world.provider.on(model, (reply, _request, attempt) =>
        attempt === 1 ? hang(reply) : say(reply, 'AGAIN'),
      )
      const id = await newSession(world, { model: `slow/${model}` })
      const path = `/v1/sessions/${id}/handoff`
      const lost = call(world, 'POST', path).catch(() => null)
      await world.provider.waitFor(model)
      const { body } = await call(world, 'DELETE', path)
      assert.equal(body.cancelled, true)
      await world.server.kill()
      await lost
      await world.server.restart()
      assert.deepEqual((await call(world, 'GET', path)).body, body.handoff)
      assert.equal((await call(world, 'GET', `/v1/sessions/${id}`)).body.status, 'idle')
      assert.deepEqual((await call(world, 'GET', `/v1/sessions?parent=${id}`)).body.items, [])
      assert.equal(world.provider.requests(model).length, 1)
    },
  },
  {
    name: 'killed during a turn: the user’s message is there, a retry does not say it twice, and the session can be handed off (B23)',
    async run(world) {
      const model = 'kill-turn'
      world.provider.on(model, (reply, _request, attempt) =>
        attempt === 1 ? hang(reply) : say(reply, 'DOC'),
      )
      const id = await newSession(world, { model: `slow/${model}` })
      const key = { 'idempotency-key': 'kill-turn' }
      const turn = () =>
        call(world, 'POST', `/v1/sessions/${id}/turns`, { message: 'keep me' }, key)
      const reader = await readEvents(world, 'GET', `/v1/sessions/${id}/events`)
      const lost = turn().catch(() => null)
      await reader.until(({ type }) => type === 'text_delta')
      await world.server.kill()
      await lost
      await reader.rest().catch(() => undefined)
      await world.server.restart()
      const { body } = await call(world, 'GET', `/v1/sessions/${id}`)
      assert.equal(body.status, 'idle')
      const { items } = (await call(world, 'GET', `/v1/sessions/${id}/entries`)).body
      const [mine, partial] = items.slice(TALK.length)
      assert.equal(mine.message.content, 'keep me')
      // What was told already of the answer is kept.
      assert.deepEqual(partial.message.content, [{ type: 'text', text: 'so far' }])
      assert.equal(partial.message.stopReason, 'aborted')
      const retried = await turn()
      assert.equal(retried.status, 200)
      assert.equal(retried.body.turn.status, 'interrupted')
      assert.deepEqual(retried.body.messages, [mine.message, partial.message])
      assert.equal(world.provider.requests(model).length, 1)
      assert.equal((await call(world, 'GET', `/v1/sessions/${id}`)).body.messageCount, 4)
      assert.equal((await call(world, 'POST', `/v1/sessions/${id}/handoff`)).status, 201)
    },
  },
  {
    name: 'killed during a streamed turn: a reader comes back with Last-Event-ID and hears the end once; what waited runs',
    async run(world) {
      const model = 'kill-stream'
      world.provider.on(model, (reply, _request, attempt) =>
        attempt === 1 ? hang(reply) : say(reply, 'next'),
      )
      const id = await newSession(world, { model: `slow/${model}` })
      const path = `/v1/sessions/${id}/turns`
      const reader = await readEvents(world, 'POST', path, { body: { message: 'first' } })
      const before = await reader.until(({ type }) => type === 'text_delta')
      const last = before.at(-1)?.id ?? 0
      const prefer = { prefer: 'respond-async' }
      const waiting = await call(world, 'POST', path, { message: 'second' }, prefer)
      assert.equal(waiting.body.turn.status, 'queued')
      await world.server.kill()
      await reader.rest().catch(() => undefined)
      await world.server.restart()
      const headers = { 'last-event-id': String(last) }
      const again = await readEvents(world, 'GET', `/v1/sessions/${id}/events`, { headers })
      const second = waiting.body.turn.id
      const events = await again.until(
        ({ type, data }) => type === 'turn_ended' && data.turn === second,
      )
      await again.leave()
      assert.ok(events.every((event) => event.id > last))
      assert.deepEqual(
        events
          .filter(({ type }) => type === 'turn_ended')
          .map(({ data }) => [data.turn === second, data.status]),
        [
          [false, 'interrupted'],
          [true, 'completed'],
        ],
      )
      assert.equal(world.provider.requests(model).length, 2)
    },
  },
]

/** The same for a server of an embedding program, with the hooks of the fixtures. */
export const HOOKED_CRASH_CASES: readonly Case[] = [
  {
    name: 'killed while committing: the document is not generated again and becomes the one child by itself',
    async run(world) {
      world.provider.on('kill3', (reply) => say(reply, documentFor(world, 'kill3-hook')))
      world.provider.on('kill3-hook', (reply, _request, attempt) =>
        attempt === 1 ? undefined : answer(reply, 200, {}),
      )
      const id = await newSession(world, { model: 'slow/kill3' })
      const lost = call(world, 'POST', `/v1/sessions/${id}/handoff`).catch(() => null)
      await world.provider.waitFor('kill3-hook')
      await world.server.kill()
      await lost
      await world.server.restart()
      await world.provider.waitFor('kill3-hook', 2)
      const handoff = await settled(world, id)
      assert.equal(handoff.status, 'completed')
      assert.equal(world.provider.requests('kill3').length, 1)
      const { items } = (await call(world, 'GET', `/v1/sessions?parent=${id}`)).body
      assert.deepEqual(
        items.map((item: { id: string }) => item.id),
        [handoff.newSession.id],
      )
    },
  },
]
