import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import * as ai5 from 'ai5'
import * as ai5Strict from 'ai5-strict'
import * as ai6 from 'ai6'
import * as ai6Strict from 'ai6-strict'
import * as ai7 from 'ai'
import type { AiModule, ChatClient, ShownMessage } from '../../support/chat-client.ts'
import { createChat, textOf } from '../../support/chat-client.ts'
import { hang, say } from '../../support/fake-provider.ts'
import type { Case, World } from './world.ts'
import { call, newSession } from './world.ts'

/** The chat of the AI SDK as its users have it: five releases, unmodified. */

const RELEASES: Readonly<Record<string, AiModule>> = {
  '5.0.60': ai5Strict,
  '5.0.277': ai5,
  '6.0.200': ai6Strict,
  '6.0.326': ai6,
  '7.0.173': ai7,
}

const weather = {
  index: 0,
  id: 'call_weather',
  type: 'function',
  function: { name: 'weather', arguments: '{"city":"Bern"}' },
}
const TOOLS = [{ name: 'weather', parameters: { type: 'object', properties: {} } }]

/** Ends an answer that was held. */
function finish(reply: ServerResponse | undefined, text: string): void {
  assert.ok(reply !== undefined)
  const choices = [{ index: 0, delta: { content: text }, finish_reason: 'stop' }]
  reply.end(`data: ${JSON.stringify({ choices })}\n\ndata: [DONE]\n\n`)
}

async function until(true_: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 15_000
  while (!(await true_())) {
    assert.ok(Date.now() < deadline, 'it never came')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

function ready(chat: ChatClient): void {
  assert.equal(chat.error, undefined, chat.error?.stack)
  assert.equal(chat.status, 'ready')
}

/** What the provider was told in its nth request. */
function sentMessages(world: World, model: string, nth: number): readonly { content: unknown }[] {
  return world.provider.requests(model)[nth - 1]?.body['messages'] as { content: unknown }[]
}

async function stored(world: World, id: string): Promise<readonly ShownMessage[]> {
  const { status, body } = await call(world, 'GET', `/api/chat/${id}/messages`)
  assert.equal(status, 200)
  return body
}

function casesOf(version: string, release: AiModule): readonly Case[] {
  const tag = `ai-${version.replaceAll('.', '-')}`
  const open = (world: World, id: string, more: object = {}): ChatClient =>
    createChat(release, { baseUrl: world.server.baseUrl, id, ...more })

  return [
    {
      name: `ai ${version}: a new chat is made by its first message, and goes on`,
      async run(world) {
        const model = `${tag}-send`
        world.provider.on(model, (reply, _request, attempt) => say(reply, `Answer ${attempt}`))
        const id = `${tag}-send-${Date.now()}`
        const chat = open(world, id, { body: { model: `slow/${model}` } })
        await chat.sendMessage({ text: 'Hello' })
        ready(chat)
        await chat.sendMessage({ text: 'And again' })
        ready(chat)
        assert.deepEqual(chat.messages.map(textOf), ['Hello', 'Answer 1', 'And again', 'Answer 2'])
        assert.ok(chat.messages.at(-1)?.parts.every(({ state }) => state !== 'streaming'))
        const shown = await stored(world, id)
        assert.deepEqual(
          shown.map((message) => message.id),
          chat.messages.map((message) => message.id),
        )
        assert.equal(sentMessages(world, model, 2).length, 3)
      },
    },
    {
      name: `ai ${version}: only the newest message may be sent`,
      async run(world) {
        const model = `${tag}-newest`
        world.provider.on(model, (reply, _request, attempt) => say(reply, `Answer ${attempt}`))
        const id = await newSession(world, { model: `slow/${model}`, messages: [] })
        const chat = open(world, id, { newestOnly: true })
        await chat.sendMessage({ text: 'One' })
        await chat.sendMessage({ text: 'Two' })
        ready(chat)
        assert.equal(sentMessages(world, model, 2).length, 3)
      },
    },
    {
      name: `ai ${version}: the model calls a tool of the page, and goes on with its result in the same message`,
      async run(world) {
        const model = `${tag}-tool`
        world.provider.on(model, (reply, _request, attempt) =>
          attempt === 1
            ? say(reply, 'Let me look', { finish: 'tool_calls', toolCalls: [weather] })
            : say(reply, 'It is sunny'),
        )
        const id = await newSession(world, { model: `slow/${model}`, messages: [], tools: TOOLS })
        const chat = open(world, id)
        await chat.sendMessage({ text: 'Weather?' })
        ready(chat)
        const part = chat.messages.at(-1)?.parts.find(({ type }) => type === 'tool-weather')
        assert.equal(part?.['state'], 'input-available')
        assert.deepEqual(part?.['input'], { city: 'Bern' })
        const result = { tool: 'weather', toolCallId: 'call_weather', output: { sky: 'sunny' } }
        await (chat.addToolOutput ?? chat.addToolResult)?.call(chat, result)
        await until(() => textOf(chat.messages.at(-1)).includes('It is sunny'))
        await until(() => chat.status === 'ready')
        assert.equal(chat.messages.length, 2)
        const shown = await stored(world, id)
        assert.equal(shown.length, 2)
        assert.equal(shown[1]?.id, chat.messages[1]?.id)
        const kept = shown[1]?.parts.find(({ type }) => type === 'tool-weather')
        assert.deepEqual(kept?.['output'], { sky: 'sunny' })
        assert.equal(world.provider.requests(model).length, 2)
      },
    },
    {
      name: `ai ${version}: stopped on the server, the partial text is kept and nothing is an error`,
      async run(world) {
        const model = `${tag}-stop`
        world.provider.on(model, (reply) => hang(reply))
        const id = await newSession(world, { model: `slow/${model}`, messages: [] })
        const chat = open(world, id)
        const sent = chat.sendMessage({ text: 'Hello' })
        await until(() => textOf(chat.messages.at(-1)) === 'so far')
        const old = await call(world, 'POST', `/api/chat/${id}/stop`, {
          activeStreamId: 'old-turn',
        })
        assert.deepEqual(old.body, { stopped: false })
        assert.deepEqual((await call(world, 'POST', `/api/chat/${id}/stop`)).body, {
          stopped: true,
        })
        await sent
        ready(chat)
        await (
          await world.provider.waitFor(model)
        ).closed
        assert.ok(chat.messages.at(-1)?.parts.every(({ state }) => state !== 'streaming'))
        assert.deepEqual((await stored(world, id)).map(textOf), ['Hello', 'so far'])
      },
    },
    {
      name: `ai ${version}: a page that is reloaded in the middle of an answer gets all of it, once`,
      async run(world) {
        const model = `${tag}-resume`
        const replies: ServerResponse[] = []
        world.provider.on(model, (reply) => {
          hang(reply)
          replies.push(reply)
        })
        const id = await newSession(world, { model: `slow/${model}`, messages: [] })
        const first = open(world, id)
        const sent = first.sendMessage({ text: 'Hello' })
        await until(() => textOf(first.messages.at(-1)) === 'so far')
        await first.stop()
        await sent
        // The page is loaded again.
        const second = open(world, id, { messages: await stored(world, id) })
        assert.deepEqual(second.messages.map(textOf), ['Hello'])
        const resumed = second.resumeStream()
        await until(() => textOf(second.messages.at(-1)) === 'so far')
        finish(replies[0], ' and done')
        await resumed
        ready(second)
        assert.deepEqual(second.messages.map(textOf), ['Hello', 'so far and done'])
        assert.equal(second.messages[1]?.id, first.messages[1]?.id)
        // Nothing is being written any more.
        await second.resumeStream()
        ready(second)
        assert.equal(second.messages.length, 2)
        assert.equal(world.provider.requests(model).length, 1)
      },
    },
    {
      name: `ai ${version}: a failure is an error with words for a person, and can be answered again`,
      async run(world) {
        const model = `${tag}-fail`
        world.provider.on(model, (reply, _request, attempt) => {
          if (attempt > 1) return say(reply, 'Better')
          reply.writeHead(400, { 'content-type': 'application/json' })
          reply.end(JSON.stringify({ error: { message: 'Bad thing' } }))
        })
        const id = await newSession(world, { model: `slow/${model}`, messages: [] })
        const chat = open(world, id)
        await chat.sendMessage({ text: 'Hello' })
        assert.equal(chat.status, 'error')
        assert.match(chat.error?.message ?? '', /Bad thing/)
        await chat.regenerate()
        ready(chat)
        assert.equal(textOf(chat.messages.at(-1)), 'Better')
        const context = await call(world, 'GET', `/v1/sessions/${id}/context`)
        assert.equal(context.body.messages.length, 2)
      },
    },
    {
      name: `ai ${version}: an edit and a new answer make a branch, never a second question at the end`,
      async run(world) {
        const model = `${tag}-edit`
        world.provider.on(model, (reply, _request, attempt) => say(reply, `Answer ${attempt}`))
        const id = await newSession(world, { model: `slow/${model}`, messages: [] })
        const chat = open(world, id)
        await chat.sendMessage({ text: 'One' })
        await chat.sendMessage({ text: 'Two' })
        const edited = chat.messages[2]?.id ?? ''
        await chat.sendMessage({ text: 'Rather three', messageId: edited })
        ready(chat)
        assert.deepEqual(chat.messages.map(textOf), ['One', 'Answer 1', 'Rather three', 'Answer 3'])
        await chat.regenerate()
        ready(chat)
        assert.deepEqual((await stored(world, id)).map(textOf), [
          'One',
          'Answer 1',
          'Rather three',
          'Answer 4',
        ])
        assert.deepEqual(
          sentMessages(world, model, 4).map(({ content }) => content),
          ['One', 'Answer 1', 'Rather three'],
        )
      },
    },
    {
      name: `ai ${version}: /handoff hands off, names the new session, and the chat goes on there`,
      async run(world) {
        const model = `${tag}-handoff`
        world.provider.on(model, (reply, _request, attempt) =>
          say(reply, attempt === 2 ? 'THE DOCUMENT' : `Answer ${attempt}`),
        )
        const id = await newSession(world, { model: `slow/${model}`, messages: [] })
        const chat = open(world, id)
        await chat.sendMessage({ text: '/handoff' })
        assert.equal(chat.error?.message, 'Nothing to hand off (no messages yet)')
        const old = open(world, id)
        await old.sendMessage({ text: 'Hello' })
        await old.sendMessage({ text: '/handoff the tests' })
        ready(old)
        const parts = old.messages.at(-1)?.parts.filter(({ type }) => type === 'data-handoff')
        assert.equal(parts?.length, 1)
        const data = parts?.[0]?.['data']
        assert.equal(data.status, 'completed')
        assert.equal(data.document, 'THE DOCUMENT')
        assert.equal(data.focus, 'the tests')
        const child = open(world, data.newSession, {
          messages: await stored(world, data.newSession),
        })
        assert.equal(child.messages[0]?.parts[0]?.type, 'data-handoff')
        await child.sendMessage({ text: 'Go on' })
        ready(child)
        const request = world.provider.requests(model)[2]
        assert.ok(request?.raw.includes('THE DOCUMENT'))
        assert.ok(!request?.raw.includes('/handoff the tests'))
        // The old chat is still there, and the command is none of it.
        assert.deepEqual((await stored(world, id)).map(textOf), ['Hello', 'Answer 1'])
        await old.sendMessage({ text: 'Still here?' })
        ready(old)
        assert.equal(sentMessages(world, model, 4).length, 3)
      },
    },
  ]
}

export const CHAT_CLIENT_CASES: readonly Case[] = Object.entries(RELEASES).flatMap(
  ([version, release]) => casesOf(version, release),
)
