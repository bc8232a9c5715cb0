import type { Baton } from './baton.ts'
import { createBaton } from './baton.ts'

/** How long answers in progress may take once the process was asked to stop; sessions go on in the next one. */
const GRACE_MS = 10_000

const { baton, server } = start()

let stopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  Deno.addSignalListener(signal, () => {
    if (stopping) return leave()
    stopping = true
    setTimeout(leave, GRACE_MS)
    void server.shutdown().finally(leave)
  })
}

/** A variable that cannot be used, or a port that is taken, is one line and no stack. */
function start(): { readonly baton: Baton; readonly server: Deno.HttpServer } {
  const env = Deno.env.toObject()
  try {
    const opened = createBaton({ database: env['DATABASE'] ?? '.data/baton.sqlite', env })
    // Without keys everybody who reaches the port is the tenant, so only this machine may.
    const hostname = env['AUTH'] === 'none' ? '127.0.0.1' : '0.0.0.0'
    const port = Number(env['PORT'] ?? 8787)
    return { baton: opened, server: Deno.serve({ port, hostname }, opened.fetch) }
  } catch (thrown) {
    console.error(`Baton cannot start: ${thrown instanceof Error ? thrown.message : 'unknown'}`)
    Deno.exit(1)
  }
}

function leave(): never {
  baton.close()
  Deno.exit(0)
}
