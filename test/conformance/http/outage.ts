import assert from 'node:assert/strict'
import { say } from '../../support/fake-provider.ts'
import { lockDatabase } from '../../support/lock-database.ts'
import { settled } from './crash.ts'
import type { Case, World } from './world.ts'
import { call, isProblem, newSession } from './world.ts'

async function childrenOf(world: World, id: string): Promise<readonly string[]> {
  const { items } = (await call(world, 'GET', `/v1/sessions?parent=${id}`)).body
  return items.map((item: { id: string }) => item.id)
}

/** For a runtime whose catalog can be away while sessions live: the lock is D1's alone. */
export const CATALOG_AWAY_CASES: readonly Case[] = [
  {
    name: 'the catalog away at the commit: 503 commit_pending, the document is kept, and the child comes by itself',
    async run(world) {
      world.provider.on('away', (reply) => say(reply, 'KEPT'))
      const id = await newSession(world, { model: 'slow/away' })
      const path = `/v1/sessions/${id}/handoff`
      const unlock = lockDatabase(world.server)
      try {
        const pending = await call(world, 'POST', path)
        isProblem(pending, 503, 'commit_pending')
        const { body } = await call(world, 'GET', path)
        assert.equal(pending.headers.get('location'), `/v1/handoffs/${body.id}`)
        assert.deepEqual(
          [body.status, body.document, body.newSession],
          ['committing', 'KEPT', null],
        )
        isProblem(await call(world, 'DELETE', path), 409, 'handoff_committing')
        const again = await call(world, 'POST', path)
        isProblem(again, 409, 'handoff_in_progress', 'Handoff generation is already in progress.')
      } finally {
        unlock()
      }
      const done = await settled(world, id)
      assert.equal(done.status, 'completed')
      assert.deepEqual(await childrenOf(world, id), [done.newSession.id])
      assert.equal(world.provider.requests('away').length, 1)
    },
  },
  {
    name: 'the catalog away: sessions are made, talked to and read, lists are 503; the catalog hears of it later',
    async run(world) {
      world.provider.on('away2', (reply) => say(reply, 'HELLO'))
      const unlock = lockDatabase(world.server)
      let id: string
      try {
        id = await newSession(world, { model: 'slow/away2' })
        const turn = await call(world, 'POST', `/v1/sessions/${id}/turns`, { message: 'hi' })
        assert.equal(turn.body.turn.status, 'completed')
        assert.equal((await call(world, 'GET', `/v1/sessions/${id}`)).body.messageCount, 4)
        isProblem(await call(world, 'GET', '/v1/sessions'), 503, 'unavailable')
      } finally {
        unlock()
      }
      const deadline = Date.now() + 30_000
      for (;;) {
        const { items } = (await call(world, 'GET', '/v1/sessions?limit=1')).body
        if (items[0]?.id === id && items[0].messageCount === 4) break
        assert.ok(Date.now() < deadline, JSON.stringify(items))
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    },
  },
]

/** For a runtime with one file: the lock stops every write, and reading goes on. */
export const FILE_LOCKED_CASES: readonly Case[] = [
  {
    name: 'a locked file is 503 for what would be written, which can be tried again; reading goes on',
    async run(world) {
      const id = await newSession(world)
      const path = `/v1/sessions/${id}/entries`
      const body = { messages: [{ role: 'user', content: 'x' }] }
      const unlock = lockDatabase(world.server)
      try {
        isProblem(await call(world, 'POST', path, body), 503, 'unavailable')
        assert.equal((await call(world, 'GET', path)).body.items.length, 2)
      } finally {
        unlock()
      }
      assert.equal((await call(world, 'POST', path, body)).status, 201)
      assert.equal((await call(world, 'GET', path)).body.items.length, 3)
    },
  },
  {
    name: 'a file locked while a document is written: it is generated again, with one child',
    async run(world) {
      let release = (): void => undefined
      world.provider.on('locked', (reply, _request, attempt) => {
        if (attempt === 1) release = () => say(reply, 'LOST')
        else say(reply, 'AGAIN')
      })
      const id = await newSession(world, { model: 'slow/locked' })
      const waiting = call(world, 'POST', `/v1/sessions/${id}/handoff`)
      await world.provider.waitFor('locked')
      const unlock = lockDatabase(world.server)
      release()
      const told = await waiting
      unlock()
      isProblem(told, 503, 'unavailable')
      const done = await settled(world, id)
      assert.deepEqual([done.status, done.document], ['completed', 'AGAIN'])
      assert.equal(told.headers.get('location'), `/v1/handoffs/${done.id}`)
      assert.deepEqual(await childrenOf(world, id), [done.newSession.id])
    },
  },
]
