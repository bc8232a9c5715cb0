import assert from 'node:assert/strict'
import type { FakeProvider } from '../../support/fake-provider.ts'
import { checkAnswer } from '../../support/check-answer.ts'
import type { TestServer } from '../../support/start-server.ts'

/** What a case of the black-box suite may touch: a running server and the provider it asks. */
export interface World {
  readonly server: TestServer
  readonly provider: FakeProvider
}

/** One behaviour, as data; both runtimes run it. */
export interface Case {
  readonly name: string
  run(world: World): Promise<void>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON of the server, taken apart by assertions
  readonly body: any
}

/** Dollars for a million tokens. */
const PRICED = {
  id: 'claude-priced',
  cost: { input: 1, output: 2, cacheRead: 0.5, cacheWrite: 4 },
}

/** The variables that every server under test is started with. */
export function variables(provider: FakeProvider): Readonly<Record<string, string>> {
  const host = `http://127.0.0.1:${provider.port}`
  const baseUrl = `${host}/v1`
  const api = 'openai-completions'
  const known = { apiKey: 'test-key-1234567890', options: { idleTimeoutMs: 1500 } }
  return {
    PROVIDERS: JSON.stringify({
      fake: { ...known, api, baseUrl },
      slow: { api, baseUrl, apiKey: 'test-key-1234567890' },
      cached: { api, baseUrl, options: { promptCacheKey: true } },
      responses: { ...known, api: 'openai-responses', baseUrl },
      claude: { ...known, api: 'anthropic-messages', baseUrl: host, models: [PRICED] },
      mistral: { ...known, baseUrl },
      gemini: { ...known, api: 'google-generative-ai', baseUrl: `${host}/v1beta` },
      keyless: { api, baseUrl, apiKeyEnv: 'KEYLESS_API_KEY' },
    }),
  }
}

/** Calls the API; a body that is no string is sent as JSON. Every answer must be what the OpenAPI document promises. */
export async function call(
  { server }: World,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const raw = typeof body === 'string' || body instanceof Uint8Array
  const answer = await fetch(`${server.baseUrl}${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
  })
  const text = await answer.text()
  const { status, headers: sent } = answer
  const type = sent.get('content-type') ?? ''
  const json = type.includes('json') && !type.includes('ndjson')
  const read = { status, headers: sent, body: json ? JSON.parse(text) : text }
  await checkAnswer(server.baseUrl, { method, path }, { status, type, body: read.body })
  return read
}

export const TALK = [
  { role: 'user', content: 'Move the shop API to Postgres. Never drop the orders table.' },
  { role: 'assistant', content: [{ type: 'text', text: 'Done: src/db.ts uses the pool now.' }] },
]

/** A session with two messages. */
export async function newSession(world: World, fields: object = {}): Promise<string> {
  const { status, body } = await call(world, 'POST', '/v1/sessions', { messages: TALK, ...fields })
  assert.equal(status, 201, JSON.stringify(body))
  return body.id as string
}

/** Asks for a handoff and waits for its end. */
export function handOff(world: World, id: string): Promise<Answer> {
  return call(world, 'POST', `/v1/sessions/${id}/handoff`)
}

/** Asserts a problem of the contract: status, media type, code and, where given, the exact detail. */
export function isProblem(answer: Answer, status: number, code: string, detail?: string): void {
  assert.equal(answer.status, status, JSON.stringify(answer.body))
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/)
  assert.equal(answer.body.code, code)
  assert.equal(answer.body.status, status)
  assert.equal(typeof answer.body.title, 'string')
  if (detail !== undefined) assert.equal(answer.body.detail, detail)
}
