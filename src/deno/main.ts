import { createBaton } from './baton.ts'

const env = Deno.env.toObject()
const baton = createBaton({ database: env['DATABASE'] ?? '.data/baton.sqlite', env })
// Without keys everybody who reaches the port is the tenant, so only this machine may.
const hostname = env['AUTH'] === 'none' ? '127.0.0.1' : '0.0.0.0'
const server = Deno.serve({ port: Number(env['PORT'] ?? 8787), hostname }, baton.fetch)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  Deno.addSignalListener(signal, () => {
    void server.shutdown().finally(() => {
      baton.close()
      Deno.exit(0)
    })
  })
}
