import assert from 'node:assert/strict'
import { answer, say } from '../../support/fake-provider.ts'
import type { Case, World } from './world.ts'
import { call, isProblem, newSession } from './world.ts'

/** A document that makes the server's hook ask the fake provider under that name. */
export function documentFor({ provider }: World, hook: string): string {
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
]
