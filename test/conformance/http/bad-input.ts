import assert from 'node:assert/strict'
import type { Case } from './world.ts'
import { call, isProblem, newSession } from './world.ts'

const WRONG = [1, true, {}, [1], [null], 'x', null]

export const BAD_INPUT_CASES: readonly Case[] = [
  {
    name: 'wrong types for every field are 422 or, where they fit, 201; never a 500',
    async run(world) {
      for (const field of [
        'id',
        'title',
        'model',
        'systemPrompt',
        'tools',
        'thinkingLevel',
        'settings',
        'messages',
        'parentSession',
      ]) {
        for (const value of WRONG) {
          const made = await call(world, 'POST', '/v1/sessions', { [field]: value })
          if (made.status === 201) continue
          isProblem(made, 422, 'invalid')
          assert.ok(
            made.body.issues[0].path.startsWith(field),
            `${field}: ${JSON.stringify(made.body)}`,
          )
        }
      }
      const id = await newSession(world)
      for (const [path, field] of [
        ['handoff', 'focus'],
        ['handoff', 'model'],
        ['handoff', 'thinkingLevel'],
        ['turns', 'message'],
        ['turns', 'whenBusy'],
        ['entries', 'messages'],
      ] as const) {
        for (const value of [1, true, {}, [1], null]) {
          isProblem(
            await call(world, 'POST', `/v1/sessions/${id}/${path}`, { [field]: value }),
            422,
            'invalid',
          )
        }
      }
      for (const message of [
        {},
        { role: 'user' },
        { role: 'robot', content: 'x' },
        { role: 'assistant', content: 'x' },
        { role: 'user', content: [{ type: 'video' }] },
        { role: 'toolResult', content: [] },
        { role: 'user', content: 'x', extra: 1 },
      ]) {
        isProblem(
          await call(world, 'POST', `/v1/sessions/${id}/entries`, {
            messages: [{ role: 'user', content: 'fine' }, message],
          }),
          422,
          'invalid',
        )
      }
      assert.equal(
        (await call(world, 'GET', `/v1/sessions/${id}`)).body.messageCount,
        2,
        'all or none',
      )
    },
  },
  {
    name: 'what is not JSON, too deep, broken or too large has its own answer',
    async run(world) {
      const deep = `{"settings":${'['.repeat(70_000)}${']'.repeat(70_000)}}`
      isProblem(await call(world, 'POST', '/v1/sessions', '{"title":'), 400, 'bad_request')
      isProblem(await call(world, 'POST', '/v1/sessions', '{} {}'), 400, 'bad_request')
      isProblem(
        await call(world, 'POST', '/v1/sessions', new Uint8Array([123, 34, 255, 34, 125])),
        400,
        'bad_request',
      )
      isProblem(await call(world, 'POST', '/v1/sessions', '[]'), 422, 'invalid')
      isProblem(await call(world, 'POST', '/v1/sessions', 'null'), 422, 'invalid')
      isProblem(await call(world, 'POST', '/v1/sessions', deep), 422, 'invalid')
      isProblem(await call(world, 'POST', '/v1/sessions', '{"title":"\\ud800"}'), 422, 'invalid')
      isProblem(
        await call(world, 'POST', '/v1/sessions', '{"__proto__":{"title":"x"}}'),
        422,
        'invalid',
      )
      isProblem(await call(world, 'POST', '/v1/sessions', { titel: 'x' }), 422, 'invalid')
      isProblem(
        await call(world, 'POST', '/v1/sessions', '{}', { 'content-type': 'text/plain' }),
        415,
        'unsupported_media_type',
      )
      isProblem(
        await call(
          world,
          'POST',
          '/v1/sessions',
          JSON.stringify({ title: 'x'.repeat(10_000_000) }),
        ),
        413,
        'payload_too_large',
      )
      isProblem(
        await call(world, 'POST', '/v1/sessions', {}, { 'idempotency-key': 'k'.repeat(256) }),
        422,
        'invalid',
      )
      const id = await newSession(world)
      isProblem(
        await call(
          world,
          'POST',
          `/v1/sessions/${id}/handoff`,
          JSON.stringify({ focus: 'x'.repeat(300_000) }),
        ),
        413,
        'payload_too_large',
      )
      isProblem(
        await call(world, 'POST', `/v1/sessions/${id}/handoff`, { focus: 'x'.repeat(8001) }),
        422,
        'invalid',
      )
      assert.equal((await call(world, 'POST', '/v1/sessions', {})).status, 201)
    },
  },
  {
    name: 'an id that cannot be, a missing one and a foreign path are the same 404',
    async run(world) {
      const missing = await call(world, 'GET', '/v1/sessions/nobody-here-at-all')
      isProblem(missing, 404, 'not_found')
      for (const id of [
        'a%2Fb%2Fc%2Fd%2Fe',
        '%00%00%00%00%00%00%00%00',
        'short',
        'x'.repeat(65),
        '..%2F..%2Fetc',
        'ünïcödé-id',
        '%E0%A4%A',
      ]) {
        const answer = await call(world, 'GET', `/v1/sessions/${id}`)
        isProblem(answer, 404, 'not_found')
      }
      assert.deepEqual((await call(world, 'GET', '/v1/sessions/short')).body, missing.body)
      for (const [method, path] of [
        ['GET', 'entries'],
        ['GET', 'context'],
        ['GET', 'lineage'],
        ['GET', 'export'],
        ['GET', 'handoff'],
        ['DELETE', 'handoff'],
        ['POST', 'handoff'],
      ] as const) {
        isProblem(
          await call(world, method, `/v1/sessions/nobody-here-at-all/${path}`),
          404,
          'not_found',
        )
      }
      isProblem(await call(world, 'GET', '/v1/handoffs/nobody-here-at-all'), 404, 'not_found')
      isProblem(await call(world, 'GET', '/nowhere'), 404, 'not_found')
      const id = await newSession(world)
      isProblem(await call(world, 'GET', `/v1/sessions/${id}/handoff`), 404, 'no_handoff')
      const put = await call(world, 'PUT', `/v1/sessions/${id}`, {})
      isProblem(put, 405, 'method_not_allowed')
      assert.match(put.headers.get('allow') ?? '', /GET/)
      for (const query of [
        'limit=0',
        'limit=1000',
        'limit=x',
        'cursor=%00',
        'unknown=1',
        'parent=x',
      ]) {
        isProblem(await call(world, 'GET', `/v1/sessions?${query}`), 422, 'invalid')
      }
    },
  },
  {
    name: 'healthz, openapi.json and docs are there for everybody',
    async run(world) {
      assert.equal((await call(world, 'GET', '/healthz')).body.ok, true)
      const { body } = await call(world, 'GET', '/openapi.json')
      assert.match(body.openapi, /^3\.1/)
      assert.ok(body.paths['/v1/sessions/{id}/handoff'].post)
      const docs = await fetch(`${world.server.baseUrl}/docs`)
      assert.match(await docs.text(), /Hand the session off/)
      assert.match(docs.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    },
  },
]
