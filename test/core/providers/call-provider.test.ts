import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ModelEvent } from '../../../src/core/providers/types.ts'
import { hang } from '../../support/fake-provider.ts'
import type { Wire } from './wire.ts'
import { startWire } from './wire.ts'

let wire: Wire
beforeAll(async () => {
  wire = await startWire()
})
afterAll(() => wire.provider.close())

describe('clocks and cancel', () => {
  test.each<[string, string]>([
    ['comments', ': ping\n\n'],
    ['empty choices', 'data: {"choices":[]}\n\n'],
    ['empty deltas', 'data: {"choices":[{"delta":{"content":""}}]}\n\n'],
  ])('%s are no progress: the call times out and its connection closes', async (name, ping) => {
    wire.provider.on(name, (reply, { closed }) => {
      hang(reply)
      const timer = setInterval(() => reply.write(ping), 10)
      void closed.then(() => clearInterval(timer))
    })
    await expect(
      wire.run(wire.request(name, { options: { idleTimeoutMs: 80 } })),
    ).rejects.toMatchObject({
      class: 'timeout',
    })
    await (
      await wire.provider.waitFor(name)
    ).closed
  })

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

  test('a cancel closes the connection and comes back as its own reason', async () => {
    wire.provider.on('cancel', (reply) => hang(reply))
    const controller = new AbortController()
    const asked = wire.run(wire.request('cancel'), controller.signal)
    const { closed } = await wire.provider.waitFor('cancel')
    const reason = { why: 'not even an Error' }
    controller.abort(reason)
    await expect(asked).rejects.toBe(reason)
    await closed
  })

  test('after a cancel nothing is sent', async () => {
    await expect(wire.run(wire.request('never'), AbortSignal.abort('early'))).rejects.toBe('early')
    expect(wire.provider.requests('never')).toHaveLength(0)
  })
})
