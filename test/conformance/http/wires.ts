import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import type { RecordedRequest } from '../../support/fake-provider.ts'
import { answer, say } from '../../support/fake-provider.ts'
import type { SaidMore } from '../../support/said-more.ts'
import { sayAnthropic } from '../../support/say-anthropic.ts'
import { sayGoogle } from '../../support/say-google.ts'
import { sayResponses } from '../../support/say-responses.ts'
import type { Case, World } from './world.ts'
import { call, isProblem, newSession } from './world.ts'

/** What every wire must do over HTTP, on both runtimes: one list of behaviours, run for each of them. */

interface Spoken {
  /** the provider's name in the configuration */
  readonly provider: string
  /** the path that is called, without the model */
  readonly path: RegExp
  readonly key: { readonly header: string; readonly value: string }
  readonly list: string
  readonly choice: string
  readonly none: unknown
  /** what a thought is signed with, where thoughts go back */
  readonly signed?: string
  say(reply: ServerResponse, text: string, more?: SaidMore): void
  /** one answer's token counts in the provider's words: 36 new, 64 read, 7 written by the model */
  readonly usage: object
  /** finish reasons: cut off, stopped by a filter */
  readonly cut: string
  readonly blocked: string
  /** the first bytes of an answer, after which nothing comes */
  readonly beginning: string
  /** a frame of a 200 that says the server is overloaded */
  readonly overloaded: string
}

const KEY = 'test-key-1234567890'
const frames = (...data: readonly object[]): string =>
  data.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('')

const SPOKEN: readonly Spoken[] = [
  {
    provider: 'fake',
    path: /^\/v1\/chat\/completions$/,
    key: { header: 'authorization', value: `Bearer ${KEY}` },
    list: 'messages',
    choice: 'tool_choice',
    none: 'none',
    say: (reply, text, { toolCalls, ...more } = {}) =>
      say(reply, text, {
        ...more,
        ...(toolCalls === undefined ? {} : { toolCalls: toolCalls.map(toCompletionsCall) }),
      }),
    usage: {
      prompt_tokens: 100,
      completion_tokens: 7,
      prompt_tokens_details: { cached_tokens: 64 },
      completion_tokens_details: { reasoning_tokens: 2 },
    },
    cut: 'length',
    blocked: 'content_filter',
    beginning: frames({ choices: [{ index: 0, delta: { content: 'so far' } }] }),
    overloaded: frames({ error: { code: 502, message: 'Overloaded' }, choices: [] }),
  },
  {
    provider: 'responses',
    signed: 'EXAMPLE',
    path: /^\/v1\/responses$/,
    key: { header: 'authorization', value: `Bearer ${KEY}` },
    list: 'input',
    choice: 'tool_choice',
    none: 'none',
    say: sayResponses,
    usage: {
      input_tokens: 100,
      input_tokens_details: { cached_tokens: 64 },
      output_tokens: 7,
      output_tokens_details: { reasoning_tokens: 2 },
      total_tokens: 107,
    },
    cut: 'max_output_tokens',
    blocked: 'content_filter',
    beginning: frames({
      type: 'response.output_text.delta',
      item_id: 'msg_1',
      output_index: 0,
      content_index: 0,
      delta: 'so far',
      sequence_number: 1,
    }),
    overloaded: frames({ type: 'error', code: 'server_error', message: 'Overloaded', param: null }),
  },
  {
    provider: 'claude',
    signed: 'EXAMPLE-SIGNATURE',
    path: /^\/v1\/messages$/,
    key: { header: 'x-api-key', value: KEY },
    list: 'messages',
    choice: 'tool_choice',
    none: { type: 'none' },
    say: sayAnthropic,
    usage: { input_tokens: 36, cache_read_input_tokens: 64, output_tokens: 7 },
    cut: 'max_tokens',
    blocked: 'refusal',
    beginning: frames(
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'so far' } },
    ),
    overloaded: frames({
      type: 'error',
      error: { type: 'overloaded_error', message: 'Overloaded' },
    }),
  },
  {
    provider: 'gemini',
    path: /^\/v1beta\/models\/[^/]+:streamGenerateContent\?alt=sse$/,
    key: { header: 'x-goog-api-key', value: KEY },
    list: 'contents',
    choice: 'toolConfig',
    none: { functionCallingConfig: { mode: 'NONE' } },
    say: sayGoogle,
    usage: {
      promptTokenCount: 100,
      cachedContentTokenCount: 64,
      candidatesTokenCount: 5,
      thoughtsTokenCount: 2,
    },
    cut: 'MAX_TOKENS',
    blocked: 'SAFETY',
    beginning: frames({
      candidates: [{ content: { role: 'model', parts: [{ text: 'so far' }] } }],
    }),
    overloaded: frames({ error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } }),
  },
]

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

/** What one provider or model has of its own. */
const OWN_CASES: readonly Case[] = [
  {
    name: 'Mistral behind a proxy gets an assistant message between a tool result and the handoff’s prompt, and ids of nine characters',
    async run(world) {
      world.provider.on('bridged', (reply) => say(reply, 'D'))
      const call = { type: 'toolCall', id: 'call_abcdefgh', name: 'read', arguments: {} }
      const content = [{ type: 'text', text: 'r' }]
      const id = await newSession(world, {
        model: 'mistral/bridged',
        tools: TOOLS,
        messages: [
          { role: 'user', content: 'look' },
          { role: 'assistant', content: [call] },
          { role: 'toolResult', toolCallId: call.id, toolName: 'read', content },
        ],
      })
      assert.equal((await handOff(world, id)).status, 201)
      const { messages } = (world.provider.requests('bridged')[0]?.body ?? {}) as {
        messages: { role: string; tool_call_id?: string; tool_calls?: { id: string }[] }[]
      }
      assert.deepEqual(
        messages.map(({ role }) => role),
        ['user', 'assistant', 'tool', 'assistant', 'user'],
      )
      assert.match(messages[2]?.tool_call_id ?? '', /^[a-z0-9]{9}$/)
      assert.equal(messages[1]?.tool_calls?.[0]?.id, messages[2]?.tool_call_id)
    },
  },
  {
    name: 'a handoff with a model whose prices are known says what it cost',
    async run(world) {
      const usage = {
        input_tokens: 1_000,
        cache_read_input_tokens: 10_000,
        cache_creation_input_tokens: 100,
        output_tokens: 500,
      }
      world.provider.on('claude-priced', (reply) => sayAnthropic(reply, 'D', { usage }))
      const id = await newSession(world, { model: 'claude/claude-priced' })
      const { body } = await handOff(world, id)
      const { total, ...parts } = body.usage.cost
      assert.deepEqual(parts, { input: 0.001, output: 0.001, cacheRead: 0.005, cacheWrite: 0.0004 })
      assert.ok(Math.abs(total - 0.0074) < 1e-9)
    },
  },
  {
    name: 'what a server refuses by name is not sent to it again, by turns and handoffs alike',
    async run(world) {
      world.provider.on('cached-never', (reply, { body }) =>
        'prompt_cache_key' in body
          ? answer(reply, 400, { error: { message: "property 'prompt_cache_key' is unsupported" } })
          : say(reply, 'D'),
      )
      const id = await newSession(world, { model: 'cached/cached-never' })
      const turn = await call(world, 'POST', `/v1/sessions/${id}/turns`, { message: 'go on' })
      assert.equal(turn.body.turn.status, 'completed')
      const made = await handOff(world, id)
      assert.equal(made.body.attempts, 1)
      assert.deepEqual(
        world.provider.requests('cached-never').map(({ body }) => 'prompt_cache_key' in body),
        [true, false, false],
      )
    },
  },
]

function handOff(world: World, id: string): ReturnType<typeof call> {
  return call(world, 'POST', `/v1/sessions/${id}/handoff`)
}

export const WIRE_CASES: readonly Case[] = [...SPOKEN.flatMap(casesOf), ...OWN_CASES]

function toCompletionsCall(
  call: NonNullable<SaidMore['toolCalls']>[number],
  index: number,
): object {
  const { id, name } = call
  return {
    index,
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(call.arguments) },
  }
}
