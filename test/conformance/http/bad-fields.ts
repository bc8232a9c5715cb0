import assert from 'node:assert/strict'
import { TALK, call, isProblem, newSession } from './world.ts'
import type { Case, World } from './world.ts'

/** Everything of a session that a refused call must leave as it is. */
async function snapshot(world: World, id: string): Promise<unknown> {
  const [session, entries, newest] = await Promise.all([
    call(world, 'GET', `/v1/sessions/${id}`),
    call(world, 'GET', `/v1/sessions/${id}/entries`),
    call(world, 'GET', '/v1/sessions?limit=1'),
  ])
  return [session.body, entries.body, newest.body.items[0].id]
}

/** The bodies that are wrong on every call that takes one. */
const BROKEN: readonly [body: string, status: number, code: string][] = [
  ['{"', 400, 'bad_request'],
  ['{}x', 400, 'bad_request'],
  ['NaN', 400, 'bad_request'],
  ["{'a':1}", 400, 'bad_request'],
  ['[]', 422, 'invalid'],
  ['null', 422, 'invalid'],
  ['"x"', 422, 'invalid'],
  ['1e999', 422, 'invalid'],
  ['{"unknown":1}', 422, 'invalid'],
  ['{"constructor":{"prototype":1}}', 422, 'invalid'],
  [`${'['.repeat(70_000)}${']'.repeat(70_000)}`, 422, 'invalid'],
  [`{"a":${'{"a":'.repeat(40_000)}1${'}'.repeat(40_001)}`, 422, 'invalid'],
  [`"${'x'.repeat(10_000_000)}"`, 413, 'payload_too_large'],
]

const CALLS = [
  ['POST', '/v1/sessions'],
  ['PATCH', '/v1/sessions/{id}'],
  ['POST', '/v1/sessions/{id}/entries'],
  ['POST', '/v1/sessions/{id}/turns'],
  ['POST', '/v1/sessions/{id}/handoff'],
  ['DELETE', '/v1/sessions/{id}/handoff'],
] as const

const LONE = '\ud800'

export const BAD_FIELD_CASES: readonly Case[] = [
  {
    name: 'a broken body has the same answer on every call, and nothing is stored',
    async run(world) {
      const id = await newSession(world)
      const before = await snapshot(world, id)
      for (const [method, path] of CALLS) {
        const url = path.replace('{id}', id)
        for (const [body, status, code] of BROKEN) {
          const refused = await call(world, method, url, body)
          assert.equal(refused.status, status, `${method} ${path} ${body.slice(0, 30)}`)
          isProblem(refused, status, code)
        }
        const type = { 'content-type': 'text/plain' }
        isProblem(await call(world, method, url, '{}', type), 415, 'unsupported_media_type')
      }
      assert.deepEqual(await snapshot(world, id), before)
    },
  },
  {
    name: 'half a surrogate pair is refused in every text, and nothing is stored',
    async run(world) {
      const id = await newSession(world)
      const before = await snapshot(world, id)
      const block = { type: 'text', text: LONE }
      const tool = { name: 'read', parameters: {} }
      const session = `/v1/sessions/${id}`
      for (const [method, path, body] of [
        ['POST', '/v1/sessions', { title: LONE }],
        ['POST', '/v1/sessions', { systemPrompt: ['fine', LONE] }],
        ['POST', '/v1/sessions', { tools: [{ ...tool, description: LONE }] }],
        ['POST', '/v1/sessions', { tools: [{ ...tool, parameters: { [LONE]: 1 } }] }],
        ['POST', '/v1/sessions', { settings: { deep: [{ [LONE]: 1 }] } }],
        ['POST', '/v1/sessions', { messages: [...TALK, { role: 'user', content: LONE }] }],
        ['PATCH', session, { title: LONE }],
        ['PATCH', session, { systemPrompt: LONE }],
        ['POST', `${session}/entries`, { messages: [{ role: 'user', content: [block] }] }],
        ['POST', `${session}/entries`, { messages: [{ role: 'assistant', content: [block] }] }],
        ['POST', `${session}/turns`, { message: LONE }],
        ['POST', `${session}/turns`, { message: { role: 'user', content: [block] } }],
        ['POST', `${session}/handoff`, { focus: `half ${LONE}` }],
        ['DELETE', `${session}/handoff`, { reason: LONE }],
      ] as const) {
        const refused = await call(world, method, path, body)
        assert.equal(refused.status, 422, `${method} ${path} ${JSON.stringify(body)}`)
        isProblem(refused, 422, 'invalid')
      }
      assert.deepEqual(await snapshot(world, id), before)
    },
  },
  {
    name: 'a change with a wrong type, too much or an unknown field changes nothing',
    async run(world) {
      const id = await newSession(world, { title: 'Shop' })
      const before = await snapshot(world, id)
      const wrong: Readonly<Record<string, readonly unknown[]>> = {
        title: [1, true, {}, [], 'x'.repeat(501)],
        model: [1, {}, [], 'x', '', 'nobody/m', `local/${'x'.repeat(300)}`],
        thinkingLevel: [1, 'enormous', '', {}],
        systemPrompt: [1, null, {}, [1], [null]],
        tools: [1, null, {}, [1], [{}], [{ name: 'a' }], [{ name: 'a b', parameters: {} }]],
        settings: [1, null, 'x', []],
        mode: [1, null, {}, ''],
        id: ['other-identity'],
        handedOffTo: ['other-identity'],
        messageCount: [0],
      }
      for (const [field, values] of Object.entries(wrong)) {
        for (const value of values) {
          const refused = await call(world, 'PATCH', `/v1/sessions/${id}`, {
            title: 'changed',
            [field]: value,
          })
          assert.equal(refused.status, 422, `${field}: ${JSON.stringify(value)}`)
          isProblem(refused, 422, 'invalid')
          assert.ok(refused.body.issues.length > 0)
          for (const issue of refused.body.issues) {
            assert.deepEqual([typeof issue.path, typeof issue.message], ['string', 'string'])
          }
        }
      }
      assert.deepEqual(await snapshot(world, id), before)
    },
  },
  {
    name: 'a turn without a word and tokens that are no whole numbers are refused, and nothing is stored',
    async run(world) {
      const id = await newSession(world)
      const before = await snapshot(world, id)
      const empty = { role: 'user', content: '' }
      for (const message of ['', empty, { ...empty, content: [] }, []]) {
        const refused = await call(world, 'POST', `/v1/sessions/${id}/turns`, { message })
        isProblem(refused, 422, 'invalid')
      }
      for (const usage of [{ input: 1.5 }, { output: -1 }, { cacheRead: '1' }, [], null]) {
        const messages = [{ role: 'assistant', content: [], usage }]
        const refused = await call(world, 'POST', `/v1/sessions/${id}/entries`, { messages })
        isProblem(refused, 422, 'invalid')
      }
      assert.deepEqual(await snapshot(world, id), before)
    },
  },
  {
    name: 'a NUL in a text is text like any other',
    async run(world) {
      const content = 'a\0b'
      const id = await newSession(world, {
        title: content,
        systemPrompt: content,
        settings: { [content]: content },
        messages: [
          { role: 'user', content },
          { role: 'user', content: 'after' },
        ],
      })
      const { body } = await call(world, 'GET', `/v1/sessions/${id}`)
      assert.deepEqual(
        [body.title, body.systemPrompt, body.settings],
        [content, [content], { [content]: content }],
      )
      const { items } = (await call(world, 'GET', `/v1/sessions/${id}/entries`)).body
      assert.equal(items[0].message.content, content)
    },
  },
  {
    name: 'problems keep to themselves what happened inside',
    async run(world) {
      const id = await newSession(world)
      for (const answer of [
        await call(world, 'GET', '/v1/sessions/%00%00%00%00%00%00%00%00'),
        await call(world, 'POST', `/v1/sessions/${id}/turns`, '{"message":'),
        await call(world, 'GET', '/v1/sessions?cursor=%27%3B--'),
        await call(world, 'GET', `/v1/sessions/${id}/entries?after=-1`),
        await call(world, 'PUT', `/v1/sessions/${id}/handoff`, {}),
      ]) {
        assert.ok(answer.status >= 400 && answer.status < 500, JSON.stringify(answer.body))
        isProblem(answer, answer.status, answer.body.code)
        assert.doesNotMatch(JSON.stringify(answer.body), /\bat .+:\d+|\.ts\b|sqlite|drizzle|zod/i)
      }
    },
  },
]
