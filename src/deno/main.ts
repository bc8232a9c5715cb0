import { createBaton } from './baton.ts'

/** How long answers in progress may take once the process was asked to stop; sessions go on in the next one. */
const GRACE_MS = 10_000

const env = Deno.env.toObject()
const baton = createBaton({ database: env['DATABASE'] ?? '.data/baton.sqlite', env })
// Without keys everybody who reaches the port is the tenant, so only this machine may.
const hostname = env['AUTH'] === 'none' ? '127.0.0.1' : '0.0.0.0'
const server = Deno.serve({ port: Number(env['PORT'] ?? 8787), hostname }, baton.fetch)

let stopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  Deno.addSignalListener(signal, () => {
    if (stopping) return leave()
    stopping = true
    setTimeout(leave, GRACE_MS)
    void server.shutdown().finally(leave)
  })
}

function leave(): never {
  baton.close()
  Deno.exit(0)
}
