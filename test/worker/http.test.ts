import { afterAll, beforeAll, describe, test } from 'vitest'
import { HTTP_SUITE } from '../conformance/http/all.ts'
import type { World } from '../conformance/http/world.ts'
import { variables } from '../conformance/http/world.ts'
import { startFakeProvider } from '../support/fake-provider.ts'
import { startWorker } from '../support/start-server.ts'

describe('over HTTP on workerd', () => {
  let world: World

  beforeAll(async () => {
    const provider = await startFakeProvider()
    world = { provider, server: await startWorker(variables(provider)) }
  }, 90_000)

  afterAll(async () => {
    await world.server.stop()
    await world.provider.close()
  })

  test.each(HTTP_SUITE)('$name', ({ run }) => run(world), 180_000)
})
