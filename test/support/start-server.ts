import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../src/cli/free-port.ts'

/** The real server as a user starts it, on a port and in a folder of its own. Works under Node and under Deno. */

const root = join(import.meta.dirname, '../..')
const node = join(root, 'node_modules/.bin/node')
const deno = join(root, 'node_modules/.bin/deno')
const START_MS = 60_000

export interface TestServer {
  readonly kind: 'worker' | 'deno'
  readonly baseUrl: string
  /** where its data is: `--persist-to` of the worker, the folder of `baton.sqlite` on Deno */
  readonly folder: string
  /** SIGKILL of everything that serves: nothing gets the chance to tidy up */
  kill(): Promise<void>
  /** starts again on the same port and the same data */
  restart(): Promise<void>
  /** kills, and removes the data */
  stop(): Promise<void>
}

export type Variables = Readonly<Record<string, string>>

/** `npm start` on local workerd. */
export function startWorker(variables: Variables, script?: string): Promise<TestServer> {
  return startServer('worker', (port, folder) => {
    const vars = Object.entries(variables).flatMap(([name, value]) => ['--var', `${name}:${value}`])
    const entry = script === undefined ? [] : [join(root, script)]
    const place = ['--port', String(port), '--persist-to', folder]
    const args = ['src/cli/start.ts', ...entry, ...place, ...vars]
    return spawn(node, args, { cwd: root, detached: true, stdio: 'ignore' })
  })
}

/** A built Worker on workerd through miniflare: the same parts, without the tools around them. */
export function startBundle(bundle: string, variables: Variables): Promise<TestServer> {
  return startServer('worker', (port, folder) =>
    spawn(node, ['test/support/run-miniflare.ts', bundle, String(port), folder], {
      cwd: root,
      detached: true,
      stdio: 'ignore',
      env: { ...process.env, VARIABLES: JSON.stringify(variables) },
    }),
  )
}

/** `npm run start:deno` on a SQLite file. */
export function startDeno(variables: Variables, script?: string): Promise<TestServer> {
  const [program, args] =
    script === undefined
      ? [node, ['src/cli/start-deno.ts']]
      : [deno, ['run', '--no-check', '--allow-all', script]]
  return startServer('deno', (port, folder) =>
    spawn(program, args, {
      cwd: root,
      detached: true,
      stdio: 'ignore',
      env: {
        ...process.env,
        ...variables,
        PORT: String(port),
        DATABASE: join(folder, 'baton.sqlite'),
      },
    }),
  )
}

async function startServer(
  kind: TestServer['kind'],
  begin: (port: number, folder: string) => ChildProcess,
): Promise<TestServer> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'baton-'))
  const baseUrl = `http://127.0.0.1:${port}`
  let child = begin(port, folder)
  await untilHealthy(baseUrl)

  async function kill(): Promise<void> {
    const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    // The group: wrangler's and workerd's processes are children of the one that was started.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    await gone
    while (await healthy(baseUrl)) await sleep(50)
  }

  return {
    kind,
    baseUrl,
    folder,
    kill,
    async restart() {
      child = begin(port, folder)
      await untilHealthy(baseUrl)
    },
    async stop() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilHealthy(baseUrl: string): Promise<void> {
  const deadline = Date.now() + START_MS
  while (!(await healthy(baseUrl))) {
    if (Date.now() > deadline) throw new Error('The server did not start within a minute')
    await sleep(100)
  }
}

async function healthy(baseUrl: string): Promise<boolean> {
  try {
    const answer = await fetch(`${baseUrl}/healthz`)
    await answer.text()
    return answer.ok
  } catch {
    return false
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
