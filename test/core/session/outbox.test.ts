import { expect, test } from 'vitest'
import { handoffRecord, sessionMeta } from '../../conformance/material.ts'
import { BatonError } from '../../../src/core/errors.ts'
import type { CatalogChange } from '../../../src/core/ports.ts'
import { createOutbox } from '../../../src/core/session/outbox.ts'
import type { SessionPorts } from '../../../src/core/session/ports.ts'
import { openDatabase } from '../../../src/deno/database.ts'

function setUp() {
  const database = openDatabase(':memory:')
  const journal = database.journal('tenant-a:session-a')
  const told: CatalogChange[] = []
  const state = { now: 1_000_000, away: false, armed: 0, during: (): void => undefined }
  const ports = {
    id: 'session-a',
    journal,
    catalog: {
      ...database.catalog,
      apply: async (changes: readonly CatalogChange[]) => {
        if (state.away) throw new BatonError('unavailable', 'away')
        told.push(...changes)
        state.during()
      },
    },
    now: () => state.now,
    keepAlive: () => undefined,
    log: () => undefined,
  } as unknown as SessionPorts
  const outbox = createOutbox(ports, {
    changed: () => void (state.armed += 1),
    status: () => 'running',
  })
  return { outbox, journal, told, state }
}

test('what changed is told once, in order, as it is at that moment', async () => {
  const { outbox, journal, told } = setUp()
  journal.putMeta(sessionMeta({ revision: 1 }))
  journal.enqueue({ kind: 'session' })
  journal.putHandoff(handoffRecord({ revision: 3 }))
  journal.enqueue({ kind: 'handoff', id: 'handoff-a' })
  journal.putMeta(sessionMeta({ revision: 2 }))
  await outbox.drain()
  expect(told.map((change) => change.kind)).toEqual(['session', 'handoff'])
  expect(told[0]).toMatchObject({ session: { revision: 2, status: 'running' } })
  expect(told[1]).toMatchObject({ record: { revision: 3 } })
  await outbox.drain()
  expect(told).toHaveLength(2)
  expect(outbox.nextTry()).toBeNull()
})

test('a change that comes while the catalog hears of an older one is told too', async () => {
  const { outbox, journal, told, state } = setUp()
  journal.putMeta(sessionMeta({ revision: 1 }))
  journal.enqueue({ kind: 'session' })
  state.during = () => {
    state.during = () => undefined
    journal.putMeta(sessionMeta({ revision: 2 }))
    journal.enqueue({ kind: 'session' })
  }
  await outbox.drain()
  const revisions = told.map((change) => change.kind === 'session' && change.session.revision)
  expect(revisions).toEqual([1, 2])
})

test('while the catalog is away nothing is lost, and tries come further apart up to a minute', async () => {
  const { outbox, journal, told, state } = setUp()
  journal.putMeta(sessionMeta())
  journal.enqueue({ kind: 'session' })
  state.away = true
  const waits: number[] = []
  for (let at = 0; at < 9; at += 1) {
    await outbox.drain()
    const next = outbox.nextTry() ?? 0
    waits.push(next - state.now)
    state.now = next
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1_000))
  expect(state.armed).toBe(9)
  state.away = false
  await outbox.drain()
  expect(told).toHaveLength(1)
  expect(outbox.nextTry()).toBeNull()
})

test('a session that is being deleted tells nothing more', async () => {
  const { outbox, journal, told } = setUp()
  journal.putMeta(sessionMeta({ state: 'deleted' }))
  journal.enqueue({ kind: 'session' })
  await outbox.drain()
  expect(told).toEqual([])
  expect(outbox.nextTry()).toBeNull()
})

test('callers join a drain that runs', async () => {
  const { outbox, journal, told } = setUp()
  journal.putMeta(sessionMeta())
  journal.enqueue({ kind: 'session' })
  const [one, two] = [outbox.drain(), outbox.drain()]
  expect(one).toBe(two)
  expect(outbox.busy()).toBe(true)
  await outbox.settled()
  expect(outbox.busy()).toBe(false)
  expect(told).toHaveLength(1)
})
