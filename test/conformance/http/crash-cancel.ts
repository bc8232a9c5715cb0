import assert from 'node:assert/strict'
import { hang, say } from '../../support/fake-provider.ts'
import type { Case } from './world.ts'
import { TALK, call, newSession } from './world.ts'

/** They kill the server, so they run alone and last. */
export const CRASH_CANCEL_CASES: readonly Case[] = [
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
    name: 'killed during a turn: the user’s message is there, the session is free and can be handed off (B23)',
    async run(world) {
      const model = 'kill-turn'
      world.provider.on(model, (reply, _request, attempt) =>
        attempt === 1 ? hang(reply) : say(reply, 'DOC'),
      )
      const id = await newSession(world, { model: `slow/${model}` })
      const lost = call(world, 'POST', `/v1/sessions/${id}/turns`, { message: 'keep me' }).catch(
        () => null,
      )
      await world.provider.waitFor(model)
      await world.server.kill()
      await lost
      await world.server.restart()
      const { body } = await call(world, 'GET', `/v1/sessions/${id}`)
      assert.equal(body.status, 'idle')
      const { items } = (await call(world, 'GET', `/v1/sessions/${id}/entries`)).body
      assert.equal(items[TALK.length].message.content, 'keep me')
      assert.equal((await call(world, 'POST', `/v1/sessions/${id}/handoff`)).status, 201)
    },
  },
]
