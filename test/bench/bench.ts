import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { say, startFakeProvider } from '../support/fake-provider.ts'

/**
 * `npm run bench`: what a handoff adds to the bare provider call, at 10, 1,000 and 10,000 messages, in one run. The
 * baseline sends the very bytes of the handoff request to the same zero-delay provider with a plain fetch.
 */

const SIZES = [10, 1_000, 10_000]
const ROUNDS = 15
const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'baton-bench-'))
const provider = await startFakeProvider()

const script = bundle()
console.log(
  `Worker bundle: ${kb(script.length)} kB, gzip ${kb(gzipSync(script).length)} kB (aim: below 200)\n`,
)

const worker = new Miniflare(
  convertV4MiniflareOptions({
    modules: [{ type: 'ESModule', path: 'worker.js', contents: script.toString('utf8') }],
    compatibilityDate: '2026-11-02',
    durableObjects: { SESSIONS: { className: 'SessionObject', useSQLite: true } },
    d1Databases: { CATALOG: 'bench' },
    bindings: {
      AUTH: 'none',
      PROVIDERS: JSON.stringify({
        fake: { api: 'openai-completions', baseUrl: `http://127.0.0.1:${provider.port}/v1` },
      }),
    },
    port: 0,
  }),
)

try {
  const base = String(await worker.ready).replace(/\/$/, '')
  await migrate()
  console.log('messages   handoff ms   bare fetch ms   added ms   ratio   added µs/message')
  for (const size of SIZES) await measure(base, size)
} finally {
  await worker.dispose()
  await provider.close()
  rmSync(folder, { recursive: true, force: true })
}

async function measure(base: string, size: number): Promise<void> {
  const model = `bench-${size}`
  provider.on(model, (reply) => say(reply, '## Goal\nGo on'))
  const { id } = await post(`${base}/v1/sessions`, { model: `fake/${model}` })
  const messages = Array.from({ length: size }, (_, at) =>
    at % 2 === 0
      ? { role: 'user', content: `Question ${at}: what about file src/part/${at}.ts?` }
      : {
          role: 'assistant',
          content: [{ type: 'text', text: `Answer ${at}. ${'word '.repeat(30)}` }],
        },
  )
  for (let at = 0; at < size; at += 2_000) {
    await post(`${base}/v1/sessions/${id}/entries`, { messages: messages.slice(at, at + 2_000) })
  }
  await post(`${base}/v1/sessions/${id}/handoff`, {})
  const { raw, headers } = provider.requests(model)[0] ?? { raw: '', headers: {} }
  const handoffs: number[] = []
  const bare: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    handoffs.push(await timed(() => post(`${base}/v1/sessions/${id}/handoff`, {})))
    bare.push(
      await timed(async () => {
        const answer = await fetch(`http://127.0.0.1:${provider.port}/v1/chat/completions`, {
          method: 'POST',
          headers: { 'content-type': String(headers['content-type']) },
          body: raw,
        })
        await answer.text()
      }),
    )
  }
  const [whole, baseline] = [median(handoffs), median(bare)]
  const added = whole - baseline
  console.log(
    [
      String(size).padStart(8),
      whole.toFixed(1).padStart(12),
      baseline.toFixed(1).padStart(15),
      added.toFixed(1).padStart(10),
      (whole / baseline).toFixed(1).padStart(7),
      ((added * 1000) / size).toFixed(1).padStart(18),
    ].join(' '),
  )
}

function bundle(): Buffer {
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/wrangler/bin/wrangler.js'),
      'deploy',
      '--dry-run',
      '--outdir',
      folder,
    ],
    {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false' },
    },
  )
  if (status !== 0) throw new Error(stderr)
  return readFileSync(join(folder, 'worker.js'))
}

async function migrate(): Promise<void> {
  const catalog = await worker.getD1Database('CATALOG')
  const migrations = join(root, 'migrations/catalog')
  for (const name of readdirSync(migrations).toSorted()) {
    if (!name.endsWith('.sql')) continue
    const statements = readFileSync(join(migrations, name), 'utf8').split(
      '--> statement-breakpoint',
    )
    for (const statement of statements) await catalog.prepare(statement).run()
  }
}

async function post(url: string, body: unknown): Promise<{ id: string }> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${answer.status} ${text}`)
  return JSON.parse(text) as { id: string }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function kb(bytes: number): string {
  return (bytes / 1000).toFixed(1)
}
