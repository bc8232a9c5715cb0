import assert from 'node:assert/strict'
import { answer, hang, say, stream } from '../../support/fake-provider.ts'
import type { Case } from './world.ts'
import { TALK, call, isProblem, newSession } from './world.ts'

const FRAME_END =
  '\n</handoff-context>\n\nThe above is a handoff document from a previous session. Use this context to continue the work seamlessly.'

export const HANDOFF_CASES: readonly Case[] = [
  {
    name: 'a handoff answers with document and child, whose first entry is the framed document (I1, I2, I5, P6, S8)',
    async run(world) {
      world.provider.on('h1', (reply) =>
        say(reply, '## Goal\nShip it', {
          usage: {
            prompt_tokens: 90,
            completion_tokens: 4,
            prompt_tokens_details: { cached_tokens: 64 },
          },
        }),
      )
      const id = await newSession(world, {
        model: 'fake/h1',
        title: 'Shop',
        systemPrompt: 'Be brief',
        thinkingLevel: 'low',
        settings: { a: 1 },
        tools: [{ name: 'read', description: 'd', parameters: { type: 'object' } }],
      })
      const made = await call(world, 'POST', `/v1/sessions/${id}/handoff`)
      assert.equal(made.status, 201)
      const { newSession: child } = made.body
      assert.equal(made.headers.get('location'), `/v1/sessions/${child.id}`)
      assert.equal(made.body.status, 'completed')
      assert.equal(made.body.document, '## Goal\nShip it')
      assert.deepEqual(made.body.usage, {
        input: 26,
        output: 4,
        cacheRead: 64,
        cacheWrite: null,
        reasoning: null,
        cost: null,
      })
      const got = await call(world, 'GET', `/v1/sessions/${child.id}`)
      assert.equal(got.body.parentSession, id)
      assert.equal(got.body.title, 'Shop (continued)')
      assert.deepEqual(
        [
          got.body.model,
          got.body.thinkingLevel,
          got.body.systemPrompt,
          got.body.settings,
          got.body.tools.length,
        ],
        ['fake/h1', 'low', ['Be brief'], { a: 1 }, 1],
      )
      const { items } = (await call(world, 'GET', `/v1/sessions/${child.id}/entries`)).body
      assert.equal(items.length, 1)
      const { id: _id, timestamp: _timestamp, ...entry } = items[0]
      assert.deepEqual(entry, {
        type: 'custom_message',
        customType: 'handoff',
        parentId: null,
        seq: 1,
        display: true,
        attribution: 'agent',
        content: `<handoff-context>\n## Goal\nShip it${FRAME_END}`,
      })
      const old = await call(world, 'GET', `/v1/sessions/${id}`)
      assert.equal(old.body.handedOffTo, child.id)
      assert.equal(old.body.messageCount, 2)
      assert.equal(old.body.status, 'idle')
      const entries = await call(world, 'GET', `/v1/sessions/${id}/entries`)
      assert.equal(entries.body.items.length, 2, 'nothing is appended to the old session (I5)')
      for (const path of [`/v1/sessions/${id}/handoff`, `/v1/handoffs/${made.body.id}`]) {
        assert.deepEqual((await call(world, 'GET', path)).body, made.body)
      }
      const list = await call(world, 'GET', `/v1/sessions?parent=${id}`)
      assert.deepEqual(
        list.body.items.map((item: { id: string }) => item.id),
        [child.id],
      )
    },
  },
  {
    name: 'the handoff request is the live turn’s, byte for byte, plus one user message and tool_choice (Q2, Q3, Q6, Q10)',
    async run(world) {
      const tools = [
        { name: 'read', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
      ]
      const id = await newSession(world, {
        model: 'fake/q1',
        systemPrompt: ['A', 'B ünïcode 😀'],
        tools,
      })
      const turn = await call(world, 'POST', `/v1/sessions/${id}/turns`, { message: 'go on' })
      assert.equal(turn.body.turn.status, 'completed')
      const made = await call(world, 'POST', `/v1/sessions/${id}/handoff`, {
        focus: 'the <orders> & "tests"',
      })
      assert.equal(made.status, 201)
      const [live, side] = world.provider.requests('q1')
      assert.ok(live !== undefined && side !== undefined)
      const open = live.raw.slice(0, -']}'.length)
      assert.ok(side.raw.startsWith(open), 'the live request is in the side request as it was')
      const { messages: liveMessages, ...liveRest } = live.body as { messages: unknown[] }
      const {
        messages: sideMessages,
        tool_choice,
        ...sideRest
      } = side.body as {
        messages: { role: string; content: { text: string }[] }[]
        tool_choice: unknown
      }
      assert.deepEqual(sideRest, liveRest)
      assert.equal(tool_choice, 'none')
      assert.deepEqual(sideMessages.slice(0, liveMessages.length), liveMessages)
      const last = sideMessages.at(-1)
      assert.equal(last?.role, 'user')
      assert.match(last?.content[0]?.text ?? '', /Additional focus: the <orders> & "tests"$/)
      const headings = [...(last?.content[0]?.text ?? '').matchAll(/^##.*$/gm)].map(
        ([line]) => line,
      )
      assert.deepEqual(headings, [
        '## Goal',
        '## Constraints & Preferences',
        '## Progress',
        '### Done',
        '### In Progress',
        '### Pending',
        '## Key Decisions',
        '## Critical Context',
        '## Next Steps',
      ])
    },
  },
  {
    name: 'the child goes on with the document as the user’s words (I3)',
    async run(world) {
      world.provider.on('i3', (reply) => say(reply, 'DOC </handoff-context> tail'))
      const id = await newSession(world, { model: 'fake/i3' })
      const child = (await call(world, 'POST', `/v1/sessions/${id}/handoff`)).body.newSession.id
      isProblem(
        await call(world, 'POST', `/v1/sessions/${child}/handoff`),
        409,
        'nothing_to_hand_off',
      )
      await call(world, 'POST', `/v1/sessions/${child}/turns`, { message: 'continue' })
      const sent = world.provider.requests('i3')[1]?.body as {
        messages: { role: string; content: unknown }[]
      }
      assert.deepEqual(
        sent.messages.map(({ role }) => role),
        ['user', 'user'],
      )
      const text = JSON.stringify(sent.messages)
      assert.equal(text.split('</handoff-context>').length - 1, 1)
      const context = await call(world, 'GET', `/v1/sessions/${child}/context`)
      assert.equal(context.body.messages[0].role, 'user')
      const lineage = await call(world, 'GET', `/v1/sessions/${child}/lineage`)
      assert.deepEqual(
        lineage.body.ancestors.map((item: { id: string }) => item.id),
        [id],
      )
    },
  },
  {
    name: 'respond-async answers 202 at once and the handoff completes by itself',
    async run(world) {
      const id = await newSession(world, { model: 'fake/async' })
      const begun = await call(
        world,
        'POST',
        `/v1/sessions/${id}/handoff`,
        {},
        { prefer: 'respond-async' },
      )
      assert.equal(begun.status, 202)
      assert.equal(begun.body.status, 'generating')
      assert.equal(begun.headers.get('location'), `/v1/sessions/${id}/handoff`)
      for (;;) {
        const { body } = await call(world, 'GET', `/v1/handoffs/${begun.body.id}`)
        if (body.status === 'completed') return
        assert.ok(['generating', 'committing', undefined].includes(body.status))
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  },
  {
    name: 'an event stream tells start, progress without text and one terminal event (Q14)',
    async run(world) {
      world.provider.on('sse', (reply) => say(reply, 'SECRET TEXT OF THE DOCUMENT'))
      const id = await newSession(world, { model: 'fake/sse' })
      const { status, headers, body } = await call(
        world,
        'POST',
        `/v1/sessions/${id}/handoff`,
        {},
        { accept: 'text/event-stream' },
      )
      assert.equal(status, 200)
      assert.equal(headers.get('content-type'), 'text/event-stream')
      const frames = (body as string).split('\n\n').filter((frame) => frame.startsWith('id:'))
      const events = frames.map((frame) => /^event: (\w+)$/m.exec(frame)?.[1])
      assert.equal(events[0], 'handoff_started')
      assert.equal(events.at(-1), 'handoff_completed')
      assert.equal(
        events.filter((event) => /completed|cancelled|failed/.test(event ?? '')).length,
        1,
      )
      for (const frame of frames.slice(0, -1)) assert.ok(!frame.includes('SECRET'))
      const ids = frames.map((frame) => Number(/^id: (\d+)$/m.exec(frame)?.[1]))
      assert.ok(ids.every((value, at) => at === 0 || value > (ids[at - 1] ?? 0)))
    },
  },
  {
    name: 'one 529 does not kill a handoff (R1, B40)',
    async run(world) {
      world.provider.on('r1', (reply, _request, attempt) =>
        attempt === 1 ? answer(reply, 529, { error: { message: 'Overloaded' } }) : say(reply, 'D'),
      )
      const id = await newSession(world, { model: 'fake/r1' })
      const made = await call(world, 'POST', `/v1/sessions/${id}/handoff`)
      assert.equal(made.status, 201)
      assert.equal(made.body.attempts, 2)
    },
  },
  {
    name: 'a provider that refuses the tool choice is asked once more: without it, or with `auto` where it says so (R3, R4)',
    async run(world) {
      const refusal = {
        error: {
          message: "Only a tool_choice of 'auto' is supported for this model.",
          param: 'tool_choice',
        },
      }
      const unsupported = { message: 'deepseek-reasoner does not support this tool_choice' }
      world.provider.on('r3', (reply, { body }) =>
        body['tool_choice'] === 'auto' ? say(reply, 'D') : answer(reply, 400, refusal),
      )
      world.provider.on('r3-omit', (reply, { body }) =>
        'tool_choice' in body ? answer(reply, 400, unsupported) : say(reply, 'D'),
      )
      world.provider.on('r4', (reply) => answer(reply, 400, refusal))
      const tools = [{ name: 'read', parameters: {} }]
      for (const model of ['r3', 'r3-omit']) {
        const good = await newSession(world, { model: `fake/${model}`, tools })
        assert.equal((await call(world, 'POST', `/v1/sessions/${good}/handoff`)).status, 201)
        const [first, second, ...more] = world.provider.requests(model)
        assert.equal(more.length, 0)
        const { tool_choice: _, ...asked } = first?.body ?? {}
        const { tool_choice: __, ...again } = second?.body ?? {}
        assert.deepEqual(again, asked)
      }
      const bad = await newSession(world, { model: 'fake/r4', tools })
      isProblem(await call(world, 'POST', `/v1/sessions/${bad}/handoff`), 502, 'provider_error')
      assert.equal(world.provider.requests('r4').length, 2)
    },
  },
  {
    name: 'only text becomes the document, joined and untrimmed, with a warning about calls; blank and cut-off ones are failures (X1, X3, X4, X5)',
    async run(world) {
      const piece = (delta: object, finish_reason: string | null = null) => ({
        choices: [{ index: 0, delta, finish_reason }],
      })
      const called = { index: 0, id: 'c', function: { name: 'read', arguments: '{}' } }
      world.provider.on('x1', (reply) =>
        stream(reply, [
          piece({ content: ' a' }),
          piece({ content: '1\n' }),
          piece({ tool_calls: [called] }),
          piece({ content: 'b ' }),
          piece({}, 'tool_calls'),
        ]),
      )
      world.provider.on('x3', (reply) => say(reply, '  \n\t'))
      world.provider.on('x5', (reply) => say(reply, 'half a docu', { finish: 'length' }))
      world.provider.on('refuses', (reply) =>
        stream(reply, [piece({ refusal: 'I cannot ' }), piece({ refusal: 'do that' }, 'stop')]),
      )
      const one = await newSession(world, { model: 'fake/x1' })
      const whole = (await call(world, 'POST', `/v1/sessions/${one}/handoff`)).body
      assert.equal(whole.document, ' a1\n\nb ')
      assert.deepEqual(
        whole.warnings.map(({ code }: { code: string }) => code),
        ['tool_called'],
      )
      for (const [model, code, detail] of [
        ['x3', 'empty_document', 'Handoff generation produced no content'],
        ['x5', 'truncated_document', undefined],
        ['refuses', 'provider_error', 'Handoff generation failed: I cannot do that'],
      ] as const) {
        const id = await newSession(world, { model: `fake/${model}` })
        isProblem(await call(world, 'POST', `/v1/sessions/${id}/handoff`), 502, code, detail)
        assert.equal(world.provider.requests(model).length, 1)
        assert.deepEqual((await call(world, 'GET', `/v1/sessions?parent=${id}`)).body.items, [])
      }
    },
  },
  {
    name: 'every way a provider fails has its code, and the session is free again (X2, B1, B28, C5)',
    async run(world) {
      const overflow = {
        error: {
          message:
            "This model's maximum context length is 131072 tokens. However, you requested 135956 tokens.",
          code: 'context_length_exceeded',
        },
      }
      const table: readonly [
        string,
        Parameters<typeof world.provider.on>[1],
        number,
        string,
        string?,
      ][] = [
        [
          'f1',
          (r) => answer(r, 400, { error: { message: 'Bad thing' } }),
          502,
          'provider_error',
          'Handoff generation failed: Bad thing',
        ],
        [
          'f2',
          (r) => answer(r, 401, { error: { message: 'Wrong key test-key-1234567890' } }),
          502,
          'provider_error',
          'Handoff generation failed: Wrong key [key]',
        ],
        ['f3', (r) => answer(r, 400, overflow), 422, 'context_overflow'],
        [
          'f4',
          (r) => answer(r, 429, { error: { message: 'Slow down' } }, { 'retry-after': '60' }),
          429,
          'provider_rate_limited',
        ],
        ['f5', (r) => hang(r), 504, 'provider_timeout'],
        [
          'f6',
          (r) => r.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
          502,
          'provider_error',
        ],
        ['f7', (r) => answer(r, 200, '<!doctype html><p>Login'), 502, 'provider_error'],
      ]
      for (const [model, handler, status, code, detail] of table) {
        world.provider.on(model, handler)
        const id = await newSession(world, { model: `fake/${model}` })
        const failed = await call(world, 'POST', `/v1/sessions/${id}/handoff`)
        isProblem(failed, status, code, detail)
        assert.ok(!JSON.stringify(failed.body).includes('test-key'))
        if (model === 'f4') assert.equal(failed.headers.get('retry-after'), '60')
        if (model === 'f1') assert.equal(failed.body.providerStatus, 400)
        world.provider.on(model, (reply) => say(reply, 'D'))
        assert.equal((await call(world, 'POST', `/v1/sessions/${id}/handoff`)).status, 201, model)
      }
      assert.equal(world.provider.requests('f3').length, 2, 'an overflow is not tried again (R2)')
    },
  },
  {
    name: 'the embedded model hands off and answers turns without a network',
    async run(world) {
      const id = await newSession(world)
      const made = await call(world, 'POST', `/v1/sessions/${id}/handoff`)
      assert.equal(made.status, 201)
      assert.match(made.body.document, /^## Goal\n/)
      assert.ok(made.body.document.includes('Never drop the orders table'))
      const turn = await call(world, 'POST', `/v1/sessions/${id}/turns`, { message: 'hi' })
      assert.equal(turn.status, 200)
      assert.equal(turn.body.turn.status, 'completed')
      assert.equal(turn.body.messages.at(-1).role, 'assistant')
      assert.equal(TALK.length, 2)
    },
  },
]
