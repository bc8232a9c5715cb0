import assert from 'node:assert/strict'
import { hang, say } from '../../support/fake-provider.ts'
import type { Answer, Case, World } from './world.ts'
import { call, newSession } from './world.ts'

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

/** They kill the server, so they run alone and last. */
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
]
