import { readFileSync } from 'node:fs'
import { startMiniflare } from './miniflare.ts'

/** A process of its own, so that it can be killed: `run-miniflare.ts <bundle> <port> <folder>`, variables as JSON in `VARIABLES`. */
const [, , bundle = '', port = '', folder = ''] = process.argv
await startMiniflare({
  script: readFileSync(bundle),
  port: Number(port),
  folder,
  variables: JSON.parse(process.env['VARIABLES'] ?? '{}') as Record<string, string>,
})
