import { describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/http/app.ts'
import { ask, isA, problem } from './ask.ts'
import { ID, META, fakePorts } from './fake-ports.ts'

const HANDOFF = `/v1/sessions/${ID}/handoff`

describe('paths and methods', () => {
  test('an id that cannot be is the same 404 as a missing one', async () => {
    const error = { code: 'not_found', detail: 'There is no such session' } as const
    const fakes = fakePorts({ errors: { view: error } })
    const missing = await ask('GET', '/v1/sessions/nobody-here', undefined, { fakes })
    expect(problem(missing)).toEqual(isA(404, 'not_found'))
    for (const id of [
      'a%2Fbbbbbbbb',
      '%00%00%00%00%00%00%00%00',
      '%E0%A4%A',
      'short',
      'longid%0A',
    ]) {
      expect((await ask('GET', `/v1/sessions/${id}`)).body, id).toEqual(missing.body)
    }
    expect(problem(await ask('GET', '/v1/handoffs/nobody-here'))).toEqual(isA(404, 'not_found'))
    expect(problem(await ask('GET', '/nowhere'))).toEqual(isA(404, 'not_found'))
  })

  test('a wrong method is 405 with what is allowed, HEAD goes as GET, OPTIONS tells', async () => {
    const put = await ask('PUT', `/v1/sessions/${ID}`)
    expect(problem(put)).toEqual(isA(405, 'method_not_allowed'))
    expect(put.headers.get('allow')).toBe('GET, PATCH, DELETE, HEAD, OPTIONS')
    expect((await ask('GET', '/v1/sessions/import')).headers.get('allow')).toBe('POST, OPTIONS')
    for (const path of ['/', '/healthz', '/docs', '/openapi.json']) {
      expect(problem(await ask('POST', path)), path).toEqual(isA(405, 'method_not_allowed'))
    }
    const head = await ask('HEAD', `/v1/sessions/${ID}`)
    expect([head.status, head.text]).toEqual([200, ''])
    const options = await ask('OPTIONS', '/v1/sessions')
    expect([options.status, options.headers.get('allow')]).toEqual([
      204,
      'POST, GET, HEAD, OPTIONS',
    ])
  })

  test('a HEAD lets go of the stream that its GET would send', async () => {
    let cancelled = false
    const exportFile = new ReadableStream({ cancel: () => void (cancelled = true) })
    const fakes = fakePorts({ answers: { exportFile } })
    const reply = await ask('HEAD', `/v1/sessions/${ID}/export`, undefined, { fakes })
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
    expect(cancelled).toBe(true)
  })

  test('every answer forbids sniffing and storing', async () => {
    for (const path of ['/healthz', '/docs', '/v1/sessions', '/nowhere', '/v1/sessions/short']) {
      const { headers } = await ask('GET', path)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('cache-control')).toBe('no-store')
    }
  })
})

describe('problems', () => {
  test('carry status, retry time and place, and nothing of what was thrown inside', async () => {
    const limited = {
      code: 'provider_rate_limited',
      detail: 'Slow down',
      retryAfter: 30,
      providerStatus: 429,
    } as const
    const fakes = fakePorts({ errors: { turn: limited } })
    const reply = await ask('POST', `/v1/sessions/${ID}/turns`, { message: 'x' }, { fakes })
    expect(problem(reply)).toEqual(isA(429, 'provider_rate_limited'))
    expect([reply.headers.get('retry-after'), reply.body.providerStatus]).toEqual(['30', 429])

    const pending = { code: 'commit_pending', detail: 'Kept', location: '/v1/handoffs/h' } as const
    const handoff = { handoff: {}, error: pending }
    const late = await ask('POST', HANDOFF, {}, { fakes: fakePorts({ answers: { handoff } }) })
    expect(problem(late)).toEqual(isA(503, 'commit_pending'))
    expect(late.headers.get('location')).toBe('/v1/handoffs/h')

    const sessions = () => Promise.reject(new Error('SQLITE_CONSTRAINT secret'))
    const broken = await ask('GET', '/v1/sessions', undefined, {
      fakes: fakePorts({ catalog: { sessions } }),
    })
    expect(problem(broken)).toEqual(isA(500, 'internal'))
    expect(broken.text).not.toMatch(/SQLITE|secret/)
  })

  test('without a live key every call is 401, and a key in the query is not read', async () => {
    const key = 'bat_0123456789ab_abcdefgh'
    const seen: string[] = []
    const tenantOfKey = async (digest: string) => {
      seen.push(digest)
      return null
    }
    const fakes = fakePorts({ ports: { auth: 'keys' }, catalog: { tenantOfKey } })
    for (const authorization of ['', 'Bearer', `Basic ${key}`, `Bearer ${key}`]) {
      const headers = { authorization }
      const reply = await ask('GET', `/v1/sessions?key=${key}`, undefined, { fakes, headers })
      expect(problem(reply)).toEqual(isA(401, 'unauthorized'))
      expect(reply.headers.get('www-authenticate')).toBe('Bearer')
    }
    expect(seen).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)])
    expect((await ask('GET', '/healthz', undefined, { fakes })).status).toBe(200)
  })
})

describe('preferences and retries', () => {
  test('Prefer and Accept choose the form of the answer, quoted words do not', async () => {
    for (const [headers, status] of [
      [{ prefer: 'wait=10, Respond-Async; x=1' }, 202],
      [{ prefer: 'x="a, respond-async, b"' }, 201],
      [{ accept: 'application/json, text/event-stream;q=0.5' }, 201],
      [{ accept: 'application/json;q=0.5, text/event-stream' }, 200],
      [{ accept: 'application/json, text/event-stream' }, 200],
      [{ accept: 'text/event-stream;q=0' }, 201],
      [{ accept: '*/*' }, 201],
    ] as const) {
      expect((await ask('POST', HANDOFF, {}, { headers })).status, JSON.stringify(headers)).toBe(
        status,
      )
    }
  })

  test('an Idempotency-Key is 1 to 255 printable characters', async () => {
    for (const key of ['', 'é', 'a\tb', 'k'.repeat(256)]) {
      const headers = { 'idempotency-key': key }
      const reply = await ask('POST', '/v1/sessions', {}, { headers })
      expect(problem(reply)).toEqual(isA(422, 'invalid'))
      expect(reply.body.issues[0].path).toBe('Idempotency-Key')
    }
  })

  test('a retried creation goes to the id of the first; one that chose another id is a mismatch', async () => {
    const headers = { 'idempotency-key': 'k'.repeat(255) }
    const claim = () => Promise.resolve('first-id-001')
    const fakes = fakePorts({ catalog: { claim } })
    await ask('POST', '/v1/sessions', { title: 'a' }, { headers, fakes })
    await ask('POST', '/v1/sessions', { id: 'first-id-001' }, { headers, fakes })
    const asked = fakes.calls.map(({ name, args }) => [name, args[1]])
    expect(asked).toEqual([
      ['create', 'first-id-001'],
      ['create', 'first-id-001'],
    ])
    const other = { id: 'other-id-001' }
    const refused = await ask('POST', '/v1/sessions', other, { headers, fakes })
    expect(problem(refused)).toEqual(isA(422, 'idempotency_mismatch'))
  })

  test('a turn follows the session it moved to, but not for ever', async () => {
    const done = { turn: { id: 't', status: 'completed' }, session: 'child-000001', messages: [] }
    const turn = (id: string) => (id === ID ? { movedTo: 'child-000001', turn: 't' } : done)
    const fakes = fakePorts({ answers: { turn, followTurn: turn } })
    const path = `/v1/sessions/${ID}/turns`
    const { body } = await ask('POST', path, { message: 'x' }, { fakes })
    expect(body.session).toBe('child-000001')
    const moved = () => ({ movedTo: ID, turn: 't' })
    const circle = fakePorts({ answers: { turn: moved, followTurn: moved } })
    expect(problem(await ask('POST', path, { message: 'x' }, { fakes: circle }))).toEqual(
      isA(409, 'conflict'),
    )
    expect(circle.calls).toHaveLength(11)
  })

  test('a lineage that is a circle ends', async () => {
    const self = { ...META, status: 'idle' as const }
    const other = { ...self, id: 'session-0002', parentSession: ID }
    const fakes = fakePorts({
      answers: { view: { id: ID, parentSession: other.id } },
      catalog: { session: async () => other, children: async () => [other, self] },
    })
    const { body } = await ask('GET', `/v1/sessions/${ID}/lineage`, undefined, { fakes })
    expect(body.ancestors.map(({ id }: { id: string }) => id)).toEqual([other.id])
    expect(body.descendants.map(({ id }: { id: string }) => id)).toEqual([other.id])
  })
})

describe('the document', () => {
  test('has every operation, its problems, its path parameters and its required bodies', async () => {
    const { body } = await ask('GET', '/openapi.json')
    expect(body.openapi).toBe('3.1.0')
    for (const { method, path, answers, errors } of OPERATIONS) {
      const described = body.paths[path][method.toLowerCase()]
      const statuses = Object.keys(described.responses)
      expect(statuses.toSorted()).toEqual([...Object.keys(answers), 'default'].toSorted())
      expect(Object.keys(described.responses.default.content)).toEqual([
        errors?.type ?? 'application/problem+json',
      ])
      const inPath = (described.parameters ?? []).filter((one: { in: string }) => one.in === 'path')
      expect(inPath).toHaveLength(path.split('{').length - 1)
    }
    const bodyOf = (path: string): boolean => body.paths[path].post.requestBody.required
    expect(bodyOf('/v1/sessions/{id}/turns')).toBe(true)
    expect(bodyOf('/v1/sessions/{id}/handoff')).toBe(false)
    const refs = [...JSON.stringify(body).matchAll(/"#\/components\/schemas\/(\w+)"/g)]
    for (const [, name = ''] of refs) expect(body.components.schemas).toHaveProperty(name)
    const limit = body.paths['/v1/sessions'].get.parameters[0]
    expect(limit.schema).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 20 })
  })

  test('is also a page without scripts', async () => {
    const { text, headers } = await ask('GET', '/docs')
    expect(text).toContain('Hand the session off to a new one')
    expect(text).not.toMatch(/<script/i)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  })
})
