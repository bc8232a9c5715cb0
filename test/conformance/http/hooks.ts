import assert from 'node:assert/strict'
import { answer, say } from '../../support/fake-provider.ts'
import { settled } from './crash.ts'
import type { Case, World } from './world.ts'
import { call, isProblem, newSession } from './world.ts'

/** A document that makes the server's hook ask the fake provider under that name. */
function documentFor({ provider }: World, hook: string): string {
  return `DOC\nask http://127.0.0.1:${provider.port}/hook ${hook}`
}

/** For a server of an embedding program, with the hooks of the fixtures. */
export const HOOK_CASES: readonly Case[] = [
  {
    name: 'a veto creates nothing: 409 switch_vetoed, and the session can be handed off again (S1, B6)',
    async run(world) {
      world.provider.on('veto', (reply) => say(reply, documentFor(world, 'veto-hook')))
      world.provider.on('veto-hook', (reply) => answer(reply, 200, { cancel: true }))
      const id = await newSession(world, { model: 'slow/veto' })
      const refused = await call(world, 'POST', `/v1/sessions/${id}/handoff`)
      isProblem(refused, 409, 'switch_vetoed', 'Handoff cancelled')
      assert.deepEqual((await call(world, 'GET', `/v1/sessions?parent=${id}`)).body.items, [])
      assert.equal((await call(world, 'GET', `/v1/sessions/${id}`)).body.handedOffTo, null)
      world.provider.on('veto-hook', (reply) => answer(reply, 200, {}))
      assert.equal((await call(world, 'POST', `/v1/sessions/${id}/handoff`)).status, 201)
    },
  },
  {
    name: 'a cancel while committing is refused with 409 handoff_committing, and the handoff completes (C6)',
    async run(world) {
      let release = (): void => undefined
      world.provider.on('late', (reply) => say(reply, documentFor(world, 'late-hook')))
      world.provider.on('late-hook', (reply) => (release = () => answer(reply, 200, {})))
      const id = await newSession(world, { model: 'slow/late' })
      const waiting = call(world, 'POST', `/v1/sessions/${id}/handoff`)
      await world.provider.waitFor('late-hook')
      isProblem(
        await call(world, 'DELETE', `/v1/sessions/${id}/handoff`),
        409,
        'handoff_committing',
      )
      release()
      assert.equal((await waiting).status, 201)
    },
  },
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
