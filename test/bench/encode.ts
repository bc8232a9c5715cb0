import type { Message } from '../../src/core/entry.ts'
import { ALIGNED_WIRES, handoffRequest } from '../support/alignment.ts'

const MESSAGES = 10_000
const CHARS = 1_000
const WARM_UP = 10
const ROUNDS = 31

/** Building a request of 10,000 messages and 10 MB on each wire, beside `JSON.stringify` of the very body it builds. */
export function benchEncode(): void {
  console.log('\nwire                  MB   build ms   JSON.stringify ms   ratio (aim: below 1.5)')
  for (const { model, encode } of ALIGNED_WIRES) {
    const { provider, id, api } = model
    const messages = Array.from({ length: MESSAGES }, (_, at): Message => {
      const text = `${at} ${'word '.repeat(CHARS / 5)}`
      const call = { type: 'toolCall', id: `call_${at}`, name: 'read', arguments: { path: text } }
      switch (at % 4) {
        case 0:
          return { role: 'user', content: text }
        case 1:
          return {
            role: 'assistant',
            content: [call as never],
            stopReason: 'toolUse',
            provider,
            model: id,
            api,
          }
        case 2:
          return {
            role: 'toolResult',
            toolCallId: `call_${at - 1}`,
            toolName: 'read',
            content: [{ type: 'text', text }],
            isError: false,
          }
        default:
          return {
            role: 'assistant',
            content: [{ type: 'text', text }],
            stopReason: 'stop',
            provider,
            model: id,
            api,
          }
      }
    })
    // As they come out of a journal: texts made of pieces would be joined within the measurement.
    const whole = handoffRequest(model, JSON.parse(JSON.stringify(messages)))
    // Nothing but ASCII, which is stringified twice as fast: what we add weighs more.
    const request = { ...whole, context: { ...whole.context, systemPrompt: ['Be brief'] } }
    const { body } = encode(request)
    const parsed: unknown = JSON.parse(body)
    const [build, bare] = both(
      () => encode(request),
      () => JSON.stringify(parsed),
    )
    console.log(
      [
        api.padEnd(21),
        (body.length / 1e6).toFixed(1).padStart(4),
        build.toFixed(1).padStart(10),
        bare.toFixed(1).padStart(19),
        (build / bare).toFixed(2).padStart(7),
      ].join(' '),
    )
  }
}

/** The medians of two works in milliseconds, in turns so that both meet the same heap; the first rounds only fill it. */
function both(one: () => unknown, other: () => unknown): readonly [number, number] {
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const [first, second] = [timed(one), timed(other)]
    if (round < WARM_UP) continue
    times[0].push(first)
    times[1].push(second)
  }
  return [median(times[0]), median(times[1])]
}

function timed(work: () => unknown): number {
  const began = performance.now()
  work()
  return performance.now() - began
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
