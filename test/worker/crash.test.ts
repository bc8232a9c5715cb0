import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { CRASH_CASES, HOOKED_CRASH_CASES } from '../conformance/http/crash.ts'
import type { World } from '../conformance/http/world.ts'
import { variables } from '../conformance/http/world.ts'
import { startFakeProvider } from '../support/fake-provider.ts'
import { bundleWorker } from '../support/miniflare.ts'
import { startBundle } from '../support/start-server.ts'

for (const { name, suite, entry } of [
  { name: 'killed on workerd', suite: CRASH_CASES, entry: 'src/cloudflare/worker.ts' },
  {
    name: 'killed on workerd, embedded with hooks',
    suite: HOOKED_CRASH_CASES,
    entry: 'test/cloudflare/hooked-worker.ts',
  },
]) {
  // A loop, because `each` cuts names short, and a name is a sentence.
  describe(name, () => {
    const folder = mkdtempSync(join(tmpdir(), 'baton-crash-'))
    let world: World

    beforeAll(async () => {
      const bundle = join(folder, 'worker.js')
      writeFileSync(bundle, bundleWorker(entry))
      const provider = await startFakeProvider()
      const server = await startBundle(bundle, { ...variables(provider), AUTH: 'none' })
      world = { provider, server }
    }, 90_000)

    afterAll(async () => {
      await world.server.stop()
      await world.provider.close()
      rmSync(folder, { recursive: true, force: true })
    })

    for (const { name, run } of suite) test(name, () => run(world), 180_000)
  })
}
