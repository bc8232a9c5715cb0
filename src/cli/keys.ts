import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'

/**
 * `npm run keys -- create <tenant>` · `list` · `revoke <id>`, for the local catalog, `--remote` for the deployed one,
 * `--persist-to <folder>` for another local one, `--database <file>` for Deno's. A key is shown once and stored
 * nowhere: the catalog has its SHA-256.
 */

const USAGE =
  'Usage: npm run keys -- create <tenant> | list | revoke <id>  [--remote | --persist-to <folder> | --database <file>]'
const TENANT = /^[a-z0-9][a-z0-9-]{0,62}$/
const root = join(import.meta.dirname, '../..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    remote: { type: 'boolean' },
    'persist-to': { type: 'string' },
    database: { type: 'string' },
  },
})
const [verb, name = ''] = positionals

if (verb === 'create' && TENANT.test(name)) {
  const id = randomBytes(6).toString('hex')
  const key = `bat_${id}_${randomBytes(32).toString('base64url').replaceAll(/[-_]/g, 'x')}`
  const digest = createHash('sha256').update(key).digest('hex')
  execute(
    `INSERT INTO api_keys (id, tenant, digest, created_at) VALUES ('${id}', '${name}', '${digest}', ${Date.now()})`,
  )
  console.log(`Key ${id} of tenant ${name}, shown this once:\n\n  ${key}\n`)
} else if (verb === 'list') {
  execute('SELECT id, tenant, created_at, revoked_at FROM api_keys ORDER BY created_at', true)
} else if (verb === 'revoke' && /^[0-9a-f]{12}$/.test(name)) {
  execute(
    `UPDATE api_keys SET revoked_at = ${Date.now()} WHERE id = '${name}' AND revoked_at IS NULL`,
  )
  console.log(`Key ${name} is revoked`)
} else {
  console.error(USAGE)
  process.exit(2)
}

/** Every value in the statement was checked or made here. */
function execute(sql: string, show = false): void {
  if (values.database !== undefined) {
    const sqlite = new DatabaseSync(values.database)
    const rows = sqlite.prepare(sql).all()
    sqlite.close()
    if (show) console.table(rows)
    return
  }
  const place = values['persist-to'] === undefined ? [] : ['--persist-to', values['persist-to']]
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/wrangler/bin/wrangler.js'),
      'd1',
      'execute',
      'CATALOG',
      values.remote ? '--remote' : '--local',
      '--command',
      sql,
      ...place,
    ],
    {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false' },
    },
  )
  if (status !== 0) {
    console.error(stdout, stderr)
    process.exit(status ?? 1)
  }
  if (show) console.log(stdout)
}
