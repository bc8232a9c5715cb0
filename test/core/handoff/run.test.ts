import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BatonError } from '../../../src/core/errors.ts'
import { createHandoffPrompt } from '../../../src/core/handoff/prompt.ts'
import { apply, requireRecord } from '../../../src/core/handoff/run.ts'
import { buildRequest } from '../../../src/core/session/request.ts'
import type { FakeProvider } from '../../support/fake-provider.ts'
import { answer, hang, say, startFakeProvider } from '../../support/fake-provider.ts'
import { setUp } from './runs.ts'

let provider: FakeProvider
beforeAll(async () => {
  provider = await startFakeProvider()
})
afterAll(() => provider.close())

describe('the request', () => {
  test('is the live turn’s with one message more, no tools to call and a side session of its own (Q1, Q2, Q5, Q6, Q7, Q9, Q10)', async () => {
    const { run, asked, ports, model } = setUp(provider, 'request', {
      focus: 'tests',
      thinkingLevel: 'low',
    })
    const reasoning = { ...model, reasoning: true, efforts: ['low', 'high'] } as const
    const live = await buildRequest(ports, { model: reasoning, thinkingLevel: 'low' })
    await run(undefined, reasoning)
    expect(asked).toEqual([
      {
        ...live,
        appended: [createHandoffPrompt('tests')],
        effort: 'low',
        toolChoice: 'none',
        sessionId: 'session-a:side:id-1',
      },
    ])
    expect(asked[0]?.cacheKey).not.toContain('side')
    expect(provider.requests('request')[0]?.body).toMatchObject({
      messages: [
        { role: 'system', content: 'Base prompt' },
        { role: 'user' },
        { role: 'user' },
        { role: 'user' },
      ],
      tool_choice: 'none',
      tools: [{ function: { name: 'look' } }],
    })
  })

  test('is tried again while the provider is overloaded; what a lost attempt said is not counted (R1, B40)', async () => {
    provider.on('busy', (reply, _request, attempt) => {
      if (attempt < 3) answer(reply, 529, { error: { message: 'Overloaded' } })
      else say(reply, 'DOC')
    })
    const { run, received } = setUp(provider, 'busy')
    expect(await run()).toMatchObject({ status: 'completed', attempts: 3 })
    expect(received).toEqual([0, 0, 0, 3])
  })
})

describe('a handoff that succeeds', () => {
  test('records the document, commits the child and leaves the old session as it was but for a pointer (S1, I5, Q13, P1)', async () => {
    provider.on('good', (reply) => say(reply, ' DOC\n', { usage: { prompt_tokens: 9 } }))
    const { run, ports, child, changes, log } = setUp(provider, 'good')
    const before = ports.journal.entries()
    expect(await run()).toMatchObject({
      status: 'completed',
      document: ' DOC\n',
      usage: { input: 9 },
      warnings: [],
    })
    expect(changes).toEqual(['generating', 'committing', 'completed'])
    expect(ports.journal.entries()).toEqual(before)
    expect(ports.journal.meta()).toMatchObject({ handedOffTo: 'session-child', leafId: 'two' })
    const birth = await child()
    expect(birth?.meta).toMatchObject({
      parentSession: 'session-a',
      config: { title: 'A title (continued)', systemPrompt: ['Base prompt'] },
    })
    expect(await ports.catalog.session('tenant-a', 'session-a')).toMatchObject({
      handedOffTo: 'session-child',
    })
    expect(birth?.entries).toMatchObject([{ customType: 'handoff', id: 'entry-child' }])
    expect(log).toEqual([])
  })

  test('warns when the model wanted a tool while it wrote (X1, X6)', async () => {
    const toolCalls = [{ index: 0, id: 'c', function: { name: 'look', arguments: '{}' } }]
    provider.on('tool', (reply) => say(reply, 'DOC', { toolCalls }))
    expect(await setUp(provider, 'tool').run()).toMatchObject({
      document: 'DOC',
      warnings: [{ code: 'tool_called' }],
    })
  })

  test('queues news of itself and of its session, whose revision grows with every change', async () => {
    const { run, ports } = setUp(provider, 'news')
    const revision = () => ports.journal.meta()?.revision ?? 0
    const before = revision()
    await run()
    expect(ports.journal.news(9).map(({ news }) => news)).toEqual(
      expect.arrayContaining([{ kind: 'handoff', id: 'handoff-a' }, { kind: 'session' }]),
    )
    // The pointer is one change, that the session is free again another.
    expect(revision()).toBe(before + 2)
  })

  test('is not undone by a hook that throws after the switch', async () => {
    const hooks = { sessionSwitch: () => Promise.reject(new Error('secret')) }
    const { run, log } = setUp(provider, 'late hook', {}, { hooks })
    expect((await run()).status).toBe('completed')
    expect(log).toMatchObject([{ name: 'hook_failed', code: 'internal' }])
    expect(JSON.stringify(log)).not.toContain('secret')
  })
})

describe('a handoff that fails or is cancelled', () => {
  test('keeps the provider’s words and status, and says only a code to the log (X2, B39)', async () => {
    provider.on('bad', (reply) => answer(reply, 401, { error: { message: 'Wrong key' } }))
    const { run, child, log, ports } = setUp(provider, 'bad')
    expect(await run()).toMatchObject({
      status: 'failed',
      document: null,
      error: {
        code: 'provider_error',
        detail: 'Handoff generation failed: Wrong key',
        providerStatus: 401,
      },
    })
    expect(await child()).toBeNull()
    expect(ports.journal.meta()?.handedOffTo).toBeNull()
    const where = { session: 'session-a', handoff: 'handoff-a' }
    expect(log).toEqual([{ name: 'handoff_failed', ...where, code: 'provider_error' }])
  })

  test('asks no model when the caller aborted before (G6), and none when there is none (G7)', async () => {
    expect(await setUp(provider, 'early').run(AbortSignal.abort())).toMatchObject({
      status: 'cancelled',
      attempts: 0,
      error: { code: 'handoff_cancelled', detail: 'Handoff cancelled' },
    })
    expect(await setUp(provider, 'early').run(undefined, null)).toMatchObject({
      status: 'failed',
      error: { code: 'no_model', detail: 'No model selected for handoff' },
    })
    expect(provider.requests('early')).toEqual([])
  })

  test.each([
    ['no reason', undefined, 'cancelled', 'Handoff cancelled'],
    ['a text', 'Session deleted', 'failed', 'Session deleted'],
    ['an error', new Error('tab closed'), 'failed', 'tab closed'],
  ])(
    'closes the connection and takes its end from %s (C3, C4, B1)',
    async (name, reason, status, detail) => {
      provider.on(name, (reply) => hang(reply))
      const controller = new AbortController()
      const { run, child } = setUp(provider, name)
      const running = run(controller.signal)
      const { closed } = await provider.waitFor(name)
      controller.abort(reason)
      expect(await running).toMatchObject({ status, error: { detail } })
      await closed
      expect(await child()).toBeNull()
    },
  )

  test('drops a whole document when the caller aborted while it came (C4, C6)', async () => {
    const controller = new AbortController()
    const onReceived = (chars: number) => chars > 0 && controller.abort('too late')
    const { run, ports, child } = setUp(provider, 'late', {}, { onReceived })
    // A model that hears of no abort.
    const deaf = new AbortController().signal
    const { stream } = ports
    const over: typeof ports = {
      ...ports,
      stream: (request, io) => stream(request, { ...io, signal: deaf }),
    }
    expect(await run(controller.signal, undefined, over)).toMatchObject({
      status: 'failed',
      document: null,
      error: { code: 'handoff_aborted', detail: 'too late' },
    })
    expect(await child()).toBeNull()
  })

  test('has failed when the catalog does for a reason that no waiting helps, and says nothing of it', async () => {
    const first = setUp(provider, 'broken')
    const commit = () => Promise.reject(new Error('secret'))
    const over = { ...first.ports, catalog: { ...first.ports.catalog, commit } }
    const ended = await first.run(undefined, undefined, over)
    expect(ended).toMatchObject({
      status: 'failed',
      document: 'Hello',
      error: { code: 'internal' },
    })
    expect(JSON.stringify([ended, first.log])).not.toContain('secret')
  })

  test('keeps its document when the hook vetoes, and nothing is created or switched (B6)', async () => {
    const seen: unknown[] = []
    const hooks = {
      sessionBeforeSwitch: (event: unknown) => (seen.push(event), { cancel: true }),
      sessionSwitch: (event: unknown) => void seen.push(event),
    }
    const { run, child, ports } = setUp(provider, 'vetoed', {}, { hooks })
    expect(await run()).toMatchObject({
      status: 'cancelled',
      document: 'Hello',
      error: { code: 'switch_vetoed', detail: 'Handoff cancelled' },
    })
    expect(seen).toEqual([
      { reason: 'handoff', session: 'session-a', tenant: 'tenant-a', document: 'Hello' },
    ])
    expect(await child()).toBeNull()
    expect(ports.journal.meta()?.handedOffTo).toBeNull()
  })
})

describe('a handoff that cannot end yet', () => {
  const away = new BatonError('unavailable', 'Away')

  test('waits with its document while the catalog is away, and the next run commits it without a model (B14)', async () => {
    const first = setUp(provider, 'waiting')
    const { catalog } = first.ports
    const ports = { ...first.ports, catalog: { ...catalog, commit: () => Promise.reject(away) } }
    expect(await first.run(undefined, undefined, ports)).toMatchObject({
      status: 'committing',
      document: 'Hello',
    })
    expect(first.log).toMatchObject([{ name: 'handoff_commit_waits', code: 'unavailable' }])
    expect(await first.run(undefined, null)).toMatchObject({ status: 'completed', bornAt: 5_000 })
    expect((await first.child())?.entries).toHaveLength(1)
    expect(provider.requests('waiting')).toHaveLength(1)
  })

  test('is left as it is when the journal itself fails, even for a moment', async () => {
    const { run, ports, changes } = setUp(provider, 'locked')
    let failures = 0
    const putHandoff: typeof ports.journal.putHandoff = (record) => {
      if ((failures += 1) === 1) throw away
      ports.journal.putHandoff(record)
    }
    const locked = { ...ports, journal: { ...ports.journal, putHandoff } }
    await expect(run(undefined, undefined, locked)).rejects.toBe(away)
    expect(requireRecord(ports, 'handoff-a')).toMatchObject({ status: 'generating', attempts: 0 })
    expect(changes).toEqual([])
  })

  test('ends quietly when its session was wiped meanwhile', async () => {
    provider.on('wiped', (reply) => hang(reply))
    const { run, ports, changes } = setUp(provider, 'wiped')
    const controller = new AbortController()
    const running = run(controller.signal)
    await provider.waitFor('wiped')
    ports.journal.wipe()
    controller.abort()
    expect((await running).status).toBe('generating')
    expect(changes).toEqual(['generating'])
  })

  test('has one end: a second run and a late event change nothing and tell nobody (C5)', async () => {
    const { run, ports, changes } = setUp(provider, 'ended')
    const ended = await run()
    expect(await run()).toEqual(ended)
    apply(ports, 'handoff-a', { type: 'attempted' })
    expect(changes).toHaveLength(3)
    expect(provider.requests('ended')).toHaveLength(1)
    expect(() => requireRecord(ports, 'handoff-b')).toThrow('There is no such handoff')
  })
})
