import assert from 'node:assert/strict'
import { say } from '../../support/fake-provider.ts'
import {
  assistantLine,
  compactedFile,
  entry,
  header,
  toFile,
  userLine,
} from '../../fixtures/session-files.ts'
import type { Case, World } from './world.ts'
import { call, isProblem, newSession } from './world.ts'

const NOTHING = 'Nothing to hand off (no messages yet)'

async function imported(world: World, file: string, model: string): Promise<string> {
  const ndjson = { 'content-type': 'application/x-ndjson' }
  const { status, body } = await call(world, 'POST', '/v1/sessions/import', file, ndjson)
  assert.equal(status, 201, JSON.stringify(body))
  const id = body.session.id as string
  assert.equal((await call(world, 'PATCH', `/v1/sessions/${id}`, { model })).status, 200)
  return id
}

/** What of a session counts for a handoff, and what of it a model sees. */
export const BRANCH_CASES: readonly Case[] = [
  {
    name: 'only messages count, and only those of the current branch (G4, G5)',
    async run(world) {
      const sibling = [userLine('a', null, 'one'), assistantLine('b', 'a', 'two')]
      const note = { customType: 'note', content: 'x', display: true }
      for (const lines of [
        [...sibling, userLine('c', null, 'another root')],
        [
          userLine('a', null, 'one'),
          entry('custom_message', 'b', 'a', note),
          entry('compaction', 'c', 'b', { summary: 's', firstKeptEntryId: 'a', tokensBefore: 1 }),
          entry('branch_summary', 'd', 'c', { fromId: 'root', summary: 's' }),
        ],
      ]) {
        const id = await imported(world, toFile([header(), ...lines]), 'local/outline')
        const refused = await call(world, 'POST', `/v1/sessions/${id}/handoff`)
        isProblem(refused, 409, 'nothing_to_hand_off', NOTHING)
      }
      const id = await imported(world, toFile([header(), ...sibling]), 'local/outline')
      assert.equal((await call(world, 'POST', `/v1/sessions/${id}/handoff`)).status, 201)
    },
  },
  {
    name: 'a fresh child has nothing to hand off, and after an exchange of its own it has (G9)',
    async run(world) {
      const id = await newSession(world)
      const { body } = await call(world, 'POST', `/v1/sessions/${id}/handoff`)
      const child = `/v1/sessions/${body.newSession.id}`
      isProblem(await call(world, 'POST', `${child}/handoff`), 409, 'nothing_to_hand_off', NOTHING)
      await call(world, 'POST', `${child}/turns`, { message: 'go on' })
      const grandchild = await call(world, 'POST', `${child}/handoff`)
      assert.equal(grandchild.status, 201)
      assert.equal(grandchild.body.newSession.parentSession, body.newSession.id)
    },
  },
  {
    name: 'the request carries the built context, never the raw entries: compaction and reset count (Q1, B12, B29)',
    async run(world) {
      const reset = toFile([
        header(),
        userLine('a', null, 'long ago'),
        assistantLine('b', 'a', 'an old answer'),
        entry('reset_boundary', 'c', 'b'),
        userLine('d', 'c', 'new question'),
        assistantLine('e', 'd', 'new answer'),
      ])
      for (const [model, file, seen] of [
        ['compacted', compactedFile(), ['Old things.', 'kept question', 'new question']],
        ['reset', reset, ['new question', 'new answer']],
      ] as const) {
        const id = await imported(world, file, `slow/${model}`)
        assert.equal((await call(world, 'POST', `/v1/sessions/${id}/handoff`)).status, 201)
        const [request] = world.provider.requests(model)
        for (const text of seen) assert.ok(request?.raw.includes(text), text)
        for (const gone of ['long ago', 'an old answer']) assert.ok(!request?.raw.includes(gone))
      }
    },
  },
  {
    name: 'a handoff is one provider call and leaves nothing in the old session; no file is saved for a manual one (Q13, P4)',
    async run(world) {
      const settings = { compaction: { handoffSaveToDisk: true } }
      const id = await newSession(world, { model: 'slow/q13', settings })
      const before = (await call(world, 'GET', `/v1/sessions/${id}/entries`)).body
      const { body } = await call(world, 'POST', `/v1/sessions/${id}/handoff`)
      assert.equal(body.savedPath, null)
      assert.equal(world.provider.requests('q13').length, 1)
      assert.deepEqual((await call(world, 'GET', `/v1/sessions/${id}/entries`)).body, before)
    },
  },
  {
    name: 'asked without tool_choice, a model that only calls a tool has written nothing (X6)',
    async run(world) {
      const toolCalls = [{ index: 0, id: 'c', function: { name: 'read', arguments: '{}' } }]
      world.provider.on('x6', (reply, request) => {
        if (!('tool_choice' in request.body))
          return say(reply, '', { toolCalls, finish: 'tool_calls' })
        reply.writeHead(400, { 'content-type': 'application/json' })
        reply.end('{"error":{"message":"tool_choice is not supported","param":"tool_choice"}}')
      })
      const tools = [{ name: 'read', parameters: {} }]
      const id = await newSession(world, { model: 'slow/x6', tools })
      const refused = await call(world, 'POST', `/v1/sessions/${id}/handoff`)
      isProblem(refused, 502, 'empty_document', 'Handoff generation produced no content')
      assert.equal(world.provider.requests('x6').length, 2)
    },
  },
  {
    name: 'the child has a cache key of its own, the handoff that of the session it reads (Q9, S9)',
    async run(world) {
      const id = await newSession(world, { model: 'cached/keys' })
      await call(world, 'POST', `/v1/sessions/${id}/turns`, { message: 'hi' })
      const { body } = await call(world, 'POST', `/v1/sessions/${id}/handoff`)
      await call(world, 'POST', `/v1/sessions/${body.newSession.id}/turns`, { message: 'go on' })
      const keys = world.provider
        .requests('keys')
        .map((request) => request.body['prompt_cache_key'])
      assert.equal(keys[0], keys[1])
      assert.equal(typeof keys[2], 'string')
      assert.notEqual(keys[0], keys[2])
    },
  },
]
