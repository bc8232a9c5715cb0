import assert from 'node:assert/strict'
import { say } from '../../support/fake-provider.ts'
import { readEvents } from '../../support/read-events.ts'
import type { Case } from './world.ts'
import { call, isProblem, newSession } from './world.ts'

export const COMMAND_CASES: readonly Case[] = [
  {
    name: 'the commands are listed with what follows them',
    async run(world) {
      const { status, body } = await call(world, 'GET', '/v1/commands')
      assert.equal(status, 200)
      assert.deepEqual(body[0], {
        name: 'handoff',
        description: 'Hand off session context to a new session',
        hint: '[focus instructions]',
      })
    },
  },
  {
    name: 'a typed handoff has the guards, the focus and the answers of the call',
    async run(world) {
      const empty = await newSession(world, { messages: [] })
      const path = (id: string) => `/v1/sessions/${id}/commands`
      isProblem(
        await call(world, 'POST', path(empty), { text: '/handoff' }),
        409,
        'nothing_to_hand_off',
        'Nothing to hand off (no messages yet)',
      )
      world.provider.on('typed', (reply) => say(reply, 'DOC'))
      const id = await newSession(world, { model: 'slow/typed' })
      const key = { 'idempotency-key': 'typed' }
      const text = ' /handoff  the tests\nand the docs '
      const done = await call(world, 'POST', path(id), { text }, key)
      assert.equal(done.status, 201)
      assert.equal(done.body.focus, 'the tests\nand the docs')
      assert.equal(done.headers.get('location'), `/v1/sessions/${done.body.newSession.id}`)
      assert.deepEqual((await call(world, 'POST', path(id), { text }, key)).body, done.body)
      assert.equal(world.provider.requests('typed').length, 1)
      const later = { prefer: 'respond-async' }
      const begun = await call(world, 'POST', path(id), { text: '/handoff' }, later)
      assert.deepEqual([begun.status, begun.body.focus], [202, null])
      await world.provider.waitFor('typed', 2)
      for (;;) {
        const { body } = await call(world, 'GET', `/v1/handoffs/${begun.body.id}`)
        if (body.finishedAt !== null) break
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      const reader = await readEvents(world, 'POST', path(id), { body: { text: '/handoff' } })
      const events = await reader.rest()
      assert.deepEqual(
        [events[0]?.type, events.at(-1)?.type],
        ['handoff_started', 'handoff_completed'],
      )
    },
  },
  {
    name: 'what is no command is refused, and runs nothing',
    async run(world) {
      const id = await newSession(world)
      for (const text of ['', 'handoff', '/nothing', '/handoffs', '/etc/hosts', '/Handoff']) {
        const answer = await call(world, 'POST', `/v1/sessions/${id}/commands`, { text })
        isProblem(answer, 422, 'invalid')
      }
      const long = { text: `/handoff ${'x'.repeat(8_001)}` }
      isProblem(await call(world, 'POST', `/v1/sessions/${id}/commands`, long), 422, 'invalid')
      assert.equal((await call(world, 'GET', `/v1/sessions/${id}`)).body.handedOffTo, null)
    },
  },
]
