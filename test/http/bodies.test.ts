import { describe, expect, test } from 'vitest'
import { ask, isA, problem } from './ask.ts'
import { ID, fakePorts } from './fake-ports.ts'

const MIB = 1024 * 1024
const TURNS = `/v1/sessions/${ID}/turns`
const HANDOFF = `/v1/sessions/${ID}/handoff`

function issuesOf(body: { issues: readonly { path: string; message: string }[] }): string[] {
  return body.issues.map(({ path, message }) => `${path}: ${message}`)
}

describe('reading a body', () => {
  test.each([
    ['{"title":', 400, 'bad_request'],
    ['{} {}', 400, 'bad_request'],
    [new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), 400, 'bad_request'],
    ['[]', 422, 'invalid'],
    [`{"settings":${'['.repeat(70_000)}${']'.repeat(70_000)}}`, 422, 'invalid'],
    [`{"settings":{"a":${'['.repeat(63)}${']'.repeat(63)}}}`, 422, 'invalid'],
    [`{"settings":{"a":${'['.repeat(62)}${']'.repeat(62)}}}`, 201, undefined],
  ])('%s', async (body, status, code) => {
    const reply = await ask('POST', '/v1/sessions', body)
    expect([reply.status, reply.body.code]).toEqual([status, code])
  })

  test('the limit holds whatever Content-Length says, and an honest one is refused early', async () => {
    const large = `{"title":"${'x'.repeat(4 * MIB)}"}`
    for (const [body, length] of [
      [large, '2'],
      [large, String(large.length)],
      ['{}', String(4 * MIB + 1)],
    ] as const) {
      const headers = { 'content-length': length }
      const reply = await ask('POST', '/v1/sessions', body, { headers })
      expect(problem(reply)).toEqual(isA(413, 'payload_too_large'))
    }
    const focus = await ask('POST', HANDOFF, { focus: 'x'.repeat(256 * 1024) })
    expect(problem(focus)).toEqual(isA(413, 'payload_too_large'))
  })

  test('only JSON media types are taken, and none is needed for an empty body', async () => {
    for (const type of ['application/json; charset=utf-8', 'application/vnd.x+json']) {
      const reply = await ask('POST', '/v1/sessions', '{}', { headers: { 'content-type': type } })
      expect(reply.status).toBe(201)
    }
    for (const type of ['text/plain', 'application/jsonx', 'application/x-ndjson']) {
      const reply = await ask('POST', HANDOFF, '{}', { headers: { 'content-type': type } })
      expect(problem(reply)).toEqual(isA(415, 'unsupported_media_type'))
    }
    expect((await ask('POST', HANDOFF)).status).toBe(201)
    expect((await ask('DELETE', HANDOFF)).status).toBe(200)
    expect(problem(await ask('POST', TURNS))).toEqual(isA(422, 'invalid'))
  })

  test('half a surrogate pair and __proto__ are refused wherever they are, with their path', async () => {
    for (const [body, path] of [
      ['{"title":"\\ud800"}', 'title'],
      ['{"settings":{"a":[{"b":"\\udc00x"}]}}', 'settings.a.0.b'],
      ['{"settings":{"\\ud800":1}}', 'settings'],
      ['{"__proto__":{"title":"x"}}', '__proto__'],
      ['{"settings":{"__proto__":{"a":1}}}', 'settings.__proto__'],
      [
        '{"tools":[{"name":"a","parameters":{"x":{"__proto__":1}}}]}',
        'tools.0.parameters.x.__proto__',
      ],
    ] as const) {
      const reply = await ask('POST', '/v1/sessions', body)
      expect(problem(reply)).toEqual(isA(422, 'invalid'))
      expect(reply.body.issues[0].path).toBe(path)
    }
    expect((await ask('POST', '/v1/sessions', { settings: { constructor: 1 } })).status).toBe(201)
  })
})

describe('what an issue says', () => {
  test('an unknown field is named by its path, in a union too', async () => {
    const user = { role: 'user', content: 'x', extra: 1 }
    expect(issuesOf((await ask('POST', '/v1/sessions', { titel: 'x', modle: 1 })).body)).toEqual([
      'titel: Unknown field',
      'modle: Unknown field',
    ])
    const messages = await ask('POST', '/v1/sessions', { messages: [user] })
    expect(issuesOf(messages.body)).toEqual(['messages.0.extra: Unknown field'])
    const turn = await ask('POST', TURNS, { message: user })
    expect(issuesOf(turn.body)).toEqual(['message.extra: Unknown field'])
  })

  test('a value that fits no alternative is told what would', async () => {
    const { body } = await ask('POST', TURNS, { message: 1 })
    expect(issuesOf(body)).toEqual(['message: Expected string or object or array'])
    const role = await ask('POST', `/v1/sessions/${ID}/entries`, { messages: [{ role: 'robot' }] })
    expect(role.body.issues[0].path).toBe('messages.0.role')
  })

  test('however much is wrong, the answer is a short 422', async () => {
    const ones = `[${Array(1_500_000).fill(1).join()}]`
    const spread = JSON.stringify(
      Array.from({ length: 9_000 }, () => ({ role: 'user', content: Array(150).fill(1) })),
    )
    for (const [path, body] of [
      [TURNS, `{"message":{"role":"user","content":${ones}}}`],
      [TURNS, `{"message":${ones}}`],
      ['/v1/sessions', `{"messages":${ones}}`],
      ['/v1/sessions', `{"messages":${spread}}`],
      ['/v1/sessions', `{"systemPrompt":${ones}}`],
      ['/v1/sessions', `{"${'k'.repeat(4_000_000)}":1}`],
      ['/v1/sessions', `{"settings":{"${'k'.repeat(4_000_000)}":"\\ud800"}}`],
      ['/v1/sessions', `{${Array.from({ length: 200_000 }, (_, at) => `"k${at}":1`).join()}}`],
    ] as const) {
      const reply = await ask('POST', path, body)
      expect(problem(reply)).toEqual(isA(422, 'invalid'))
      expect(reply.text.length).toBeLessThan(20_000)
      expect(reply.body.issues.length).toBeLessThanOrEqual(20)
    }
  }, 60_000)

  test('query parameters are plain numbers, known, and given once', async () => {
    for (const query of [
      'limit=0',
      'limit=101',
      'limit=',
      'limit=0x10',
      'limit=%205',
      'limit=1e1',
    ]) {
      const reply = await ask('GET', `/v1/sessions?${query}`)
      expect(problem(reply), query).toEqual(isA(422, 'invalid'))
      expect(reply.body.issues[0].path).toBe('limit')
    }
    for (const query of ['limit=5&limit=6', 'unknown=1', 'parent=x']) {
      expect(problem(await ask('GET', `/v1/sessions?${query}`)), query).toEqual(isA(422, 'invalid'))
    }
    const fakes = fakePorts()
    await ask('GET', `/v1/sessions/${ID}/entries?after=7&limit=1000`, undefined, { fakes })
    await ask('GET', `/v1/sessions/${ID}/entries`, undefined, { fakes })
    expect(fakes.calls.map(({ args }) => args[2])).toEqual([
      { after: 7, limit: 1000 },
      { after: 0, limit: 100 },
    ])
  })
})
