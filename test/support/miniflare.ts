import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'

const root = join(import.meta.dirname, '../..')

/** The Worker as it is deployed: one minified module, built by wrangler from that entry. */
export function bundleWorker(entry = 'src/cloudflare/worker.ts'): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'baton-bundle-'))
  try {
    const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js')
    const args = ['deploy', join(root, entry), '--dry-run', '--outdir', folder]
    const env = { ...process.env, CI: '1', WRANGLER_SEND_METRICS: 'false' }
    const built = spawnSync(process.execPath, [wrangler, ...args], {
      cwd: root,
      encoding: 'utf8',
      env,
    })
    if (built.status !== 0) throw new Error(built.stderr)
    return readFileSync(join(folder, `${basename(entry, '.ts')}.js`))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The bundle on local workerd, its D1 migrated. `folder` keeps its data; without it everything is gone with `dispose`. */
export async function startMiniflare(of: {
  readonly script: Buffer
  readonly port: number
  readonly variables: Readonly<Record<string, string>>
  readonly folder?: string
}): Promise<Miniflare> {
  const options = convertV4MiniflareOptions({
    modules: [{ type: 'ESModule', path: 'worker.js', contents: of.script.toString('utf8') }],
    compatibilityDate: '2026-11-02',
    durableObjects: { SESSIONS: { className: 'SessionObject', useSQLite: true } },
    d1Databases: { CATALOG: 'catalog' },
    bindings: { ...of.variables },
    port: of.port,
  })
  const kept = of.folder === undefined ? {} : { resourcePersistencePath: of.folder }
  const worker = new Miniflare({ ...options, ...kept })
  await migrate(worker)
  return worker
}

async function migrate(worker: Miniflare): Promise<void> {
  const catalog = await worker.getD1Database('CATALOG')
  const tables = `SELECT name FROM sqlite_master WHERE name = 'sessions'`
  if ((await catalog.prepare(tables).first()) !== null) return
  const migrations = join(root, 'migrations/catalog')
  const files = readdirSync(migrations).filter((name) => name.endsWith('.sql'))
  for (const name of files.toSorted()) {
    const sql = readFileSync(join(migrations, name), 'utf8')
    for (const statement of sql.split('--> statement-breakpoint')) {
      await catalog.prepare(statement).run()
    }
  }
}
