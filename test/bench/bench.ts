import { gzipSync } from 'node:zlib'
import { say, startFakeProvider } from '../support/fake-provider.ts'
import { bundleWorker, startMiniflare } from '../support/miniflare.ts'
import { benchAlignment } from './alignment.ts'
import { benchEncode } from './encode.ts'
import { benchOutline } from './outline.ts'

/**
 * `npm run bench`: what a handoff adds to the bare provider call, at 10, 1,000 and 10,000 messages, in one run. The
 * baseline sends the very bytes of the handoff request to the same zero-delay provider with a plain fetch.
 */

const SIZES = [10, 1_000, 10_000]
const ROUNDS = 15
const provider = await startFakeProvider()

const script = bundleWorker()
console.log(
  `Worker bundle: ${kb(script.length)} kB, gzip ${kb(gzipSync(script).length)} kB (aim: below 200)\n`,
)

const worker = await startMiniflare({
  script,
  port: 0,
  variables: {
    AUTH: 'none',
    PROVIDERS: JSON.stringify({
      fake: { api: 'openai-completions', baseUrl: `http://127.0.0.1:${provider.port}/v1` },
    }),
  },
})

try {
  const base = String(await worker.ready).replace(/\/$/, '')
  console.log('messages   handoff ms   bare fetch ms   added ms   ratio   added µs/message')
  for (const size of SIZES) await measure(base, size)
  benchAlignment()
  benchEncode()
  await benchOutline()
} finally {
  await worker.dispose()
  await provider.close()
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
