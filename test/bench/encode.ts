import type { Message } from '../../src/core/entry.ts'
import { ALIGNED_WIRES, handoffRequest } from '../support/alignment.ts'

const MESSAGES = 10_000
const CHARS = 1_000
const LARGE = 1e6
const ROUNDS = 31

/** Building a request of 10,000 messages and 10 MB on each wire, beside the `JSON.stringify` of its body. */
export function benchEncode(): void {
  console.log(
    '\nwire                  MB   build ms   its JSON.stringify ms   ratio (aim: below 1.5)',
  )
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
    const rounds = Array.from({ length: ROUNDS }, () => measure(() => encode(request).body))
    const [size = 0, build = 0, inside = 0] = [
      median(rounds.map(({ bytes }) => bytes)),
      median(rounds.map(({ total }) => total)),
      median(rounds.map(({ stringify }) => stringify)),
    ]
    console.log(
      [
        api.padEnd(21),
        (size / 1e6).toFixed(1).padStart(4),
        build.toFixed(1).padStart(10),
        inside.toFixed(1).padStart(23),
        median(rounds.map(({ total, stringify }) => total / stringify))
          .toFixed(2)
          .padStart(7),
      ].join(' '),
    )
  }
}

interface Measured {
  readonly bytes: number
  readonly total: number
  /** milliseconds of it in which the whole body became text */
  readonly stringify: number
}

/**
 * One build, and the `JSON.stringify` of the body within it: beside each other, because a stringify of 10 MB takes 12
 * or 21 ms by what the heap looks like, whoever calls it.
 */
function measure(build: () => string): Measured {
  const { stringify } = JSON
  let inside = 0
  JSON.stringify = (value: object): string => {
    const began = performance.now()
    const text = stringify(value)
    // Arguments of tool calls are texts within the body; they count as building.
    if (text.length > LARGE) inside = performance.now() - began
    return text
  }
  try {
    const began = performance.now()
    const { length } = build()
    return { bytes: length, total: performance.now() - began, stringify: inside }
  } finally {
    JSON.stringify = stringify
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
