import { afterAll, beforeAll, describe, test } from 'vitest'
import { CRASH_CASES, HOOKED_CRASH_CASES } from '../conformance/http/crash.ts'
import { startBundledWorld } from '../support/bundled-world.ts'

for (const { name, suite, entry } of [
  { name: 'killed on workerd', suite: CRASH_CASES, entry: 'src/cloudflare/worker.ts' },
  {
    name: 'killed on workerd, embedded with hooks',
    suite: HOOKED_CRASH_CASES,
    entry: 'test/cloudflare/hooked-worker.ts',
  },
]) {
  describe(name, () => {
    let world: Awaited<ReturnType<typeof startBundledWorld>>

    beforeAll(async () => {
      world = await startBundledWorld(entry)
    }, 90_000)
    afterAll(() => world.stop())

    for (const { name, run } of suite) test(name, () => run(world), 180_000)
  })
}
