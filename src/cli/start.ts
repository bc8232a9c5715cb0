import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { freePort } from './free-port.ts'

/**
 * `npm start -- <wrangler dev flags>`: a server on local workerd. Makes a MASTER_KEY once, applies the catalog's
 * migrations to the place the server will use, then runs `wrangler dev` with the flags passed on.
 */

const root = join(import.meta.dirname, '../..')
const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js')
const devVars = join(root, '.dev.vars')
const MASTER_KEY = /^\s*MASTER_KEY\s*=/m
const flags = process.argv.slice(2).map(absolutePersistTo)
const env = {
  ...process.env,
  PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}`,
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_LOG_SANITIZE: 'true',
  // The banner looks for updates, and `request.cf` is fetched: a local server needs no network.
  WRANGLER_HIDE_BANNER: 'true',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  NO_UPDATE_NOTIFIER: '1',
}

await makeMasterKey()

const port = valueOf('--port') ?? '8787'
const exposed = isExposed()
const auth = chosenAuth()
const open = auth === 'none' ? 'no API key needed' : 'API keys required: npm run keys'
console.log(`Baton starts on http://localhost:${port} (${open}); its reference is at /docs`)
if (exposed && auth === 'none') {
  console.log('Warning: AUTH is none and the server can be reached from outside')
}

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

const server = spawn(
  process.execPath,
  [
    wrangler,
    'dev',
    // A flag has to follow: `--var` takes every word up to the next one, an entry point of the caller's too.
    ...(authGiven() ? [] : ['--var', `AUTH:${auth}`]),
    '--local',
    ...unless('--show-interactive-dev-session', 'false'),
    // The default inspector port is taken when several servers run side by side.
    ...unless('--inspector-port', String(await freePort())),
    ...unless('--port', port),
    ...flags,
  ],
  { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] },
)
let stopping = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    stopping = true
    server.kill(signal)
  })
}
server.on('exit', (code) => process.exit(code ?? (stopping ? 0 : 1)))

/** The flag with its value, unless the caller gave it: wrangler takes two of a kind for a list. */
function unless(name: string, value: string): readonly string[] {
  return valueOf(name) === null ? [`${name}=${value}`] : []
}

function isExposed(): boolean {
  const ip = valueOf('--ip')
  const loopback = ip === null || ['127.0.0.1', 'localhost', '::1'].includes(ip)
  return !loopback || flags.some((flag) => flag.startsWith('--tunnel'))
}

function authGiven(): boolean {
  return flags.some((flag) => /^(?:--var=)?AUTH:/.test(flag))
}

/**
 * What the caller says, by flag, environment or .dev.vars; else none. Where others get in, none has to be said with
 * this very command: an environment made for local use must not open a server to the network.
 */
function chosenAuth(): string {
  const flag = flags.findLast((it) => /^(?:--var=)?AUTH:/.test(it))
  if (flag !== undefined) return flag.slice(flag.indexOf(':') + 1)
  const inFile = /^\s*AUTH\s*=\s*["']?(\w+)/m.exec(readDevVars())?.[1]
  const said = process.env['AUTH'] ?? inFile ?? 'none'
  return exposed ? 'keys' : said
}

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

/**
 * Adds a MASTER_KEY to .dev.vars when there is none. The new file is made exclusively and moved into place whole:
 * of several servers that start at once one makes the key, and none reads half of it.
 */
async function makeMasterKey(): Promise<void> {
  const draft = `${devVars}.new`
  for (let tries = 0; ; tries += 1) {
    if (MASTER_KEY.test(readDevVars())) return
    try {
      writeFileSync(draft, '', { flag: 'wx', mode: 0o600 })
      // Looked at again now that nobody else is at it.
      const known = readDevVars()
      const gap = known === '' || known.endsWith('\n') ? '' : '\n'
      const line = `MASTER_KEY="${randomBytes(32).toString('base64')}"\n`
      writeFileSync(draft, MASTER_KEY.test(known) ? known : known + gap + line)
      renameSync(draft, devVars)
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown
      await new Promise((done) => setTimeout(done, 50))
      // Whoever was at it is gone: it takes no second to write one line.
      if (tries === 40) rmSync(draft, { force: true })
    }
  }
}

function readDevVars(): string {
  return existsSync(devVars) ? readFileSync(devVars, 'utf8') : ''
}
