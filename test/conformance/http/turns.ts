import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { hang, say } from '../../support/fake-provider.ts'
import type { EventReader } from '../../support/read-events.ts'
import { readEvents } from '../../support/read-events.ts'
import type { Answer, Case, World } from './world.ts'
import { TALK, call, isProblem, newSession } from './world.ts'

/** Turns as they are streamed, looked at later, left and resumed. */

const turnsOf = (id: string): string => `/v1/sessions/${id}/turns`

function stream(world: World, id: string, message: unknown): Promise<EventReader> {
  return readEvents(world, 'POST', turnsOf(id), { body: { message } })
}

/** A provider whose answers are ended by the test. */
function hold(world: World, model: string): ServerResponse[] {
  const replies: ServerResponse[] = []
  world.provider.on(model, (reply) => {
    hang(reply)
    replies.push(reply)
  })
  return replies
}

function finish(reply: ServerResponse | undefined, text: string): void {
  assert.ok(reply !== undefined)
  const choices = [{ index: 0, delta: { content: text }, finish_reason: 'stop' }]
  reply.end(`data: ${JSON.stringify({ choices })}\n\ndata: [DONE]\n\n`)
}

async function turnOver(world: World, id: string, turn: string): Promise<Answer['body']> {
  for (;;) {
    const { status, body } = await call(world, 'GET', `${turnsOf(id)}/${turn}`)
    assert.equal(status, 200, JSON.stringify(body))
    if (!['queued', 'running'].includes(body.turn.status)) return body
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}

export const TURN_CASES: readonly Case[] = [
  {
    name: 'a streamed turn tells each message from its start to its end, and one terminal event',
    async run(world) {
      const text = 'An answer of more than forty characters, so that it comes in pieces.'
      world.provider.on('told', (reply) => say(reply, text))
      const id = await newSession(world, { model: 'slow/told' })
      const reader = await stream(world, id, 'Go on')
      assert.equal(reader.response.headers.get('content-type'), 'text/event-stream')
      const events = await reader.rest()
      const types = events.map(({ type }) => type).filter((type) => type !== 'text_delta')
      assert.deepEqual(types, [
        'turn_started',
        'message_start',
        'message_end',
        'message_start',
        'message_end',
        'turn_ended',
      ])
      const ids = events.map((event) => event.id)
      assert.deepEqual(
        ids,
        ids.toSorted((a, b) => a - b),
      )
      assert.equal(new Set(ids).size, ids.length)
      const deltas = events.filter(({ type }) => type === 'text_delta')
      assert.equal(deltas.map(({ data }) => data.delta).join(''), text)
      const [said, answered] = events.filter(({ type }) => type === 'message_end')
      assert.deepEqual(said?.data.message, { role: 'user', content: 'Go on' })
      assert.deepEqual(answered?.data.message.content, [{ type: 'text', text }])
      assert.equal(events.at(-1)?.data.status, 'completed')
      const { items } = (await call(world, 'GET', `/v1/sessions/${id}/entries`)).body
      assert.equal(items.at(-1).id, answered?.data.entry)
    },
  },
  {
    name: 'a turn begun in the background is found at its Location until it is over',
    async run(world) {
      const replies = hold(world, 'later')
      const id = await newSession(world, { model: 'slow/later' })
      const headers = { prefer: 'respond-async' }
      const begun = await call(world, 'POST', turnsOf(id), { message: 'Go on' }, headers)
      assert.equal(begun.status, 202)
      assert.equal(begun.body.turn.status, 'running')
      const location = begun.headers.get('location') ?? ''
      assert.equal(location, `${turnsOf(id)}/${begun.body.turn.id}`)
      await world.provider.waitFor('later')
      finish(replies[0], ' and done')
      const { turn, messages } = await turnOver(world, id, begun.body.turn.id)
      assert.equal(turn.status, 'completed')
      assert.deepEqual(messages.at(-1).content, [{ type: 'text', text: 'so far and done' }])
      isProblem(await call(world, 'GET', `${turnsOf(id)}/turn-that-never-was`), 404, 'not_found')
    },
  },
  {
    name: 'a reader that left comes back with Last-Event-ID and gets exactly the rest; the turn went on',
    async run(world) {
      const replies = hold(world, 'cut')
      const id = await newSession(world, { model: 'slow/cut' })
      const reader = await stream(world, id, 'Go on')
      const before = await reader.until(({ type }) => type === 'text_delta')
      const last = before.at(-1)?.id ?? 0
      await reader.leave()
      finish(replies[0], ' and done')
      const again = await readEvents(world, 'GET', `/v1/sessions/${id}/events`, {
        headers: { 'last-event-id': String(last) },
      })
      const after = await again.until(({ type }) => type === 'turn_ended')
      await again.leave()
      assert.ok(after.every((event) => event.id > last))
      const deltas = [...before, ...after].filter(({ type }) => type === 'text_delta')
      assert.equal(deltas.map(({ data }) => data.delta).join(''), 'so far and done')
      // From the beginning everything is there once more.
      const all = await readEvents(world, 'GET', `/v1/sessions/${id}/events`)
      const whole = await all.until(({ type }) => type === 'turn_ended')
      await all.leave()
      const ofTurn = whole.filter(({ data }) => 'turn' in data).map((event) => event.id)
      const told = [...before, ...after].filter(({ data }) => 'turn' in data)
      assert.deepEqual(
        ofTurn,
        told.map((event) => event.id),
      )
      const bad = { headers: { 'last-event-id': 'x' } }
      const refused = await readEvents(world, 'GET', `/v1/sessions/${id}/events`, bad)
      assert.equal(refused.response.status, 422)
      await refused.leave()
    },
  },
  {
    name: 'an aborted turn keeps its partial text, lets the provider go and ends every stream once',
    async run(world) {
      hold(world, 'abort')
      const id = await newSession(world, { model: 'slow/abort' })
      const reader = await stream(world, id, 'Go on')
      await reader.until(({ type }) => type === 'text_delta')
      const { closed } = await world.provider.waitFor('abort')
      const { body } = await call(world, 'DELETE', turnsOf(id))
      assert.equal(body.cancelled, true)
      assert.equal(body.turn.status, 'cancelled')
      await closed
      const events = await reader.rest()
      assert.equal(events.filter(({ type }) => type === 'turn_ended').length, 1)
      assert.deepEqual(
        [events.at(-1)?.type, events.at(-1)?.data.status],
        ['turn_ended', 'cancelled'],
      )
      const { items } = (await call(world, 'GET', `/v1/sessions/${id}/entries`)).body
      const { message } = items.at(-1)
      assert.deepEqual(message.content, [{ type: 'text', text: 'so far' }])
      assert.equal(message.stopReason, 'aborted')
      // The end of an old turn is no end of a new one.
      world.provider.on('abort', (reply) => setTimeout(() => say(reply, 'fine'), 200))
      const next = call(world, 'POST', turnsOf(id), { message: 'Again' })
      await world.provider.waitFor('abort', 2)
      const old = await call(world, 'DELETE', `${turnsOf(id)}/${body.turn.id}`)
      assert.deepEqual(old.body, { cancelled: false })
      assert.equal((await next).body.turn.status, 'completed')
      assert.deepEqual((await call(world, 'DELETE', turnsOf(id))).body, { cancelled: false })
      // What was aborted is not sent again, but what the user said is.
      const [, second] = world.provider.requests('abort')
      assert.ok(!second?.raw.includes('so far'))
      assert.ok(second?.raw.includes('Go on'))
    },
  },
  {
    name: 'an abort takes the handoff first and the turn otherwise, and says when there was nothing (C2)',
    async run(world) {
      hold(world, 'abort-all')
      const id = await newSession(world, { model: 'slow/abort-all' })
      const abort = (body: object) => call(world, 'POST', `/v1/sessions/${id}/abort`, body)
      assert.deepEqual((await abort({})).body, { cancelled: false })
      const handoff = call(world, 'POST', `/v1/sessions/${id}/handoff`)
      await world.provider.waitFor('abort-all')
      const first = await abort({})
      assert.equal(first.body.cancelled, true)
      assert.equal(first.body.handoff.error.code, 'handoff_aborted')
      isProblem(await handoff, 409, 'handoff_aborted', 'Handoff aborted by session')
      const turn = call(world, 'POST', turnsOf(id), { message: 'Go on' })
      await world.provider.waitFor('abort-all', 2)
      const second = await abort({ reason: 'Enough' })
      assert.equal(second.body.turn.status, 'cancelled')
      assert.equal((await turn).body.turn.status, 'cancelled')
    },
  },
  {
    name: 'deleting the session ends the streams of its readers and lets the provider go',
    async run(world) {
      hold(world, 'deleted-turn')
      const id = await newSession(world, { model: 'slow/deleted-turn' })
      const reader = await stream(world, id, 'Go on')
      const events = await readEvents(world, 'GET', `/v1/sessions/${id}/events`)
      await reader.until(({ type }) => type === 'text_delta')
      const waiting = call(world, 'POST', turnsOf(id), { message: 'And then' })
      await events.until(({ type }) => type === 'queue_changed')
      const { closed } = await world.provider.waitFor('deleted-turn')
      assert.equal((await call(world, 'DELETE', `/v1/sessions/${id}`)).status, 204)
      await closed
      const [told] = await Promise.all([reader.rest(), events.rest()])
      assert.deepEqual([told.at(-1)?.type, told.at(-1)?.data.status], ['turn_ended', 'cancelled'])
      isProblem(await waiting, 404, 'not_found')
      isProblem(await call(world, 'GET', `${turnsOf(id)}/some-turn`), 404, 'not_found')
    },
  },
  {
    name: 'a turn that fails tells why in its one terminal event, and the user’s words are kept',
    async run(world) {
      world.provider.on('failing', (reply) => {
        reply.writeHead(400, { 'content-type': 'application/json' })
        reply.end(JSON.stringify({ error: { message: 'Bad thing' } }))
      })
      const id = await newSession(world, { model: 'slow/failing' })
      const events = await (await stream(world, id, 'Go on')).rest()
      const last = events.at(-1)
      assert.equal(last?.type, 'turn_ended')
      assert.equal(last?.data.status, 'failed')
      assert.equal(last?.data.error.code, 'provider_error')
      const { items } = (await call(world, 'GET', `/v1/sessions/${id}/entries`)).body
      assert.equal(items[TALK.length].message.content, 'Go on')
      assert.equal(items.at(-1).message.stopReason, 'error')
    },
  },
]
