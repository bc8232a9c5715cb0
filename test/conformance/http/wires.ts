import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import type { RecordedRequest } from '../../support/fake-provider.ts'
import { answer } from '../../support/fake-provider.ts'
import type { Spoken } from './spoken.ts'
import { KEY, SPOKEN } from './spoken.ts'
import type { Case, World } from './world.ts'
import { call, handOff, isProblem, newSession } from './world.ts'

/** What every wire must do over HTTP, on both runtimes: one list of behaviours, run for each of them. */

const TOOLS = [
  {
    name: 'read',
    description: 'd',
    parameters: { type: 'object', properties: { path: { type: 'string' } } },
  },
]

function casesOf(spoken: Spoken): readonly Case[] {
  const { provider, list, choice } = spoken
  /** A model of this wire, never used by another case. */
  const named = (name: string): string => `${provider}-${name}`
  const session = (world: World, name: string, fields: object = {}): Promise<string> =>
    newSession(world, { model: `${provider}/${named(name)}`, tools: TOOLS, ...fields })
  const begin = (reply: ServerResponse, text: string): void => {
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    reply.write(text)
  }
  return [
    {
      name: `${provider}: the handoff’s bytes begin with those of the live turn, through tools, images and unicode (Q6, Q7, Q9)`,
      async run(world) {
        const model = named('aligned')
        world.provider.on(model, (reply, _request, attempt) => {
          if (attempt > 1) return spoken.say(reply, `Answer ${attempt} 🙂`, { usage: spoken.usage })
          const toolCalls = [{ id: 'call_1', name: 'read', arguments: { path: 'ä.ts' } }]
          return spoken.say(reply, 'Reading.', { toolCalls, thinking: 'Hm.' })
        })
        const id = await session(world, 'aligned', { systemPrompt: ['Be brief', 'ünïcode 😀'] })
        const image = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }
        const asked = { role: 'user', content: [{ type: 'text', text: 'Look 👀' }, image] }
        const turn = await call(world, 'POST', `/v1/sessions/${id}/turns`, { message: asked })
        const [called] = turn.body.messages[1].content.filter(
          (block: { type: string }) => block.type === 'toolCall',
        )
        assert.deepEqual(called.arguments, { path: 'ä.ts' })
        const result = {
          role: 'toolResult',
          toolCallId: called.id,
          toolName: 'read',
          content: [{ type: 'text', text: 'export {}' }],
        }
        const next = await call(world, 'POST', `/v1/sessions/${id}/turns`, { message: [result] })
        assert.equal(next.body.turn.status, 'completed', JSON.stringify(next.body))
        const made = await handOff(world, id)
        assert.equal(made.status, 201, JSON.stringify(made.body))
        assert.equal(made.body.document, 'Answer 3 🙂')
        const { input, cacheRead, output } = made.body.usage
        assert.deepEqual([input, cacheRead, output], [36, 64, 7])
        const [, live, side] = world.provider.requests(model) as [
          RecordedRequest,
          RecordedRequest,
          RecordedRequest,
        ]
        assert.match(side.path, spoken.path)
        assert.equal(side.headers[spoken.key.header], spoken.key.value)
        assert.ok(side.raw.startsWith(live.raw.replace(/[\]}]+$/, '')), 'a byte differs')
        const { [list]: _live, ...liveRest } = live.body
        const { [list]: _side, [choice]: sent, ...sideRest } = side.body
        assert.deepEqual(sideRest, liveRest)
        assert.deepEqual(sent, spoken.none)
        assert.ok(!(choice in live.body))
        // The thought goes back as it came, or the cache and the provider would miss it.
        if (spoken.signed !== undefined) assert.ok(live.raw.includes(`"${spoken.signed}`))
      },
    },
    {
      name: `${provider}: a refused tool choice is left out once (R3, R4)`,
      async run(world) {
        world.provider.on(named('r3'), (reply, { body }) =>
          choice in body
            ? answer(reply, 400, { error: { message: 'this tool_choice is not supported' } })
            : spoken.say(reply, 'D'),
        )
        const made = await handOff(world, await session(world, 'r3'))
        assert.equal(made.status, 201, JSON.stringify(made.body))
        assert.equal(made.body.attempts, 2)
        assert.equal(world.provider.requests(named('r3')).length, 2)
      },
    },
    {
      name: `${provider}: a call that nothing answered gets an error result, a result without its call becomes a note, the journal stays`,
      async run(world) {
        world.provider.on(named('repair'), (reply) => spoken.say(reply, 'D'))
        const call_ = (id: string) => ({ type: 'toolCall', id, name: 'read', arguments: {} })
        const result = (toolCallId: string, text: string) => ({
          role: 'toolResult',
          toolCallId,
          toolName: 'read',
          content: [{ type: 'text', text }],
        })
        const messages = [
          { role: 'user', content: 'look' },
          { role: 'assistant', content: [call_('open-1'), call_('done-1')] },
          { role: 'user', content: 'still there?' },
          result('done-1', 'found it'),
          result('gone-1', 'nobody asked'),
        ]
        const id = await session(world, 'repair', { messages })
        assert.equal((await handOff(world, id)).status, 201)
        const { raw } = world.provider.requests(named('repair'))[0] as RecordedRequest
        const order = [
          'No result was recorded',
          'found it',
          'still there?',
          'earlier call',
          'nobody asked',
        ]
        const places = order.map((text) => raw.indexOf(text))
        assert.ok(!places.includes(-1), raw)
        assert.deepEqual(
          places,
          places.toSorted((a, b) => a - b),
        )
        const { items } = (await call(world, 'GET', `/v1/sessions/${id}/entries`)).body
        assert.equal(items.length, messages.length)
      },
    },
    {
      name: `${provider}: without tools there is no tool choice`,
      async run(world) {
        world.provider.on(named('toolless'), (reply) => spoken.say(reply, 'D'))
        const made = await handOff(world, await session(world, 'toolless', { tools: [] }))
        assert.equal(made.status, 201)
        assert.ok(!(choice in (world.provider.requests(named('toolless'))[0]?.body ?? {})))
      },
    },
    {
      name: `${provider}: a cut-off, blocked, blank or broken-off answer never becomes a document (X3, X5)`,
      async run(world) {
        const fail = async (
          name: string,
          status: number,
          code: string,
          requests: number,
          handler: (reply: ServerResponse) => void,
        ): Promise<void> => {
          world.provider.on(named(name), handler)
          isProblem(await handOff(world, await session(world, name)), status, code)
          assert.equal(world.provider.requests(named(name)).length, requests, name)
        }
        await fail('cut', 502, 'truncated_document', 1, (reply) =>
          spoken.say(reply, 'half', { finish: spoken.cut }),
        )
        await fail('blocked', 502, 'provider_error', 1, (reply) =>
          spoken.say(reply, 'half', { finish: spoken.blocked }),
        )
        await fail('blank', 502, 'empty_document', 1, (reply) => spoken.say(reply, ' \n'))
        await fail('broken', 502, 'provider_error', 3, (reply) => {
          begin(reply, spoken.beginning)
          reply.end()
        })
        await fail('in-band', 502, 'provider_error', 3, (reply) => {
          begin(reply, spoken.beginning)
          reply.end(spoken.overloaded)
        })
      },
    },
    {
      name: `${provider}: a prompt that is too long, a wait that is too long and a wrong key have their own answers`,
      async run(world) {
        const refuse = (name: string, status: number, error: object, headers = {}): void =>
          world.provider.on(named(name), (reply) => answer(reply, status, { error }, headers))
        refuse('long', 400, { message: 'prompt is too long: 213462 tokens > 200000 maximum' })
        isProblem(await handOff(world, await session(world, 'long')), 422, 'context_overflow')
        assert.equal(world.provider.requests(named('long')).length, 1)
        refuse('wait', 429, { message: 'Slow down' }, { 'retry-after': '120' })
        const waits = await handOff(world, await session(world, 'wait'))
        isProblem(waits, 429, 'provider_rate_limited')
        assert.equal(waits.headers.get('retry-after'), '120')
        refuse('key', 401, { message: `Incorrect API key provided: ${KEY}` })
        const wrong = await handOff(world, await session(world, 'key'))
        isProblem(wrong, 502, 'provider_error')
        assert.equal(wrong.body.providerStatus, 401)
        assert.ok(!JSON.stringify(wrong.body).includes(KEY))
      },
    },
    {
      name: `${provider}: a cancel closes the connection, keep-alives for ever time out`,
      async run(world) {
        world.provider.on(named('hangs'), (reply) => begin(reply, spoken.beginning))
        const id = await session(world, 'hangs')
        const waiting = handOff(world, id)
        const asked = await world.provider.waitFor(named('hangs'))
        const cancelled = await call(world, 'DELETE', `/v1/sessions/${id}/handoff`)
        assert.equal(cancelled.body.cancelled, true)
        await asked.closed
        isProblem(await waiting, 409, 'handoff_cancelled', 'Handoff cancelled')
        world.provider.on(named('pings'), (reply) => {
          begin(reply, spoken.beginning)
          const pings = setInterval(() => reply.write(': ping\n\ndata: {"type":"ping"}\n\n'), 50)
          reply.on('close', () => clearInterval(pings))
        })
        isProblem(await handOff(world, await session(world, 'pings')), 504, 'provider_timeout')
      },
    },
  ]
}

export const WIRE_CASES: readonly Case[] = SPOKEN.flatMap(casesOf)
