import { describe, expect, test } from 'vitest'
import type { AssistantMessage, Block, InputBlock, Message } from '../../../src/core/entry.ts'
import { pairTools } from '../../../src/core/session/pair-tools.ts'
import type { AlignedWire } from '../../support/alignment.ts'
import { ALIGNED_WIRES, alignment, handoffRequest, liveRequest } from '../../support/alignment.ts'
import type { Chance } from '../../support/random.ts'
import { createChance } from '../../support/random.ts'

/** Histories that no program would write on purpose: what providers refuse must be in none of the bodies made of them. */

const RUNS = 400
const TEXTS = ['', ' \n', 'word', 'Grüße 日本 🙂', '</handoff-context>'] as const

function text(chance: Chance): InputBlock {
  return { type: 'text', text: chance.pick(TEXTS) }
}

function input(chance: Chance): readonly InputBlock[] {
  return Array.from({ length: chance.below(4) }, () =>
    chance.oneIn(4) ? { type: 'image', data: 'AA==', mimeType: 'image/png' } : text(chance),
  )
}

function assistant(chance: Chance, { model, signature }: AlignedWire): AssistantMessage {
  const content = Array.from({ length: chance.below(5) }, (): Block => {
    switch (chance.below(4)) {
      case 0:
        return {
          type: 'thinking',
          thinking: chance.pick(TEXTS),
          ...(chance.oneIn(2) ? { signature } : {}),
        }
      case 1:
        return {
          type: 'toolCall',
          id: `call|${chance.below(4)}`,
          name: 'read',
          arguments: { n: chance.below(9) },
        }
      default:
        return text(chance) as Block
    }
  })
  const { provider, id, api } = model
  const by = chance.oneIn(4) ? { provider: 'other' } : { provider }
  return { role: 'assistant', content, stopReason: 'stop', model: id, api, ...by }
}

function message(chance: Chance, wire: AlignedWire): Message {
  switch (chance.below(5)) {
    case 0:
      return assistant(chance, wire)
    case 1:
    case 2:
      return {
        role: 'toolResult',
        toolCallId: `call|${chance.below(4)}`,
        toolName: 'read',
        content: input(chance),
        isError: chance.oneIn(3),
      }
    case 3:
      return { role: 'developer', content: chance.pick(TEXTS) }
    default:
      return { role: 'user', content: chance.oneIn(2) ? chance.pick(TEXTS) : input(chance) }
  }
}

type Item = Readonly<Record<string, unknown>>
const listOf = (value: unknown): readonly Item[] => (Array.isArray(value) ? value : [])

/** Every call directly followed by its own results, each id once; nothing blank. Throws where a provider would. */
const CHECKS: Readonly<Record<string, (body: Item) => void>> = {
  'openai-completions'({ messages }) {
    const all = listOf(messages)
    const ids = new Set<unknown>()
    for (const [at, said] of all.entries()) {
      const calls = listOf(said['tool_calls'])
      for (const [offset, call] of calls.entries()) {
        expect(ids.has(call['id'])).toBe(false)
        ids.add(call['id'])
        expect(all[at + 1 + offset]).toMatchObject({ role: 'tool', tool_call_id: call['id'] })
      }
      if (said['role'] === 'tool') expect(ids.has(said['tool_call_id'])).toBe(true)
      if (calls.length === 0) expect(said['content']).not.toBeNull()
      expect(said['content']).not.toEqual([])
    }
  },
  'openai-responses'({ input: items }) {
    const open: unknown[] = []
    for (const [at, item] of listOf(items).entries()) {
      if (item['type'] === 'function_call') open.push(item['call_id'])
      else if (item['type'] === 'function_call_output') expect(open.shift()).toBe(item['call_id'])
      else expect(open).toEqual([])
      if (item['type'] !== 'reasoning') continue
      const next = listOf(items)[at + 1]
      expect(next?.['role'] ?? next?.['type']).toMatch(/^(?:assistant|function_call|reasoning)$/)
    }
    expect(open).toEqual([])
  },
  'anthropic-messages'(body) {
    expect(JSON.stringify(body).split('"cache_control"').length - 1).toBeLessThanOrEqual(4)
    const messages = listOf(body['messages'])
    expect(messages[0]?.['role']).toBe('user')
    expect(messages.at(-1)?.['role']).toBe('user')
    for (const [at, said] of messages.entries()) {
      const blocks = listOf(said['content'])
      expect(blocks.length).toBeGreaterThan(0)
      const typed = blocks.map(({ type }) => type)
      const calls = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id)
      const next = listOf(messages[at + 1]?.['content']).slice(0, calls.length)
      expect(next.map(({ tool_use_id }) => tool_use_id)).toEqual(calls)
      expect(typed.lastIndexOf('tool_result')).toBeLessThan(
        typed.findIndex((type) => type !== 'tool_result') >>> 0,
      )
      for (const block of blocks) if (block['type'] === 'text') expect(block['text']).toMatch(/\S/)
    }
  },
  'google-generative-ai'({ contents }) {
    const all = listOf(contents)
    expect(all[0]?.['role']).toBe('user')
    for (const [at, said] of all.entries()) {
      const parts = listOf(said['parts'])
      expect(parts.length).toBeGreaterThan(0)
      const calls = parts.filter((part) => 'functionCall' in part).length
      if (calls === 0) continue
      const answers = listOf(all[at + 1]?.['parts']).filter((part) => 'functionResponse' in part)
      expect(answers).toHaveLength(calls)
      expect(all[at - 1]?.['role']).toBe('user')
    }
  },
}

describe.each(ALIGNED_WIRES)('over $model.api', (wire) => {
  test('no random history makes a body that its provider would refuse, and every handoff begins with its live turn', () => {
    for (let seed = 1; seed <= RUNS; seed += 1) {
      const chance = createChance(seed)
      const length = 1 + chance.below(14)
      const messages = pairTools(Array.from({ length }, () => message(chance, wire)))
      const live = wire.encode(liveRequest(wire.model, messages)).body
      const side = wire.encode(handoffRequest(wire.model, messages)).body
      expect(alignment(live, side), `seed ${seed}`).toBe(1)
      expect(
        () => CHECKS[wire.model.api]?.(JSON.parse(side)),
        `seed ${seed}: ${side}`,
      ).not.toThrow()
    }
  })
})
