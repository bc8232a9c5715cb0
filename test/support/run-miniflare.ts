import { readFileSync, readdirSync } from 'node:fs'
import { startMiniflare } from './miniflare.ts'

/** A process of its own, so that it can be killed: `run-miniflare.ts <bundle> <port> <folder>`, variables as JSON in `VARIABLES`. */
const [, , bundle = '', port = '', folder = ''] = process.argv
const variables = JSON.parse(process.env['VARIABLES'] ?? '{}') as Record<string, string>
const worker = { script: readFileSync(bundle), folder, variables }
// Migrated on another port first: whoever finds this one open may call at once.
if (readdirSync(folder).length === 0) {
  const first = await startMiniflare({ ...worker, port: 0 })
  await first.dispose()
}
await startMiniflare({ ...worker, port: Number(port) })
