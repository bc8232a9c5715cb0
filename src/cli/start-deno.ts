import { spawn } from 'node:child_process'
import { mkdirSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** `npm run start:deno`: the same server on Deno and one SQLite file, with the permissions it needs and no more. */

const root = join(import.meta.dirname, '../..')
const base = process.env['INIT_CWD'] ?? process.cwd()
const given = process.env['DATABASE']
const database = given === undefined ? join(root, '.data/baton.sqlite') : resolve(base, given)
mkdirSync(dirname(database), { recursive: true })
const folder = realpathSync(dirname(database))

const server = spawn(
  join(root, 'node_modules/.bin/deno'),
  [
    'run',
    '--no-check',
    '--no-prompt',
    '--allow-net',
    '--allow-env',
    `--allow-read=${join(root, 'migrations')},.`,
    '--allow-write=.',
    join(root, 'src/deno/main.ts'),
  ],
  {
    // Permissions are lists with commas: a folder whose name has one can only be said as the current one.
    cwd: folder,
    env: { AUTH: 'none', DENO_NO_UPDATE_CHECK: '1', ...process.env, DATABASE: database },
    stdio: 'inherit',
  },
)
let stopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stopping = true
    server.kill(signal)
  })
}
server.on('exit', (code) => process.exit(code ?? (stopping ? 0 : 1)))
