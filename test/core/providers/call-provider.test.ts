import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callProvider } from '../../../src/core/providers/call-provider.ts'
import { encodeOpenAiCompletions } from '../../../src/core/providers/openai-completions.ts'
import type { ModelEvent } from '../../../src/core/providers/types.ts'
import { ProviderError } from '../../../src/core/providers/types.ts'
import { answer, hang } from '../../support/fake-provider.ts'
import type { Wire } from './wire.ts'
import { startWire } from './wire.ts'

let wire: Wire
beforeAll(async () => {
  wire = await startWire()
})
afterAll(() => wire.provider.close())

describe('the connection', () => {
  test('a redirect is not followed, so the key stays with its host', async () => {
    const location = `http://127.0.0.1:${wire.provider.port}/elsewhere`
    wire.provider.on('redirect', (reply) => answer(reply, 307, '', { location }))
    await expect(wire.run(wire.request('redirect'))).rejects.toMatchObject({
      class: 'protocol',
      status: 307,
    })
    expect(wire.provider.requests('redirect')).toHaveLength(1)
  })

  test('a refusal whose text breaks off is still a refusal, not a lost connection (R2)', async () => {
    wire.provider.on('cut refusal', (reply) => {
      reply.writeHead(401, { 'content-length': '1000' })
      reply.write('no')
      setTimeout(() => reply.destroy(), 20)
    })
    await expect(wire.run(wire.request('cut refusal'))).rejects.toMatchObject({
      class: 'auth',
      status: 401,
    })
  })

  test('a connection that drops amid the answer is a network error', async () => {
    wire.provider.on('drop', (reply) => {
      hang(reply)
      setTimeout(() => reply.destroy(), 20)
    })
    await expect(wire.run(wire.request('drop'))).rejects.toMatchObject({ class: 'network' })
  })

  test('a refusal that never ends is read only so far', async () => {
    wire.provider.on('endless', (reply, { closed }) => {
      reply.writeHead(400)
      const timer = setInterval(() => reply.write('x'.repeat(20_000)), 5)
      void closed.then(() => clearInterval(timer))
    })
    await expect(wire.run(wire.request('endless'))).rejects.toMatchObject({ class: 'refused' })
    const { closed } = await wire.provider.waitFor('endless')
    await closed
  })

  test('a reader that gives up loses its connection, and its error is the one that comes out', async () => {
    wire.provider.on('given up', (reply) => hang(reply))
    const { model, ...rest } = wire.request('given up')
    const given = new ProviderError('protocol', 'enough')
    const read = () => Promise.reject(given)
    const signal = new AbortController().signal
    const call = encodeOpenAiCompletions({ model, ...rest })
    await expect(callProvider(model, call, { signal, read })).rejects.toBe(given)
    const { closed } = await wire.provider.waitFor('given up')
    await closed
  })

  test('no server at all is a network error that says no address', async () => {
    const asked = wire.request('nowhere', { baseUrl: 'http://127.0.0.1:1/v1' })
    await expect(wire.run(asked)).rejects.toMatchObject({
      class: 'network',
      message: 'The connection to fake failed',
    })
  })
})

describe('clocks and cancel', () => {
  test.each<[string, string]>([
    ['comments', ': ping\n\n'],
    ['empty choices', 'data: {"choices":[]}\n\n'],
    ['empty deltas', 'data: {"choices":[{"delta":{"content":""}}]}\n\n'],
  ])(
    '%s are no progress: they buy three times the patience, then the call times out and its connection closes',
    async (name, ping) => {
      wire.provider.on(name, (reply, { closed }) => {
        hang(reply)
        const timer = setInterval(() => reply.write(ping), 10)
        void closed.then(() => clearInterval(timer))
      })
      await expect(
        wire.run(wire.request(name, { options: { idleTimeoutMs: 80 } })),
      ).rejects.toMatchObject({ class: 'timeout', message: 'no progress for 240 ms' })
      await (
        await wire.provider.waitFor(name)
      ).closed
    },
  )

  test('real progress winds the idle clock up, the total one runs on', async () => {
    wire.provider.on('busy', (reply, { closed }) => {
      hang(reply)
      const piece = 'data: {"choices":[{"delta":{"content":"x"}}]}\n\n'
      const timer = setInterval(() => reply.write(piece), 10)
      void closed.then(() => clearInterval(timer))
    })
    const seen: ModelEvent[] = []
    const options = { idleTimeoutMs: 100, totalTimeoutMs: 300 }
    const failed = wire.run(wire.request('busy', { options }), undefined, seen)
    await expect(failed).rejects.toMatchObject({
      class: 'timeout',
      message: 'no complete answer within 300 ms',
    })
    expect(seen.length).toBeGreaterThan(5)
  })

  test('no answer at all times out too', async () => {
    wire.provider.on('mute', () => undefined)
    await expect(
      wire.run(wire.request('mute', { options: { idleTimeoutMs: 50 } })),
    ).rejects.toMatchObject({
      class: 'timeout',
    })
  })

  test('a cancel closes the connection and comes back as its own reason (C3, C4)', async () => {
    wire.provider.on('cancel', (reply) => hang(reply))
    const controller = new AbortController()
    const asked = wire.run(wire.request('cancel'), controller.signal)
    const { closed } = await wire.provider.waitFor('cancel')
    const reason = { why: 'not even an Error' }
    controller.abort(reason)
    await expect(asked).rejects.toBe(reason)
    await closed
  })

  test('after a cancel nothing is sent (G6)', async () => {
    await expect(wire.run(wire.request('never'), AbortSignal.abort('early'))).rejects.toBe('early')
    expect(wire.provider.requests('never')).toHaveLength(0)
  })
})
