import { expect, test } from 'vitest'
import { createAnthropicDecoder } from '../../../../src/core/providers/decode-anthropic.ts'
import { createCompletionsDecoder } from '../../../../src/core/providers/decode-completions.ts'
import { createGoogleDecoder } from '../../../../src/core/providers/decode-google.ts'
import { createResponsesDecoder } from '../../../../src/core/providers/decode-responses.ts'
import type { ModelAnswer } from '../../../../src/core/providers/types.ts'
import { ProviderError } from '../../../../src/core/providers/types.ts'
import { decodePieces } from '../../../support/decode-bytes.ts'
import type { Chance } from '../../../support/random.ts'
import { createChance } from '../../../support/random.ts'
import { MODEL } from '../model.ts'
import { GOOD_ANTHROPIC } from './anthropic.ts'
import { GOOD_COMPLETIONS } from './completions.ts'
import { GOOD_GOOGLE } from './google.ts'
import { GOOD_RESPONSES } from './responses.ts'

/** Well-formed answers, damaged by chance: a server may send anything. */

const RUNS = 1_500
const VALUES = [null, 0, '', [], {}, 'x', -1, true, [[]], { a: 1 }, '\ud800'] as const

test.each([
  ['openai-completions', GOOD_COMPLETIONS, createCompletionsDecoder],
  ['openai-responses', GOOD_RESPONSES, createResponsesDecoder],
  ['anthropic-messages', GOOD_ANTHROPIC, createAnthropicDecoder],
  ['google-generative-ai', GOOD_GOOGLE, createGoogleDecoder],
] as const)(
  '%s: whatever comes is a whole answer or a ProviderError',
  async (api, good, create) => {
    for (let seed = 1; seed <= RUNS; seed += 1) {
      const chance = createChance(seed)
      const fixture = good[chance.below(good.length)] ?? good[0]!
      const bytes = damage(new TextDecoder().decode(fixture.bytes), chance)
      const createDecoder = () => create({ ...MODEL, api }, () => undefined)
      const said = await decodePieces([bytes], createDecoder).catch((thrown: unknown) => thrown)
      if (said instanceof ProviderError) continue
      expect(isWhole(said as ModelAnswer), `seed ${seed}: ${String(said)}`).toBe(true)
    }
  },
)

function isWhole({ content, usage, stopReason }: ModelAnswer): boolean {
  const blocks = content.every((block) => {
    if (block.type === 'text') return typeof block.text === 'string'
    if (block.type === 'thinking') return typeof block.thinking === 'string'
    if (block.type !== 'toolCall' || block.id === '' || typeof block.name !== 'string') return false
    return typeof block.arguments === 'object' && !Array.isArray(block.arguments)
  })
  const { input, output, cacheRead, cacheWrite, reasoning = null } = usage
  const counts = [input, output, cacheRead, cacheWrite, reasoning].every(
    (count) => count === null || (Number.isInteger(count) && count >= 0),
  )
  return blocks && counts && /^(?:stop|length|toolUse)$/.test(stopReason)
}

/** Values of its events changed, events lost, doubled and moved, bytes cut off and replaced. */
function damage(stream: string, chance: Chance): Uint8Array {
  const events = stream.split(/\r\n\r\n|\n\n|\r\r/).map((event) => {
    const [, head = '', json = ''] = /^([\s\S]*?data: ?)([{[][\s\S]*)$/.exec(event) ?? []
    if (json === '' || !chance.oneIn(3)) return event
    try {
      return head + JSON.stringify(change(JSON.parse(json), chance))
    } catch {
      return event
    }
  })
  if (chance.oneIn(5)) events.splice(chance.below(events.length), 1)
  if (chance.oneIn(6)) events.push(events[chance.below(events.length)] ?? '')
  if (chance.oneIn(5)) events.reverse()
  const bytes = new TextEncoder().encode(events.join('\n\n'))
  if (chance.oneIn(10)) bytes[chance.below(bytes.length)] = chance.below(256)
  return chance.oneIn(10) ? bytes.subarray(0, chance.below(bytes.length)) : bytes
}

function change(value: unknown, chance: Chance): unknown {
  if (typeof value !== 'object' || value === null) {
    return chance.oneIn(4) ? chance.pick(VALUES) : value
  }
  if (Array.isArray(value)) return value.map((one) => (chance.oneIn(3) ? change(one, chance) : one))
  const fields = Object.entries(value).filter(() => !chance.oneIn(12))
  return Object.fromEntries(
    fields.map(([name, of]) => [name, chance.oneIn(3) ? change(of, chance) : of]),
  )
}
