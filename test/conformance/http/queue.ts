import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { say } from '../../support/fake-provider.ts'
import { readEvents } from '../../support/read-events.ts'
import type { Answer, Case, World } from './world.ts'
import { call, isProblem, newSession } from './world.ts'

/** What waits: for a turn, for a handoff, for the results of the client's tools. */

const turnsOf = (id: string): string => `/v1/sessions/${id}/turns`
const take = (world: World, id: string, body: object): Promise<Answer> =>
  call(world, 'POST', turnsOf(id), body)

/** The queue once it has that many. */
async function queueOf(world: World, id: string, length: number): Promise<Answer['body'][]> {
  for (;;) {
    const { body } = await call(world, 'GET', `/v1/sessions/${id}/queue`)
    if (body.items.length === length) return body.items
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** A provider that answers when the test says so. */
function hold(world: World, model: string): ServerResponse[] {
  const replies: ServerResponse[] = []
  world.provider.on(model, (reply) => replies.push(reply))
  return replies
}

/** What users said in a session, in order. */
async function said(world: World, id: string): Promise<readonly unknown[]> {
  const { body } = await call(world, 'GET', `/v1/sessions/${id}/context`)
  return body.messages
    .filter(({ role }: { role: string }) => role === 'user')
    .map(({ content }: { content: unknown }) => content)
}

const weather = (id: string) => ({
  index: 0,
  id,
  type: 'function',
  function: { name: 'weather', arguments: '{"city":"Bern"}' },
})
const TOOLS = [{ name: 'weather', parameters: { type: 'object', properties: {} } }]
const result = (toolCallId: string, text: string) => ({
  role: 'toolResult',
  toolCallId,
  toolName: 'weather',
  content: [{ type: 'text', text }],
  isError: false,
})

export const QUEUE_CASES: readonly Case[] = [
  {
    name: 'whoever does not want to wait is refused, whoever waits is listed, and what is removed never runs',
    async run(world) {
      const [model, replies] = ['waits', hold(world, 'waits')]
      const id = await newSession(world, { model: `slow/${model}`, messages: [] })
      const first = take(world, id, { message: 'one' })
      await world.provider.waitFor(model)
      isProblem(await take(world, id, { message: 'no', whenBusy: 'reject' }), 409, 'session_busy')
      const second = take(world, id, { message: 'two' })
      await queueOf(world, id, 1)
      const third = take(world, id, { message: 'three' })
      const items = await queueOf(world, id, 2)
      assert.deepEqual(
        items.map(({ messages }) => messages[0].content),
        ['two', 'three'],
      )
      const removed = await call(world, 'DELETE', `/v1/sessions/${id}/queue/${items[0].id}`)
      assert.equal(removed.status, 204)
      assert.equal((await second).body.turn.status, 'cancelled')
      isProblem(
        await call(world, 'DELETE', `/v1/sessions/${id}/queue/${items[0].id}`),
        404,
        'not_found',
      )
      say(replies[0] as ServerResponse, 'a')
      assert.equal((await first).body.turn.status, 'completed')
      await world.provider.waitFor(model, 2)
      say(replies[1] as ServerResponse, 'b')
      assert.equal((await third).body.turn.status, 'completed')
      assert.deepEqual(await said(world, id), ['one', 'three'])
    },
  },
  {
    name: 'a steering message goes into the turn that runs: the model answers it before the turn ends',
    async run(world) {
      const [model, replies] = ['steered', hold(world, 'steered')]
      const id = await newSession(world, { model: `slow/${model}`, messages: [] })
      const first = take(world, id, { message: 'one' })
      await world.provider.waitFor(model)
      const steer = take(world, id, { message: 'rather two', whenBusy: 'steer' })
      const [item] = await queueOf(world, id, 1)
      assert.equal(item.kind, 'steer')
      say(replies[0] as ServerResponse, 'a')
      const { raw } = await world.provider.waitFor(model, 2)
      assert.ok(raw.includes('rather two'))
      say(replies[1] as ServerResponse, 'b')
      const [ended, steered] = await Promise.all([first, steer])
      assert.equal(steered.body.turn.id, ended.body.turn.id)
      assert.deepEqual(
        ended.body.messages.map(({ role }: { role: string }) => role),
        ['user', 'assistant', 'user', 'assistant'],
      )
      // With nothing running it is a turn like any other.
      const alone = take(world, id, { message: 'three', whenBusy: 'steer' })
      await world.provider.waitFor(model, 3)
      say(replies[2] as ServerResponse, 'c')
      assert.equal((await alone).body.turn.status, 'completed')
    },
  },
  {
    name: 'a streamed turn that waits for a handoff is told from the child; what was removed meanwhile stays removed (Q5)',
    async run(world) {
      const [model, replies] = ['moving', hold(world, 'moving')]
      const id = await newSession(world, { model: `slow/${model}` })
      const handoff = call(world, 'POST', `/v1/sessions/${id}/handoff`)
      await world.provider.waitFor(model)
      const gone = take(world, id, { message: 'never mind' })
      const [item] = await queueOf(world, id, 1)
      const reader = await readEvents(world, 'POST', turnsOf(id), { body: { message: 'go on' } })
      await queueOf(world, id, 2)
      await call(world, 'DELETE', `/v1/sessions/${id}/queue/${item.id}`)
      assert.equal((await gone).body.turn.status, 'cancelled')
      say(replies[0] as ServerResponse, 'DOC')
      const child = (await handoff).body.newSession.id
      await world.provider.waitFor(model, 2)
      say(replies[1] as ServerResponse, 'from the child')
      const events = await reader.rest()
      assert.equal(events[0]?.type, 'turn_started')
      assert.equal(events[0]?.data.session, child)
      assert.equal(events.at(-1)?.data.status, 'completed')
      assert.equal(events.filter(({ type }) => type === 'turn_ended').length, 1)
      assert.ok((await said(world, child)).includes('go on'))
      assert.ok(!(await said(world, child)).includes('never mind'))
    },
  },
  {
    name: 'a cancelled handoff releases what waited in the old session',
    async run(world) {
      const [model, replies] = ['released', hold(world, 'released')]
      const id = await newSession(world, { model: `slow/${model}`, messages: undefined })
      await call(world, 'POST', `/v1/sessions/${id}/entries`, {
        messages: [
          { role: 'user', content: 'a' },
          { role: 'assistant', content: [{ type: 'text', text: 'b' }] },
        ],
      })
      const handoff = call(world, 'POST', `/v1/sessions/${id}/handoff`)
      await world.provider.waitFor(model)
      const turn = take(world, id, { message: 'go on' })
      await queueOf(world, id, 1)
      await call(world, 'DELETE', `/v1/sessions/${id}/handoff`)
      isProblem(await handoff, 409, 'handoff_cancelled', 'Handoff cancelled')
      await world.provider.waitFor(model, 2)
      say(replies[1] as ServerResponse, 'ok')
      assert.equal((await turn).body.session, id)
      assert.deepEqual((await call(world, 'GET', `/v1/sessions/${id}/queue`)).body.items, [])
    },
  },
  {
    name: 'calls of the client’s tools end the turn; partly answered they wait, and results jump the line',
    async run(world) {
      const model = 'client-tools'
      const calls = [weather('call_1'), { ...weather('call_2'), index: 1 }]
      world.provider.on(model, (reply, _request, attempt) =>
        attempt === 1
          ? say(reply, '', { finish: 'tool_calls', toolCalls: calls })
          : say(reply, `answer ${attempt}`),
      )
      const id = await newSession(world, { model: `slow/${model}`, messages: [], tools: TOOLS })
      const asked = await take(world, id, { message: 'Weather?' })
      assert.equal(asked.body.turn.status, 'completed')
      assert.equal(asked.body.messages.at(-1).stopReason, 'toolUse')
      const partly = await take(world, id, { message: [result('call_1', 'sunny')] })
      assert.deepEqual([partly.body.turn.status, partly.body.messages.length], ['completed', 1])
      assert.equal(world.provider.requests(model).length, 1)
      const whole = await take(world, id, { message: [result('call_2', 'rain')] })
      assert.deepEqual(whole.body.messages.at(-1).content, [{ type: 'text', text: 'answer 2' }])
      const sent = world.provider.requests(model)[1]?.body['messages'] as { role: string }[]
      assert.deepEqual(
        sent.map(({ role }) => role),
        ['user', 'assistant', 'tool', 'tool'],
      )
    },
  },
  {
    name: 'a steering message to a turn that ends in calls of the client’s tools waits for their results',
    async run(world) {
      const [model, replies] = ['steer-tools', hold(world, 'steer-tools')]
      const id = await newSession(world, { model: `slow/${model}`, messages: [], tools: TOOLS })
      const first = take(world, id, { message: 'Weather?' })
      await world.provider.waitFor(model)
      const steer = take(world, id, { message: 'in Bern', whenBusy: 'steer' })
      await queueOf(world, id, 1)
      say(replies[0] as ServerResponse, '', {
        finish: 'tool_calls',
        toolCalls: [weather('call_9')],
      })
      assert.equal((await first).body.messages.at(-1).stopReason, 'toolUse')
      const answered = take(world, id, { message: [result('call_9', 'sunny')] })
      const { raw } = await world.provider.waitFor(model, 2)
      assert.ok(raw.includes('sunny'))
      say(replies[1] as ServerResponse, 'ok')
      if (!raw.includes('in Bern')) {
        await world.provider.waitFor(model, 3)
        say(replies[2] as ServerResponse, 'ok')
      }
      assert.equal((await answered).body.turn.status, 'completed')
      assert.equal((await steer).body.turn.status, 'completed')
    },
  },
]
