import { HTTP_SUITE } from '../conformance/http/all.ts'
import { variables } from '../conformance/http/world.ts'
import { startFakeProvider } from '../support/fake-provider.ts'
import { startDeno } from '../support/start-server.ts'

Deno.test({
  name: 'over HTTP on Deno',
  sanitizeOps: false,
  sanitizeResources: false,
  async fn(t) {
    const provider = await startFakeProvider()
    const server = await startDeno(variables(provider))
    try {
      for (const { name, run } of HTTP_SUITE) {
        await t.step({
          name,
          sanitizeOps: false,
          sanitizeResources: false,
          fn: () => run({ provider, server }),
        })
      }
    } finally {
      await server.stop()
      await provider.close()
    }
  },
})
