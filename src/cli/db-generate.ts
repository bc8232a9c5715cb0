import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** `npm run db:generate`: SQL for what changed in the schemas; the journal's also as a module, because an object has no files. */

const root = join(import.meta.dirname, '../..')

for (const store of ['catalog', 'journal']) {
  const { status } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/drizzle-kit/bin.cjs'),
      'generate',
      '--dialect=sqlite',
      `--name=${process.argv[2] ?? 'change'}`,
      `--schema=./src/db/${store}-schema.ts`,
      `--out=./migrations/${store}`,
    ],
    { cwd: root, stdio: 'inherit' },
  )
  if (status !== 0) process.exit(status ?? 1)
}

const folder = join(root, 'migrations/journal')
const migrations = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .toSorted()
  .map((name) => ({
    name: name.replace(/\.sql$/, ''),
    statements: readFileSync(join(folder, name), 'utf8')
      .split('--> statement-breakpoint')
      .map((statement) => statement.trim())
      .filter((statement) => statement !== ''),
  }))

writeFileSync(
  join(root, 'src/db/journal-migrations.ts'),
  `// Written by \`npm run db:generate\` from migrations/journal; do not edit.
import type { Migration } from './migrate.ts'

export const JOURNAL_MIGRATIONS: readonly Migration[] = ${JSON.stringify(migrations, null, 2)}
`,
)
