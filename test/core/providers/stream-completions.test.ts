import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Message } from '../../../src/core/entry.ts'
import {
  encodeOpenAiCompletions,
  streamOpenAiCompletions,
} from '../../../src/core/providers/openai-completions.ts'
import type { Model, ModelEvent, ModelRequest } from '../../../src/core/providers/types.ts'
import type { FakeProvider } from '../../support/fake-provider.ts'
import { answer, hang, say, startFakeProvider } from '../../support/fake-provider.ts'

let provider: FakeProvider
beforeAll(async () => {
  provider = await startFakeProvider()
})
afterAll(() => provider.close())

function request(id: string, more: Partial<Model> = {}): ModelRequest {
  const model: Model = {
    provider: 'fake',
    id,
    api: 'openai-completions',
    baseUrl: `http://127.0.0.1:${provider.port}/v1`,
    apiKey: 'secret-key-123',
    keyRequired: true,
    headers: {},
    contextWindow: null,
    maxTokens: null,
    reasoning: false,
    efforts: [],
    input: ['text'],
    options: {},
    ...more,
  }
  const messages: readonly Message[] = [{ role: 'user', content: 'hi' }]
  const tools = [{ name: 't', description: 'd', parameters: { type: 'object' } }]
  const context = { systemPrompt: ['S'], tools, messages }
  return { model, context, effort: null, cacheKey: 'k', sessionId: 's' }
}

function run(asked: ModelRequest, signal = new AbortController().signal, seen: ModelEvent[] = []) {
  return streamOpenAiCompletions(asked, { signal, onEvent: (event) => void seen.push(event) })
}

describe('what is sent', () => {
  test('handoff and live turn are the same bytes up to the appended message and tool_choice (Q6)', () => {
    const live = request('m', { maxTokens: 100 })
    const appended: Message = { role: 'user', content: 'Write the handoff' }
    const side: ModelRequest = {
      ...live,
      context: { ...live.context, messages: [...live.context.messages, appended] },
      toolChoice: 'none',
      sessionId: 's:side:1',
    }
    const body = encodeOpenAiCompletions(live).body
    const added = `,${JSON.stringify(appended)}]`
    expect(encodeOpenAiCompletions(side).body.replace(added, ']')).toBe(
      body.replace('],"max_tokens"', '],"tool_choice":"none","max_tokens"'),
    )
  })

  test('tool_choice is left out where the provider has none, and is never null', () => {
    const base = request('m', { options: { toolChoice: false } })
    const body = encodeOpenAiCompletions({ ...base, toolChoice: 'none' }).body
    expect(body).not.toContain('tool_choice')
    expect(encodeOpenAiCompletions(request('m')).body).not.toContain('tool_choice')
  })

  test('an object schema without properties gets empty ones (B32)', () => {
    const { tools } = JSON.parse(encodeOpenAiCompletions(request('m')).body)
    expect(tools[0].function.parameters).toEqual({ type: 'object', properties: {} })
  })

  test('thinking and empty texts stay behind, several texts are joined, and images become words', () => {
    const base = request('m')
    const image = { type: 'image', data: 'AA', mimeType: 'image/png' } as const
    const text = (said: string) => ({ type: 'text', text: said }) as const
    const messages: readonly Message[] = [
      { role: 'developer', content: 'note' },
      { role: 'user', content: [image, text('')] },
      {
        role: 'assistant',
        stopReason: 'stop',
        content: [{ type: 'thinking', thinking: 'hm' }, text('a'), text(''), text('b')],
      },
      { role: 'user', content: '' },
    ]
    const { body } = encodeOpenAiCompletions({ ...base, context: { ...base.context, messages } })
    expect(JSON.parse(body).messages).toEqual([
      { role: 'system', content: 'S' },
      { role: 'system', content: 'note' },
      {
        role: 'user',
        content: [{ type: 'text', text: '[An image that this model cannot see]' }],
      },
      { role: 'assistant', content: 'a\nb' },
    ])
  })

  test('a configured header replaces ours in any spelling', async () => {
    await run(request('headers', { headers: { Authorization: 'Token x', 'X-Y': 'z' } }))
    const [got] = provider.requests('headers')
    expect(got?.headers).toMatchObject({
      authorization: 'Token x',
      'x-y': 'z',
      'content-type': 'application/json',
    })
  })

  test('without a key there is no authorization', async () => {
    await run(request('keyless', { apiKey: null, keyRequired: false }))
    expect(provider.requests('keyless')[0]?.headers.authorization).toBeUndefined()
  })
})

describe('what comes back', () => {
  test('pieces are told as they come and the answer is whole', async () => {
    provider.on('plain', (reply) => say(reply, 'Grüße 😀', { usage: { prompt_tokens: 3 } }))
    const seen: ModelEvent[] = []
    const got = await run(request('plain'), undefined, seen)
    expect(got.content).toEqual([{ type: 'text', text: 'Grüße 😀' }])
    expect(got.usage.input).toBe(3)
    expect(seen).toEqual([{ type: 'text', delta: 'Grüße 😀' }])
  })

  test('a server that ignores `stream` is understood', async () => {
    const message = { role: 'assistant', content: 'whole' }
    provider.on('unstreamed', (reply) =>
      answer(reply, 200, { choices: [{ message, finish_reason: 'length' }] }),
    )
    expect(await run(request('unstreamed'))).toMatchObject({
      content: [{ type: 'text', text: 'whole' }],
      stopReason: 'length',
    })
  })

  test.each<[string, string, string, RegExp]>([
    ['JSON', '{"error":{"message":"bad","code":400}}', 'refused', /^bad$/],
    ['a page', '<!DOCTYPE html><title>x', 'overloaded', /HTML page$/],
    ['plain text', 'upstream is down', 'overloaded', /^upstream is down$/],
    ['nothing', '', 'truncated', /broke off/],
    ['cut JSON', 'data: {"choices":[{"delta":{"content":"secr', 'truncated', /broke off/],
    ['a cut answer', 'data: {"choices":[{"delta":{"content":"a"}}]}', 'truncated', /broke off/],
  ])('a 200 with %s is an error', async (name, body, cls, message) => {
    provider.on(`200 ${name}`, (reply) => answer(reply, 200, body))
    const failed = await run(request(`200 ${name}`)).catch((thrown: unknown) => thrown)
    expect(failed).toMatchObject({ class: cls, message: expect.stringMatching(message) })
  })

  test('a redirect is not followed, so the key stays with its host', async () => {
    const location = `http://127.0.0.1:${provider.port}/elsewhere`
    provider.on('redirect', (reply) => answer(reply, 307, '', { location }))
    await expect(run(request('redirect'))).rejects.toMatchObject({ class: 'protocol', status: 307 })
    expect(provider.requests('redirect')).toHaveLength(1)
  })

  test('a refusal whose text breaks off is still a refusal, not a lost connection (R2)', async () => {
    provider.on('cut refusal', (reply) => {
      reply.writeHead(401, { 'content-length': '1000' })
      reply.write('no')
      setTimeout(() => reply.destroy(), 20)
    })
    await expect(run(request('cut refusal'))).rejects.toMatchObject({ class: 'auth', status: 401 })
  })

  test('a connection that drops amid the answer is a network error', async () => {
    provider.on('drop', (reply) => {
      hang(reply)
      setTimeout(() => reply.destroy(), 20)
    })
    await expect(run(request('drop'))).rejects.toMatchObject({ class: 'network' })
  })
})

describe('clocks and cancel', () => {
  test.each<[string, string]>([
    ['comments', ': ping\n\n'],
    ['empty choices', 'data: {"choices":[]}\n\n'],
    ['empty deltas', 'data: {"choices":[{"delta":{"content":""}}]}\n\n'],
  ])('%s are no progress: the call times out and its connection closes', async (name, ping) => {
    provider.on(name, (reply, { closed }) => {
      hang(reply)
      const timer = setInterval(() => reply.write(ping), 10)
      void closed.then(() => clearInterval(timer))
    })
    await expect(run(request(name, { options: { idleTimeoutMs: 80 } }))).rejects.toMatchObject({
      class: 'timeout',
    })
    await (
      await provider.waitFor(name)
    ).closed
  })

  test('real progress winds the idle clock up, the total one runs on', async () => {
    provider.on('busy', (reply, { closed }) => {
      hang(reply)
      const piece = 'data: {"choices":[{"delta":{"content":"x"}}]}\n\n'
      const timer = setInterval(() => reply.write(piece), 10)
      void closed.then(() => clearInterval(timer))
    })
    const seen: ModelEvent[] = []
    const options = { idleTimeoutMs: 100, totalTimeoutMs: 300 }
    const failed = run(request('busy', { options }), undefined, seen)
    await expect(failed).rejects.toMatchObject({
      class: 'timeout',
      message: 'no complete answer within 300 ms',
    })
    expect(seen.length).toBeGreaterThan(5)
  })

  test('no answer at all times out too', async () => {
    provider.on('mute', () => undefined)
    await expect(run(request('mute', { options: { idleTimeoutMs: 50 } }))).rejects.toMatchObject({
      class: 'timeout',
    })
  })

  test('a cancel closes the connection and comes back as its own reason', async () => {
    provider.on('cancel', (reply) => hang(reply))
    const controller = new AbortController()
    const asked = run(request('cancel'), controller.signal)
    const { closed } = await provider.waitFor('cancel')
    const reason = { why: 'not even an Error' }
    controller.abort(reason)
    await expect(asked).rejects.toBe(reason)
    await closed
  })

  test('after a cancel nothing is sent', async () => {
    await expect(run(request('never'), AbortSignal.abort('early'))).rejects.toBe('early')
    expect(provider.requests('never')).toHaveLength(0)
  })
})
