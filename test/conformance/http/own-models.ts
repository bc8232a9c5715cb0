import assert from 'node:assert/strict'
import { answer, say } from '../../support/fake-provider.ts'
import { sayAnthropic } from '../../support/say-anthropic.ts'
import type { Case } from './world.ts'
import { call, handOff, newSession } from './world.ts'

const TOOLS = [{ name: 'read', description: 'd', parameters: { type: 'object' } }]

/** What one provider or model has of its own. */
export const OWN_MODEL_CASES: readonly Case[] = [
  {
    name: 'Mistral behind a proxy gets an assistant message between a tool result and the handoff’s prompt, and ids of nine characters',
    async run(world) {
      world.provider.on('bridged', (reply) => say(reply, 'D'))
      const call = { type: 'toolCall', id: 'call_abcdefgh', name: 'read', arguments: {} }
      const content = [{ type: 'text', text: 'r' }]
      const id = await newSession(world, {
        model: 'mistral/bridged',
        tools: TOOLS,
        messages: [
          { role: 'user', content: 'look' },
          { role: 'assistant', content: [call] },
          { role: 'toolResult', toolCallId: call.id, toolName: 'read', content },
        ],
      })
      assert.equal((await handOff(world, id)).status, 201)
      const { messages } = (world.provider.requests('bridged')[0]?.body ?? {}) as {
        messages: { role: string; tool_call_id?: string; tool_calls?: { id: string }[] }[]
      }
      assert.deepEqual(
        messages.map(({ role }) => role),
        ['user', 'assistant', 'tool', 'assistant', 'user'],
      )
      assert.match(messages[2]?.tool_call_id ?? '', /^[a-z0-9]{9}$/)
      assert.equal(messages[1]?.tool_calls?.[0]?.id, messages[2]?.tool_call_id)
    },
  },
  {
    name: 'a handoff with a model whose prices are known says what it cost',
    async run(world) {
      const usage = {
        input_tokens: 1_000,
        cache_read_input_tokens: 10_000,
        cache_creation_input_tokens: 100,
        output_tokens: 500,
      }
      world.provider.on('claude-priced', (reply) => sayAnthropic(reply, 'D', { usage }))
      const id = await newSession(world, { model: 'claude/claude-priced' })
      const { body } = await handOff(world, id)
      const { total, ...parts } = body.usage.cost
      assert.deepEqual(parts, { input: 0.001, output: 0.001, cacheRead: 0.005, cacheWrite: 0.0004 })
      assert.ok(Math.abs(total - 0.0074) < 1e-9)
    },
  },
  {
    name: 'what a server refuses by name is not sent to it again, by turns and handoffs alike',
    async run(world) {
      world.provider.on('cached-never', (reply, { body }) =>
        'prompt_cache_key' in body
          ? answer(reply, 400, { error: { message: "property 'prompt_cache_key' is unsupported" } })
          : say(reply, 'D'),
      )
      const id = await newSession(world, { model: 'cached/cached-never' })
      const turn = await call(world, 'POST', `/v1/sessions/${id}/turns`, { message: 'go on' })
      assert.equal(turn.body.turn.status, 'completed')
      const made = await handOff(world, id)
      assert.equal(made.body.attempts, 1)
      assert.deepEqual(
        world.provider.requests('cached-never').map(({ body }) => 'prompt_cache_key' in body),
        [true, false, false],
      )
    },
  },
]
