import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { World } from '../conformance/http/world.ts'
import { variables } from '../conformance/http/world.ts'
import { startFakeProvider } from './fake-provider.ts'
import { bundleWorker } from './miniflare.ts'
import { startBundle } from './start-server.ts'

/** The built Worker on miniflare, in a process that can be killed, and the provider it asks. `stop` removes both. */
export async function startBundledWorld(
  entry?: string,
): Promise<World & { stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'baton-bundle-'))
  const bundle = join(folder, 'worker.js')
  writeFileSync(bundle, bundleWorker(entry))
  const provider = await startFakeProvider()
  const server = await startBundle(bundle, { ...variables(provider), AUTH: 'none' })
  return {
    provider,
    server,
    async stop() {
      await server.stop()
      await provider.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
