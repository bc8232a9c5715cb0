import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { isAbsolute, join, resolve } from 'node:path'

/**
 * `npm start -- <wrangler dev flags>`: a server on local workerd. Makes a MASTER_KEY once, applies the catalog's
 * migrations to the place the server will use, then runs `wrangler dev` with the flags passed on.
 */

const root = join(import.meta.dirname, '../..')
const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js')
const flags = process.argv.slice(2).map(absolutePersistTo)
const env = {
  ...process.env,
  PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_LOG_SANITIZE: 'true',
  NO_UPDATE_NOTIFIER: '1',
}

makeMasterKey(join(root, '.dev.vars'))

const persistTo = valueOf('--persist-to')
const place = persistTo === null ? [] : ['--persist-to', persistTo]
const migrated = spawnSync(
  process.execPath,
  [wrangler, 'd1', 'migrations', 'apply', 'CATALOG', '--local', ...place],
  { cwd: root, env: { ...env, CI: '1' }, encoding: 'utf8' },
)
if (migrated.status !== 0) {
  console.error(migrated.stdout, migrated.stderr)
  process.exit(migrated.status ?? 1)
}

const ip = valueOf('--ip')
const loopback = ip === null || ['127.0.0.1', 'localhost', '::1'].includes(ip)
const authGiven = flags.some((flag) => /^(?:--var[= ])?AUTH:/.test(flag))
const auth = authGiven || !loopback ? [] : ['--var', 'AUTH:none']
const port = valueOf('--port') === null ? ['--port', '8787'] : []
if (!loopback && !authGiven)
  console.log('Reachable from outside: API keys are required (npm run keys)')

const server = spawn(
  process.execPath,
  [
    wrangler,
    'dev',
    // First, because a script named after a list option (--var) would be taken for one of its values.
    ...flags,
    '--local',
    '--show-interactive-dev-session=false',
    `--inspector-port=${await freePort()}`,
    ...port,
    ...auth,
  ],
  { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => server.kill(signal))
}
server.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 0)))

/** The value of a flag in either spelling; null when it was not given. */
function valueOf(name: string): string | null {
  const at = flags.findLastIndex((flag) => flag === name || flag.startsWith(`${name}=`))
  const flag = flags[at]
  if (flag === undefined) return null
  return flag === name ? (flags[at + 1] ?? null) : flag.slice(name.length + 1)
}

/** The caller's relative path is relative to where they called from, not to this project. */
function absolutePersistTo(flag: string, at: number, all: readonly string[]): string {
  const base = process.env['INIT_CWD'] ?? process.cwd()
  if (all[at - 1] === '--persist-to') return isAbsolute(flag) ? flag : resolve(base, flag)
  if (!flag.startsWith('--persist-to=')) return flag
  return `--persist-to=${resolve(base, flag.slice('--persist-to='.length))}`
}

/** Exclusive creation: of several servers that start at once, one makes the key and the others use it. */
function makeMasterKey(path: string): void {
  if (existsSync(path)) return
  try {
    const key = randomBytes(32).toString('base64')
    writeFileSync(path, `MASTER_KEY="${key}"\n`, { flag: 'wx', mode: 0o600 })
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown
  }
}

/** The default inspector port is taken when several servers run side by side. */
function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer()
    probe.on('error', fail)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => done(typeof address === 'object' ? (address?.port ?? 0) : 0))
    })
  })
}
