import { describe, expect, test } from 'vitest'
import type { StreamFn } from '../../../src/core/providers/types.ts'
import { CREATE, HANDOFF, ID, childrenOf, saying, setUp } from './live.ts'

describe('a live session', () => {
  test('S1: the veto hook sees the old session and the document before anything is created', async () => {
    const { database, live } = setUp()
    const seen: unknown[] = []
    const session = live({
      sessionBeforeSwitch: async (event) => {
        seen.push(event, await childrenOf(database))
        return { cancel: true }
      },
      sessionSwitch: () => void seen.push('switched'),
    })
    await session.create(CREATE)
    const answer = await session.handoff(HANDOFF, 'wait')
    expect(answer).toMatchObject({
      ok: true,
      value: {
        handoff: { status: 'cancelled', newSession: null, document: 'DOC' },
        error: { code: 'switch_vetoed', detail: 'Handoff cancelled' },
      },
    })
    expect(seen).toEqual([{ reason: 'handoff', session: ID, tenant: 'local', document: 'DOC' }, []])
    expect(await childrenOf(database)).toEqual([])
  })

  test('the switch is told once the child exists; a hook that throws then changes nothing', async () => {
    const { database, live } = setUp()
    const seen: unknown[] = []
    const session = live({
      sessionSwitch: async (event) => {
        seen.push(event.session, await childrenOf(database))
        throw new Error('late')
      },
    })
    await session.create(CREATE)
    const answer = await session.handoff(HANDOFF, 'wait')
    const child = answer.ok ? answer.value.handoff.newSession?.id : undefined
    expect(seen).toEqual([child, [child]])
  })

  test('a cancel while the hook decides comes too late: 409 and the handoff completes (C6)', async () => {
    const { live } = setUp()
    let release = (): void => undefined
    const session = live({
      sessionBeforeSwitch: () => new Promise((resolve) => (release = resolve)),
    })
    await session.create(CREATE)
    const waiting = session.handoff(HANDOFF, 'wait')
    await expect
      .poll(async () => {
        const latest = await session.latestHandoff()
        return latest.ok && latest.value.status
      })
      .toBe('committing')
    expect(await session.cancelHandoff(null)).toMatchObject({
      ok: false,
      error: { code: 'handoff_committing' },
    })
    expect(await session.destroy()).toMatchObject({
      ok: false,
      error: { code: 'handoff_committing' },
    })
    release()
    expect(await waiting).toMatchObject({ ok: true, value: { error: null } })
  })

  test('with the catalog away the document is kept, the caller hears commit_pending, and the alarm commits', async () => {
    const { database, live, setAway, alarms } = setUp()
    const session = live()
    await session.create(CREATE)
    setAway(true)
    const answer = await session.handoff(HANDOFF, 'wait')
    expect(answer).toMatchObject({
      ok: true,
      value: {
        handoff: { status: 'committing', document: 'DOC' },
        error: { code: 'commit_pending' },
      },
    })
    expect(alarms.at(-1)).toBeGreaterThan(0)
    expect(await session.handoff(HANDOFF, 'wait')).toMatchObject({
      ok: false,
      error: { code: 'handoff_in_progress' },
    })
    setAway(false)
    await expect
      .poll(
        async () => {
          await session.onAlarm()
          const latest = await session.latestHandoff()
          return latest.ok && latest.value.status
        },
        { timeout: 5_000 },
      )
      .toBe('completed')
    expect(await childrenOf(database)).toHaveLength(1)
  })

  test('a process that dies while committing leaves its document to the next one: one child', async () => {
    const { database, live } = setUp()
    const dying = live({ sessionBeforeSwitch: () => new Promise(() => undefined) })
    await dying.create(CREATE)
    void dying.handoff(HANDOFF, 'wait')
    await expect
      .poll(() => database.journal(`local:${ID}`).latestHandoff()?.status)
      .toBe('committing')
    const next = live({}, () => Promise.reject(new Error('the model is not asked again')))
    await next.onAlarm()
    await expect
      .poll(() => database.journal(`local:${ID}`).latestHandoff()?.status)
      .toBe('completed')
    const children = await childrenOf(database)
    expect(children).toHaveLength(1)
    const birth = await database.catalog.birth('local', children[0] ?? '')
    expect(birth?.entries).toHaveLength(1)
  })

  test('a handoff that three processes began and none ended has failed', async () => {
    const { database, live } = setUp()
    const never: StreamFn = () => new Promise(() => undefined)
    const first = live({}, never)
    await first.create(CREATE)
    await first.handoff(HANDOFF, 'async')
    for (const _ of [2, 3]) await live({}, never).onAlarm()
    expect(database.journal(`local:${ID}`).latestHandoff()).toMatchObject({
      status: 'generating',
      starts: 3,
    })
    await live({}, never).onAlarm()
    expect(database.journal(`local:${ID}`).latestHandoff()).toMatchObject({ status: 'failed' })
  })

  test('a cancel that was asked for before a crash stays a cancel, and no model is asked (G6)', async () => {
    const { database, live } = setUp()
    const stubborn: StreamFn = () => new Promise(() => undefined)
    const dying = live({}, stubborn)
    await dying.create(CREATE)
    await dying.handoff(HANDOFF, 'async')
    void dying.cancelHandoff('gone')
    await expect
      .poll(() => {
        const latest = database.journal(`local:${ID}`).latestHandoff()
        return latest?.status === 'generating' && latest.cancel?.reason
      })
      .toBe('gone')
    await live().onAlarm()
    await expect
      .poll(() => database.journal(`local:${ID}`).latestHandoff())
      .toMatchObject({ status: 'failed', error: { code: 'handoff_aborted', detail: 'gone' } })
  })

  test('no_model: a session whose provider is gone says so', async () => {
    const { live } = setUp()
    const config = { ...CREATE.config, model: 'gone/x' }
    const before = { PROVIDERS: '{"gone":{"api":"outline"}}' }
    expect((await live({}, saying('DOC'), before).create({ ...CREATE, config })).ok).toBe(true)
    const session = live()
    expect(await session.handoff(HANDOFF, 'wait')).toMatchObject({
      ok: false,
      error: { code: 'no_model', detail: 'No model selected for handoff' },
    })
    const asked = [{ message: { role: 'user', content: 'hi' } as const }]
    const request = { asked, whenBusy: 'queue', idempotency: null } as const
    expect(await session.turn(request, 'wait')).toMatchObject({
      ok: false,
      error: { code: 'no_model', detail: 'No model selected for this turn' },
    })
  })

  test('an unknown provider is refused wherever a model is given, and nothing is stored', async () => {
    const { database, live } = setUp()
    const config = { ...CREATE.config, model: 'nobody/m' }
    const detail = 'model: No provider "nobody" is configured'
    const refused = { ok: false, error: { code: 'invalid', detail } }
    expect(await live().create({ ...CREATE, config })).toMatchObject(refused)
    expect(database.journal(`local:${ID}`).meta()).toBeNull()
    await live().create(CREATE)
    expect(await live().update({ model: 'nobody/m' })).toMatchObject(refused)
    expect(await live().handoff({ ...HANDOFF, model: 'nobody/m' }, 'wait')).toMatchObject(refused)
    expect(database.journal(`local:${ID}`).meta()?.config.model).toBe('local/outline')
  })

  test('a change that is too much together with what is there is refused and changes nothing', async () => {
    const { live } = setUp()
    const systemPrompt = ['x'.repeat(700_000)]
    await live().create({ ...CREATE, config: { ...CREATE.config, systemPrompt } })
    const before = await live().view()
    const settings = { text: 'y'.repeat(400_000) }
    const large = await live().update({ settings })
    expect(large).toMatchObject({ ok: false, error: { code: 'payload_too_large' } })
    expect(await live().view()).toEqual(before)
    expect((await live().update({ settings, systemPrompt: [''] })).ok).toBe(true)
  })
})
