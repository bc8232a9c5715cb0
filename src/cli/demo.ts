import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

/** `npm run demo`: a server of its own, a long coding session handed off, and what came out of it. */

interface Session {
  readonly id: string
  readonly title: string | null
  readonly parentSession: string | null
  readonly messageCount: number
}

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'baton-demo-'))
const port = await freePort()
const api = `http://127.0.0.1:${port}/v1/sessions`
const server = spawn(
  process.execPath,
  [
    join(root, 'src/cli/start.ts'),
    '--port',
    String(port),
    '--persist-to',
    folder,
    '--var',
    'AUTH:none',
  ],
  // A group of its own: wrangler and workerd go with it.
  { detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
)
let output = ''
for (const pipe of [server.stdout, server.stderr]) pipe.on('data', (text) => (output += text))
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    cleanUp()
    process.exit(130)
  })
}

try {
  console.log('Starting a local server …')
  await untilHealthy()
  const file = readFileSync(join(root, 'test/fixtures/long-session.jsonl'))
  const imported = (await call('/import', file, 'application/x-ndjson')) as {
    session: Session
    imported: number
  }
  const old = imported.session
  console.log(
    `Imported "${old.title}": ${imported.imported} entries, ${old.messageCount} messages on its branch\n`,
  )
  const began = Date.now()
  await call(`/${old.id}`, JSON.stringify({ model: 'local/outline' }), 'application/json', 'PATCH')
  const handoff = (await call(`/${old.id}/handoff`, '{}')) as {
    document: string
    newSession: Session
  }
  console.log(handoff.document)
  console.log(`\n── ${handoff.document.length} characters in ${Date.now() - began} ms\n`)
  const child = handoff.newSession
  const { items } = (await call(`/${child.id}/entries`)) as {
    items: { type: string; customType?: string }[]
  }
  console.log(`Child  ${child.id}  "${child.title}"`)
  console.log(`       first entry: ${items[0]?.type} / ${items[0]?.customType}`)
  const { ancestors } = (await call(`/${child.id}/lineage`)) as { ancestors: Session[] }
  console.log('\nLineage')
  const family = [...ancestors.toReversed(), child]
  for (const [depth, { id, title }] of family.entries()) {
    console.log(`${'   '.repeat(depth)}${depth === 0 ? '' : '└─ '}${id}  "${title}"`)
  }
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : thrown)
  console.error(output)
  process.exitCode = 1
} finally {
  cleanUp()
}

function cleanUp(): void {
  try {
    if (server.pid !== undefined) process.kill(-server.pid, 'SIGKILL')
  } catch {
    // Nobody of the group is left.
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}

async function call(
  path: string,
  body?: string | Uint8Array,
  type = 'application/json',
  method = body === undefined ? 'GET' : 'POST',
): Promise<unknown> {
  const init =
    body === undefined ? {} : { body: body as BodyInit, headers: { 'content-type': type } }
  const answer = await fetch(`${api}${path}`, { method, ...init })
  const json = await answer.json()
  if (!answer.ok) throw new Error(JSON.stringify(json))
  return json
}

async function untilHealthy(): Promise<void> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null)
    if (answer?.ok) return
    if (Date.now() > deadline || server.exitCode !== null)
      throw new Error('The server did not start')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}
