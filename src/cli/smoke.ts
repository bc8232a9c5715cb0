import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createModelResolver, missingKey } from '../core/providers/parse-config.ts'
import type { Usage } from '../core/entry.ts'
import { createBaton } from '../deno/baton.ts'

/**
 * `npm run smoke -- <provider/model>`: two live turns and a handoff with a real provider, and how many tokens of each
 * request came out of its prompt cache. Costs about 25,000 input tokens. Without a key there is nothing to do.
 */

/** A cache entry can be read once the answer that wrote it has begun; a second was seen to be too short. */
const CACHE_SETTLES_MS = Number(process.env['SMOKE_WAIT_MS'] ?? 6_000)
/** Above the least that any provider caches (4,096 tokens). */
const LINES = 400

const name = process.argv[2]
if (name === undefined) fail('Usage: npm run smoke -- <provider/model>')
const model = createModelResolver(process.env)(name)
if (model === null) fail(`No such provider: ${name}`)
if (missingKey(model)) {
  console.log(`Skipped: there is no key for ${model.provider}. Set its variable and run again.`)
  process.exit(0)
}

const folder = mkdtempSync(join(tmpdir(), 'baton-smoke-'))
const baton = createBaton({
  database: join(folder, 'smoke.sqlite'),
  env: { ...process.env, AUTH: 'none' },
})
try {
  await run(name)
} finally {
  baton.close()
  rmSync(folder, { recursive: true, force: true })
}

async function run(asked: string): Promise<void> {
  const session = await call('/v1/sessions', {
    model: asked,
    // Different in every run: what an earlier one left in the cache does not count.
    systemPrompt: handbook(crypto.randomUUID()),
    tools: [
      {
        name: 'look_up',
        description: 'Looks a rule of the handbook up by its number',
        parameters: { type: 'object', properties: { rule: { type: 'integer' } } },
      },
    ],
  })
  console.log(`${asked}: two turns and a handoff\n`)
  console.log('request    input   cached  written   output   cached share')
  for (const question of [
    'Answer without a tool, in one sentence: what is rule 7 about?',
    'Thanks. Also in one sentence and without a tool: and rule 11?',
  ]) {
    const turn = await call(`/v1/sessions/${session.id}/turns`, { message: question })
    if (turn.error !== undefined) fail(`The turn failed: ${turn.error.detail}`)
    print('turn', turn.messages?.at(-1)?.usage)
    await sleep(CACHE_SETTLES_MS)
  }
  const handoff = await call(`/v1/sessions/${session.id}/handoff`, {})
  const cost = handoff.usage?.cost
  print('handoff', handoff.usage)
  console.log(cost ? `\nThe handoff cost $${cost.total.toFixed(5)}.` : '\nThe price is not known.')
  console.log(`\n${handoff.document?.split('\n').slice(0, 12).join('\n')}\n…`)
}

interface Answered {
  readonly id: string
  readonly detail?: string
  readonly document?: string
  readonly usage?: Usage
  readonly messages?: readonly { readonly usage?: Usage }[]
  readonly error?: { readonly detail: string }
}

async function call(path: string, body: unknown): Promise<Answered> {
  const answer = await baton.fetch(
    new Request(`http://smoke${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )
  const said = (await answer.json()) as Answered
  if (!answer.ok) fail(`${path} answered ${answer.status}: ${said.detail}`)
  return said
}

function print(what: string, usage: Usage | undefined): void {
  const { input = null, cacheRead = null, cacheWrite = null, output = null } = usage ?? {}
  const all = (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0)
  const share = all === 0 ? '?' : `${((100 * (cacheRead ?? 0)) / all).toFixed(1)} %`
  const counts = [input, cacheRead, cacheWrite, output].map((count) =>
    String(count ?? '?').padStart(8),
  )
  console.log(`${what.padEnd(8)}${counts.join(' ')}${share.padStart(15)}`)
}

function handbook(salt: string): string {
  const rules = Array.from(
    { length: LINES },
    (_, at) =>
      `Rule ${at + 1}: part ${at * 7} is kept on shelf ${(at * 13) % 41}, never elsewhere.`,
  )
  return `Handbook ${salt}\n${rules.join('\n')}`
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
