import assert from 'node:assert/strict'
import { answer, say } from '../../support/fake-provider.ts'
import type { Answer, Case, World } from './world.ts'
import { call, newSession } from './world.ts'

/** For a server of an embedding program, with the tools of the fixtures. */

interface Called {
  readonly name: string
  readonly args: object
}

/** A model that calls these tools at once, and then says `done`. */
async function turnWith(
  world: World,
  model: string,
  calls: readonly Called[],
): Promise<{ readonly id: string; readonly turn: Promise<Answer> }> {
  world.provider.on(model, (reply, _request, attempt) => {
    if (attempt > 1) return say(reply, 'done')
    const toolCalls = calls.map(({ name, args }, index) => ({
      index,
      id: `call_${index}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }))
    say(reply, '', { finish: 'tool_calls', toolCalls })
  })
  const id = await newSession(world, { model: `slow/${model}`, messages: [] })
  return { id, turn: call(world, 'POST', `/v1/sessions/${id}/turns`, { message: 'Go' }) }
}

function results({ body }: Answer): readonly { isError: boolean; content: { text: string }[] }[] {
  return body.messages.filter(({ role }: { role: string }) => role === 'toolResult')
}

export const SERVER_TOOL_CASES: readonly Case[] = [
  {
    name: 'registered tools run inside the turn, and the model goes on with their results',
    async run(world) {
      const model = 'tools-run'
      const { turn } = await turnWith(world, model, [
        { name: 'add', args: { a: 2, b: 3 } },
        { name: 'broken', args: {} },
        { name: 'add', args: { a: 'two' } },
      ])
      const ended = await turn
      assert.equal(ended.body.turn.status, 'completed', JSON.stringify(ended.body))
      const [sum, broken, wrong] = results(ended)
      assert.deepEqual(sum?.content, [{ type: 'text', text: '{"sum":5}' }])
      assert.equal(broken?.isError, true)
      assert.match(broken?.content[0]?.text ?? '', /The disk is full/)
      assert.equal(wrong?.isError, true)
      assert.match(wrong?.content[0]?.text ?? '', /Invalid arguments/)
      assert.deepEqual(ended.body.messages.at(-1).content, [{ type: 'text', text: 'done' }])
      const [first] = world.provider.requests(model)
      const offered = first?.body['tools'] as { function: { name: string } }[]
      assert.deepEqual(
        offered.map((tool) => tool.function.name),
        ['add', 'never', 'patient', 'long', 'broken'],
      )
    },
  },
  {
    name: 'a tool that does not end is given up, and one that says too much is cut',
    async run(world) {
      const { turn } = await turnWith(world, 'tools-limits', [
        { name: 'never', args: {} },
        { name: 'long', args: {} },
      ])
      const [never, long] = results(await turn)
      assert.equal(never?.isError, true)
      const text = long?.content[0]?.text ?? ''
      assert.ok(text.startsWith('x'.repeat(900)) && text.length < 1_500, `${text.length}`)
    },
  },
  {
    name: 'an aborted turn aborts its tools, answers their calls with errors and asks nothing more',
    async run(world) {
      const model = 'tools-abort'
      world.provider.on('patient-aborted', (reply) => answer(reply, 200, {}))
      const url = `http://127.0.0.1:${world.provider.port}/`
      const { id, turn } = await turnWith(world, model, [{ name: 'patient', args: { url } }])
      await world.provider.waitFor(model)
      for (;;) {
        const { body } = await call(world, 'GET', `/v1/sessions/${id}/entries`)
        if (body.items.at(-1)?.message?.stopReason === 'toolUse') break
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      const { body } = await call(world, 'DELETE', `/v1/sessions/${id}/turns`)
      assert.equal(body.turn.status, 'cancelled')
      await world.provider.waitFor('patient-aborted')
      const ended = await turn
      assert.equal(ended.body.turn.status, 'cancelled')
      assert.equal(results(ended)[0]?.isError, true)
      assert.equal(world.provider.requests(model).length, 1)
    },
  },
]
