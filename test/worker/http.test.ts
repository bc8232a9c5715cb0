import { afterAll, beforeAll, describe, test } from 'vitest'
import { HTTP_SUITE } from '../conformance/http/all.ts'
import { AUTH_CASES } from '../conformance/http/auth.ts'
import { HOOK_CASES } from '../conformance/http/hooks.ts'
import { CATALOG_AWAY_CASES } from '../conformance/http/outage.ts'
import { SERVER_TOOL_CASES } from '../conformance/http/server-tools.ts'
import type { World } from '../conformance/http/world.ts'
import { variables } from '../conformance/http/world.ts'
import { startFakeProvider } from '../support/fake-provider.ts'
import { startWorker } from '../support/start-server.ts'

for (const { name, suite, auth, script } of [
  { name: 'over HTTP on workerd', suite: HTTP_SUITE, auth: 'none' },
  { name: 'over HTTP on workerd, with keys', suite: AUTH_CASES, auth: 'keys' },
  { name: 'over HTTP on workerd, D1 away', suite: CATALOG_AWAY_CASES, auth: 'none' },
  {
    name: 'over HTTP on workerd, embedded with hooks',
    suite: [...HOOK_CASES, ...SERVER_TOOL_CASES],
    auth: 'none',
    script: 'test/cloudflare/hooked-worker.ts',
  },
]) {
  // A loop, because `each` cuts names short, and a name is a sentence.
  describe(name, () => {
    let world: World

    beforeAll(async () => {
      const provider = await startFakeProvider()
      world = {
        provider,
        server: await startWorker({ ...variables(provider), AUTH: auth }, script),
      }
    }, 90_000)

    afterAll(async () => {
      await world.server.stop()
      await world.provider.close()
    })

    for (const { name, run } of suite) test(name, () => run(world), 180_000)
  })
}
