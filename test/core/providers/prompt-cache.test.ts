import { describe, expect, test } from 'vitest'
import { toolSession, liveTurns } from '../../fixtures/tool-session.ts'
import { ALIGNED_WIRES, alignment, handoffRequest, liveRequest } from '../../support/alignment.ts'
import type { PromptBlock } from '../../support/prompt-cache.ts'
import { createMarkedCache, createPrefixCache, promptOf } from '../../support/prompt-cache.ts'

describe.each(ALIGNED_WIRES)('a handoff over $model.api', (wire) => {
  const session = toolSession(wire.model, wire.signature)
  const turns = liveTurns(session).map((at) =>
    wire.encode(liveRequest(wire.model, session.slice(0, at))),
  )
  const side = wire.encode(handoffRequest(wire.model, session))
  const live = turns.at(-1) ?? side

  test('begins with the bytes of the live turn, to the last', () => {
    expect(alignment(live.body, side.body)).toBe(1)
    // A live turn that came now instead would be the same but for the tail.
    const now = wire.encode(liveRequest(wire.model, session))
    expect(alignment(now.body, side.body)).toBe(1)
  })

  test('differs from it in the message list and the tool choice alone, field by field in the same order', () => {
    const [one, other] = [live.body, side.body].map((body) => JSON.parse(body)) as [object, object]
    const own = ['messages', 'input', 'contents', 'tool_choice', 'toolConfig']
    const rest = (body: object) => Object.entries(body).filter(([name]) => !own.includes(name))
    expect(rest(other)).toEqual(rest(one))
    expect(Object.keys(other).slice(0, Object.keys(one).length)).toEqual(Object.keys(one))
  })

  test('reads every token that the live turns left in the cache, and writes none', () => {
    const cache = wire.createCache()
    for (const turn of turns) cache.send(promptOf(JSON.parse(turn.body)))
    // Sent once more it would read all that can be read of it.
    const again = cache.send(promptOf(JSON.parse(live.body)))
    const { read, written } = cache.send(promptOf(JSON.parse(side.body)))
    expect(again.read).toBeGreaterThan(1_024)
    expect(read).toBe(again.read)
    expect(written).toBe(0)
  })
})

describe('the simulated caches', () => {
  const block = (length: number, marked = false): PromptBlock => ({
    text: 'x'.repeat(length),
    marked,
  })

  test('OpenAI’s reads whole steps of 128 tokens from 1,024 on', () => {
    const cache = createPrefixCache()
    expect(cache.send([block(4_090)]).read).toBe(0)
    expect(cache.send([block(4_090)]).read).toBe(0)
    cache.send([block(5_000)])
    expect(cache.send([block(5_000), block(9)])).toEqual({ total: 1_252, read: 1_152, written: 0 })
    expect(cache.send([{ text: `y${'x'.repeat(5_000)}`, marked: false }]).read).toBe(0)
  })

  test('Anthropic’s reads what ends at a breakpoint or twenty blocks before, and writes up to the last one', () => {
    const cache = createMarkedCache()
    expect(cache.send([block(8_000, true)])).toMatchObject({ read: 0, written: 2_000 })
    const near = [block(8_000), ...Array.from({ length: 19 }, () => block(40)), block(400, true)]
    expect(cache.send(near)).toMatchObject({ read: 2_000 })
    const far = [block(8_000), ...Array.from({ length: 21 }, () => block(44)), block(400, true)]
    expect(cache.send(far)).toMatchObject({ read: 0 })
    expect(createMarkedCache().send([block(400, true)])).toMatchObject({ read: 0, written: 0 })
    expect(() => cache.send(Array.from({ length: 5 }, () => block(9, true)))).toThrow(
      '5 breakpoints',
    )
  })
})
