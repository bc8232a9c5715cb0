import { spawnSync } from 'node:child_process'
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'

/**
 * `npm run keys -- create <tenant>` · `list` · `revoke <id>`, for the local catalog, `--remote` for the deployed one,
 * `--persist-to <folder>` for another local one, `--database <file>` for Deno's. A key is shown once and stored
 * nowhere: the catalog has its SHA-256.
 */

type Row = Readonly<Record<string, unknown>>

const USAGE =
  'Usage: npm run keys -- create <tenant> | list | revoke <id>  [--remote | --persist-to <folder> | --database <file>]'
const TENANT = /^[a-z0-9][a-z0-9-]{0,62}$/
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 43
const root = join(import.meta.dirname, '../..')
const { values, positionals } = readArguments()
const [verb, name = '', ...rest] = positionals

if (rest.length > 0) fail(USAGE)
if (verb === 'create') create(name)
else if (verb === 'list' && name === '') list()
else if (verb === 'revoke') revoke(name)
else fail(USAGE)

function create(tenant: string): void {
  if (!TENANT.test(tenant)) {
    fail('A tenant is 1 to 63 of a-z, 0-9 and -, not beginning with -')
  }
  const id = randomBytes(6).toString('hex')
  const secret = Array.from({ length: SECRET_LENGTH }, () => BASE62[randomInt(BASE62.length)])
  const key = `bat_${id}_${secret.join('')}`
  const digest = createHash('sha256').update(key).digest('hex')
  execute(
    `INSERT INTO api_keys (id, tenant, digest, created_at) VALUES ('${id}', '${tenant}', '${digest}', ${Date.now()})`,
  )
  console.log(`Key ${id} of tenant ${tenant}, shown this once:\n\n  ${key}\n`)
}

function list(): void {
  const rows = execute(
    'SELECT id, tenant, created_at, revoked_at FROM api_keys ORDER BY created_at',
  )
  if (rows.length === 0) console.log('There are no keys')
  else console.table(rows.map((row) => ({ ...row, ...dates(row) })))
}

function revoke(id: string): void {
  if (!/^[0-9a-f]{12}$/.test(id)) fail('A key is revoked by its id, the 12 hex digits after bat_')
  const rows = execute(
    `UPDATE api_keys SET revoked_at = ${Date.now()} WHERE id = '${id}' AND revoked_at IS NULL RETURNING id`,
  )
  if (rows.length === 0) fail(`There is no live key ${id}`)
  console.log(`Key ${id} is revoked`)
}

/** Runs one statement on the catalog meant. Every value in it was checked or made here. */
function execute(sql: string): readonly Row[] {
  if (values.database !== undefined) return onFile(fromCaller(values.database), sql)
  const place =
    values['persist-to'] === undefined ? [] : ['--persist-to', fromCaller(values['persist-to'])]
  const where = values.remote ? ['--remote'] : ['--local', ...place]
  // A local catalog may never have been started; a deployed one is migrated on purpose.
  if (!values.remote) wrangler('migrations', 'apply', 'CATALOG', ...where)
  const answer = wrangler('execute', 'CATALOG', ...where, '--json', '--command', sql)
  const parsed = JSON.parse(answer) as readonly { readonly results?: readonly Row[] }[]
  return parsed[0]?.results ?? []
}

function onFile(path: string, sql: string): readonly Row[] {
  if (!existsSync(path)) fail(`There is no ${path}; npm run start:deno makes it`)
  const sqlite = new DatabaseSync(path, { timeout: 5_000 })
  try {
    return sqlite.prepare(sql).all()
  } finally {
    sqlite.close()
  }
}

function wrangler(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/wrangler/bin/wrangler.js'), 'd1', ...args],
    {
      cwd: root,
      encoding: 'utf8',
      env: {
        ...process.env,
        CI: '1',
        WRANGLER_SEND_METRICS: 'false',
        WRANGLER_HIDE_BANNER: 'true',
      },
    },
  )
  if (status !== 0) fail(`${stdout}${stderr}`, status ?? 1)
  return stdout
}

/** Relative to where the caller is: npm runs scripts in the project's folder. */
function fromCaller(path: string): string {
  return resolve(process.env['INIT_CWD'] ?? process.cwd(), path)
}

function dates(row: Row): Row {
  const iso = (at: unknown): string =>
    typeof at === 'number' ? new Date(at).toISOString() : 'never'
  return { created_at: iso(row['created_at']), revoked_at: iso(row['revoked_at']) }
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        remote: { type: 'boolean' },
        'persist-to': { type: 'string' },
        database: { type: 'string' },
      },
    })
  } catch {
    return fail(USAGE)
  }
}

function fail(message: string, code = 2): never {
  console.error(message)
  process.exit(code)
}
