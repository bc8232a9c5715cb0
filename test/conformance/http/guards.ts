import assert from 'node:assert/strict'
import { hang, say } from '../../support/fake-provider.ts'
import type { Case } from './world.ts'
import { call, isProblem, newSession } from './world.ts'

export const GUARD_CASES: readonly Case[] = [
  {
    name: 'the models that can be asked are listed in OpenAI’s shape, without those that lack a key',
    async run(world) {
      const { status, body } = await call(world, 'GET', '/v1/models')
      assert.equal(status, 200)
      assert.equal(body.object, 'list')
      const ids = body.data.map(({ id }: { id: string }) => id)
      assert.ok(ids.includes('local/outline'))
      assert.ok(!ids.some((id: string) => id.startsWith('anthropic/')))
    },
  },
  {
    name: 'each guard refuses with its exact words (G1, G3, G4, G7, G8)',
    async run(world) {
      const vibe = await newSession(world)
      await call(world, 'PATCH', `/v1/sessions/${vibe}`, { mode: 'vibe' })
      isProblem(
        await call(world, 'POST', `/v1/sessions/${vibe}/handoff`),
        409,
        'vibe_mode',
        'Cannot handoff to a new session while vibe mode is active. Exit vibe mode first.',
      )
      const empty = await newSession(world, { messages: [] })
      isProblem(
        await call(world, 'POST', `/v1/sessions/${empty}/handoff`),
        409,
        'nothing_to_hand_off',
        'Nothing to hand off (no messages yet)',
      )
      const one = await newSession(world, { messages: [{ role: 'user', content: 'x' }] })
      isProblem(
        await call(world, 'POST', `/v1/sessions/${one}/handoff`),
        409,
        'nothing_to_hand_off',
        'Nothing to hand off (no messages yet)',
      )
      await call(world, 'PATCH', `/v1/sessions/${one}`, { mode: 'vibe' })
      isProblem(await call(world, 'POST', `/v1/sessions/${one}/handoff`), 409, 'vibe_mode')
      const key = await newSession(world, { model: 'keyless/m' })
      isProblem(
        await call(world, 'POST', `/v1/sessions/${key}/handoff`),
        422,
        'no_api_key',
        'No API key for keyless',
      )
      isProblem(await call(world, 'POST', '/v1/sessions', { model: 'nobody/m' }), 422, 'invalid')
      const none = await newSession(world)
      assert.equal(
        (await call(world, 'PATCH', `/v1/sessions/${none}`, { model: null })).body.model,
        null,
      )
      const path = `/v1/sessions/${none}`
      const words = 'No model selected for'
      isProblem(await call(world, 'POST', `${path}/handoff`), 422, 'no_model', `${words} handoff`)
      const answer = await call(world, 'POST', `${path}/turns`, { message: 'x' })
      isProblem(answer, 422, 'no_model', `${words} this turn`)
      assert.equal((await call(world, 'GET', path)).body.messageCount, 2)
      const chosen = await call(world, 'POST', `${path}/handoff`, { model: 'local/outline' })
      assert.equal(chosen.status, 201)
      world.provider.on('busy', (reply) => hang(reply))
      const busy = await newSession(world, { model: 'slow/busy' })
      const turn = call(world, 'POST', `/v1/sessions/${busy}/turns`, { message: 'x' })
      await world.provider.waitFor('busy')
      isProblem(
        await call(world, 'POST', `/v1/sessions/${busy}/handoff`),
        409,
        'session_busy',
        'Wait for the current response to finish or abort it before handing off.',
      )
      isProblem(
        await call(world, 'POST', `/v1/sessions/${busy}/entries`, {
          messages: [{ role: 'user', content: 'x' }],
        }),
        409,
        'session_busy',
      )
      isProblem(
        await call(world, 'POST', `/v1/sessions/${busy}/turns`, {
          message: 'x',
          whenBusy: 'reject',
        }),
        409,
        'session_busy',
      )
      assert.equal((await call(world, 'GET', `/v1/sessions/${busy}`)).body.status, 'running')
      assert.equal((await call(world, 'DELETE', `/v1/sessions/${busy}`)).status, 204)
      await turn
      isProblem(await call(world, 'GET', `/v1/sessions/${busy}`), 404, 'not_found')
    },
  },
  {
    name: 'a running handoff refuses a second one, imports of messages and nothing else (G10)',
    async run(world) {
      world.provider.on('g10', (reply) => hang(reply))
      const id = await newSession(world, { model: 'slow/g10' })
      const first = call(world, 'POST', `/v1/sessions/${id}/handoff`)
      await world.provider.waitFor('g10')
      isProblem(
        await call(world, 'POST', `/v1/sessions/${id}/handoff`),
        409,
        'handoff_in_progress',
        'Handoff generation is already in progress.',
      )
      isProblem(
        await call(world, 'POST', `/v1/sessions/${id}/entries`, {
          messages: [{ role: 'user', content: 'x' }],
        }),
        409,
        'session_busy',
      )
      assert.equal((await call(world, 'GET', `/v1/sessions/${id}`)).body.status, 'handing_off')
      await call(world, 'DELETE', `/v1/sessions/${id}/handoff`)
      isProblem(await first, 409, 'handoff_cancelled', 'Handoff cancelled')
    },
  },
  {
    name: 'a cancel without a reason, with one, and with an empty one (1.5, C3, C5)',
    async run(world) {
      const table: readonly [string, unknown, string, string, string, string][] = [
        ['c1', undefined, 'handoff_cancelled', 'Handoff cancelled', 'cancelled', ''],
        [
          'c2',
          { reason: 'Tab closed — ünïcode' },
          'handoff_aborted',
          'Tab closed — ünïcode',
          'failed',
          '',
        ],
        ['c3', { reason: '' }, 'handoff_aborted', 'Handoff aborted by session', 'failed', ''],
        ['c4', undefined, 'handoff_aborted', 'by query', 'failed', '?reason=by%20query'],
      ]
      for (const [model, body, code, detail, status, query] of table) {
        world.provider.on(model, (reply) => hang(reply))
        const id = await newSession(world, { model: `slow/${model}` })
        const waiting = call(world, 'POST', `/v1/sessions/${id}/handoff`)
        const { closed } = await world.provider.waitFor(model)
        const cancelled = await call(world, 'DELETE', `/v1/sessions/${id}/handoff${query}`, body)
        assert.equal(cancelled.status, 200)
        assert.equal(cancelled.body.cancelled, true)
        assert.equal(cancelled.body.handoff.status, status)
        await closed
        isProblem(await waiting, 409, code, detail)
        assert.deepEqual((await call(world, 'DELETE', `/v1/sessions/${id}/handoff`)).body, {
          cancelled: false,
        })
        world.provider.on(model, (reply) => say(reply, 'D'))
        assert.equal((await call(world, 'POST', `/v1/sessions/${id}/handoff`)).status, 201)
      }
    },
  },
  {
    name: 'thirty handoffs at once are one provider call, one child and 29 refusals',
    async run(world) {
      world.provider.on('thirty', (reply) => setTimeout(() => say(reply, 'D'), 300))
      const id = await newSession(world, { model: 'slow/thirty' })
      const all = await Promise.all(
        Array.from({ length: 30 }, () => call(world, 'POST', `/v1/sessions/${id}/handoff`)),
      )
      assert.equal(all.filter(({ status }) => status === 201).length, 1)
      assert.equal(all.filter(({ body }) => body.code === 'handoff_in_progress').length, 29)
      assert.equal(world.provider.requests('thirty').length, 1)
      assert.equal((await call(world, 'GET', `/v1/sessions?parent=${id}`)).body.items.length, 1)
    },
  },
  {
    name: 'thirty handoffs with one Idempotency-Key are all answered with the same child',
    async run(world) {
      world.provider.on('same', (reply) => setTimeout(() => say(reply, 'D'), 300))
      const id = await newSession(world, { model: 'slow/same' })
      const headers = { 'idempotency-key': 'k-1' }
      const all = await Promise.all(
        Array.from({ length: 30 }, () =>
          call(world, 'POST', `/v1/sessions/${id}/handoff`, {}, headers),
        ),
      )
      assert.deepEqual([...new Set(all.map(({ status }) => status))], [201])
      assert.equal(new Set(all.map(({ body }) => body.newSession.id)).size, 1)
      assert.equal(world.provider.requests('same').length, 1)
      assert.deepEqual(
        (await call(world, 'POST', `/v1/sessions/${id}/handoff`, {}, headers)).body,
        all[0]?.body,
      )
      isProblem(
        await call(world, 'POST', `/v1/sessions/${id}/handoff`, { focus: 'x' }, headers),
        422,
        'idempotency_mismatch',
      )
    },
  },
  {
    name: 'a turn asked for during a handoff runs in the child, or in the old session when the handoff is cancelled (G11, B8)',
    async run(world) {
      let release = (): void => undefined
      world.provider.on('g11', (reply, _request, attempt) => {
        if (attempt === 1) release = () => say(reply, 'D')
        else say(reply, 'answer')
      })
      const id = await newSession(world, { model: 'slow/g11' })
      const handoff = call(world, 'POST', `/v1/sessions/${id}/handoff`)
      await world.provider.waitFor('g11')
      const turn = call(world, 'POST', `/v1/sessions/${id}/turns`, { message: 'and now' })
      await new Promise((resolve) => setTimeout(resolve, 200))
      release()
      const child = (await handoff).body.newSession.id
      assert.equal((await turn).body.session, child)
      assert.equal((await call(world, 'GET', `/v1/sessions/${child}`)).body.messageCount, 2)
      world.provider.on('g11b', (reply, _request, attempt) =>
        attempt === 1 ? hang(reply) : say(reply, 'a'),
      )
      const other = await newSession(world, { model: 'slow/g11b' })
      const cancelled = call(world, 'POST', `/v1/sessions/${other}/handoff`)
      await world.provider.waitFor('g11b')
      const stays = call(world, 'POST', `/v1/sessions/${other}/turns`, { message: 'and now' })
      await new Promise((resolve) => setTimeout(resolve, 200))
      await call(world, 'DELETE', `/v1/sessions/${other}/handoff`)
      await cancelled
      assert.equal((await stays).body.session, other)
    },
  },
]
