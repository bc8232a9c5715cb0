import assert from 'node:assert/strict'
import { answer, hang, say } from '../../support/fake-provider.ts'
import type { Answer, Case, World } from './world.ts'
import { TALK, call, isProblem, newSession } from './world.ts'

/** A handoff whose provider never comes to an end. */
async function begin(world: World, model: string) {
  world.provider.on(model, (reply) => hang(reply))
  const id = await newSession(world, { model: `slow/${model}` })
  const path = `/v1/sessions/${id}/handoff`
  const waiting = call(world, 'POST', path)
  const { closed } = await world.provider.waitFor(model)
  return { id, path, waiting, closed }
}

/** Nothing of a handoff that did not succeed is to be seen in the old session (I5). */
async function isUntouched(world: World, id: string): Promise<void> {
  const { body } = await call(world, 'GET', `/v1/sessions/${id}`)
  assert.deepEqual([body.status, body.handedOffTo, body.messageCount], ['idle', null, TALK.length])
  const entries = await call(world, 'GET', `/v1/sessions/${id}/entries`)
  assert.equal(entries.body.items.length, TALK.length)
  assert.deepEqual((await call(world, 'GET', `/v1/sessions?parent=${id}`)).body.items, [])
}

export const CANCEL_CASES: readonly Case[] = [
  {
    name: 'with nothing running a cancel says so, before a handoff and after one (C5)',
    async run(world) {
      const id = await newSession(world)
      const path = `/v1/sessions/${id}/handoff`
      for (const body of [undefined, {}, { reason: 'why not' }]) {
        const nothing = await call(world, 'DELETE', path, body)
        assert.deepEqual([nothing.status, nothing.body], [200, { cancelled: false }])
      }
      const made = await call(world, 'POST', path)
      assert.equal(made.status, 201)
      assert.deepEqual((await call(world, 'DELETE', path)).body, { cancelled: false })
      assert.deepEqual((await call(world, 'GET', path)).body, made.body)
    },
  },
  {
    name: 'a cancelled handoff leaves a record, no document, no child and an untouched session (I5)',
    async run(world) {
      const { id, path, waiting, closed } = await begin(world, 'cancel-record')
      const { body } = await call(world, 'DELETE', path)
      await closed
      isProblem(await waiting, 409, 'handoff_cancelled', 'Handoff cancelled')
      const { status, error, document, newSession: child, finishedAt } = body.handoff
      assert.deepEqual([status, document, child], ['cancelled', null, null])
      assert.deepEqual(error, { code: 'handoff_cancelled', detail: 'Handoff cancelled' })
      assert.match(finishedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.deepEqual((await call(world, 'GET', path)).body, body.handoff)
      assert.deepEqual(
        (await call(world, 'GET', `/v1/handoffs/${body.handoff.id}`)).body,
        body.handoff,
      )
      await isUntouched(world, id)
    },
  },
  {
    name: 'a reason reaches the waiting caller verbatim, whatever it is made of (1.5, C3)',
    async run(world) {
      const reasons = ['<b>"no" & \\ \n\t’</b> 😀', ' ', 'Handoff cancelled', 'r'.repeat(8000)]
      for (const [at, reason] of reasons.entries()) {
        const { id, path, waiting, closed } = await begin(world, `cancel-reason-${at}`)
        const { body } = await call(world, 'DELETE', path, { reason })
        await closed
        assert.deepEqual(body.handoff.error, { code: 'handoff_aborted', detail: reason })
        isProblem(await waiting, 409, 'handoff_aborted', reason)
        await isUntouched(world, id)
      }
    },
  },
  {
    name: 'a provider that has not begun to answer is let go as well (C3, B34)',
    async run(world) {
      const model = 'cancel-mute'
      world.provider.on(model, () => undefined)
      const id = await newSession(world, { model: `slow/${model}` })
      const waiting = call(world, 'POST', `/v1/sessions/${id}/handoff`)
      const { closed } = await world.provider.waitFor(model)
      const { body } = await call(world, 'DELETE', `/v1/sessions/${id}/handoff`)
      assert.equal(body.cancelled, true)
      await closed
      isProblem(await waiting, 409, 'handoff_cancelled', 'Handoff cancelled')
      await isUntouched(world, id)
    },
  },
  {
    name: 'a cancel ends the wait between two attempts, and there is no second one (R2)',
    async run(world) {
      const model = 'cancel-retry'
      const overloaded = { error: { message: 'Overloaded' } }
      world.provider.on(model, (reply) => answer(reply, 529, overloaded, { 'retry-after': '20' }))
      const id = await newSession(world, { model: `slow/${model}` })
      const waiting = call(world, 'POST', `/v1/sessions/${id}/handoff`)
      await (
        await world.provider.waitFor(model)
      ).closed
      await new Promise((resolve) => setTimeout(resolve, 200))
      const begun = Date.now()
      const { body } = await call(world, 'DELETE', `/v1/sessions/${id}/handoff`)
      assert.equal(body.cancelled, true)
      assert.ok(Date.now() - begun < 5000, 'a cancel does not wait for the next attempt')
      isProblem(await waiting, 409, 'handoff_cancelled', 'Handoff cancelled')
      assert.equal(world.provider.requests(model).length, 1)
    },
  },
  {
    name: 'of ten cancels at once the first reason wins, and all tell the same end',
    async run(world) {
      const { id, path, waiting, closed } = await begin(world, 'cancel-ten')
      const all: readonly Answer[] = await Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          call(world, 'DELETE', path, { reason: `reason ${at}` }),
        ),
      )
      await closed
      assert.ok(all.every(({ status }) => status === 200))
      const cancelled = all.filter(({ body }) => body.cancelled)
      assert.ok(cancelled.length > 0)
      const ended = await waiting
      isProblem(ended, 409, 'handoff_aborted')
      for (const { body } of cancelled) assert.equal(body.handoff.error.detail, ended.body.detail)
      await isUntouched(world, id)
    },
  },
  {
    name: 'a stream ends with one terminal event: cancelled without a reason, failed with one',
    async run(world) {
      for (const [model, body, terminal, detail] of [
        ['cancel-sse-1', undefined, 'handoff_cancelled', 'Handoff cancelled'],
        ['cancel-sse-2', { reason: 'Enough' }, 'handoff_failed', 'Enough'],
      ] as const) {
        world.provider.on(model, (reply) => hang(reply))
        const id = await newSession(world, { model: `slow/${model}` })
        const path = `/v1/sessions/${id}/handoff`
        const stream = call(world, 'POST', path, {}, { accept: 'text/event-stream' })
        await world.provider.waitFor(model)
        await call(world, 'DELETE', path, body)
        const frames = ((await stream).body as string)
          .split('\n\n')
          .filter((frame) => frame.startsWith('id:'))
        const events = frames.map((frame) => /^event: (\w+)$/m.exec(frame)?.[1])
        const ends = events.filter((event) => /_(completed|cancelled|failed)$/.test(event ?? ''))
        assert.deepEqual([ends, events.at(-1)], [[terminal], terminal])
        assert.ok(frames.at(-1)?.includes(JSON.stringify(detail)))
      }
    },
  },
  {
    name: 'a client that goes away cancels nothing',
    async run(world) {
      const model = 'cancel-gone'
      let release = (): void => undefined
      world.provider.on(model, (reply) => {
        release = () => say(reply, 'DOC')
      })
      const id = await newSession(world, { model: `slow/${model}` })
      const path = `/v1/sessions/${id}/handoff`
      const leaving = new AbortController()
      const lost = fetch(`${world.server.baseUrl}${path}`, {
        method: 'POST',
        signal: leaving.signal,
      }).catch(() => null)
      await world.provider.waitFor(model)
      leaving.abort()
      await lost
      await new Promise((resolve) => setTimeout(resolve, 300))
      assert.equal((await call(world, 'GET', path)).body.status, 'generating')
      release()
      for (const deadline = Date.now() + 10_000; ;) {
        const { body } = await call(world, 'GET', path)
        if (body.status === 'completed') return assert.equal(body.document, 'DOC')
        assert.ok(Date.now() < deadline, JSON.stringify(body))
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
  },
  {
    name: 'a cancel that is not well formed is refused, and the handoff goes on',
    async run(world) {
      const { path, waiting, closed } = await begin(world, 'cancel-bad')
      for (const body of [{ reason: 1 }, { reason: null }, { reason: ['x'] }, { why: 'x' }, []]) {
        isProblem(await call(world, 'DELETE', path, body), 422, 'invalid')
      }
      isProblem(await call(world, 'DELETE', path, { reason: 'r'.repeat(8001) }), 422, 'invalid')
      isProblem(await call(world, 'DELETE', path, '{"reason":"\\udc00"}'), 422, 'invalid')
      isProblem(await call(world, 'DELETE', path, '{"reason"'), 400, 'bad_request')
      isProblem(await call(world, 'DELETE', `${path}?because=x`), 422, 'invalid')
      assert.equal((await call(world, 'GET', path)).body.status, 'generating')
      assert.equal((await call(world, 'DELETE', path)).body.cancelled, true)
      await closed
      isProblem(await waiting, 409, 'handoff_cancelled', 'Handoff cancelled')
    },
  },
]
