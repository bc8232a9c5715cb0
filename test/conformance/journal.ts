import assert from 'node:assert/strict'
import type { Entry } from '../../src/core/entry.ts'
import type { HandoffRecord } from '../../src/core/handoff/machine.ts'
import { reduce } from '../../src/core/handoff/machine.ts'
import type { Journal } from '../../src/core/ports.ts'
import { handoffRecord, messageEntry, sessionMeta } from './material.ts'

/** What every runtime's journal must do. `make` gives an empty one. */
export const journalSuite: readonly {
  readonly name: string
  run(make: () => Promise<Journal> | Journal): Promise<void> | void
}[] = [
  {
    name: 'an empty journal has nothing, not even a row',
    async run(make) {
      const journal = await make()
      assert.equal(journal.meta(), null)
      assert.deepEqual(journal.entries(), [])
      assert.deepEqual(journal.spine(), [])
      assert.equal(journal.latestHandoff(), null)
      assert.equal(journal.turn(), null)
      assert.equal(journal.handoffHead(), null)
      assert.deepEqual(journal.news(10), [])
      assert.equal(journal.hasNews(), false)
    },
  },
  {
    name: 'meta, turn and notes come back as they were put, and the last one wins',
    async run(make) {
      const journal = await make()
      journal.putMeta(sessionMeta())
      const meta = sessionMeta({ revision: 2, leafId: 'entry-00', messageCount: 1 })
      journal.putMeta(meta)
      assert.deepEqual(journal.meta(), meta)
      journal.putTurn({ id: 'turn-1', startedAt: 5 })
      assert.deepEqual(journal.turn(), { id: 'turn-1', startedAt: 5 })
      journal.putTurn(null)
      assert.equal(journal.turn(), null)
      assert.equal(journal.note('header'), null)
      journal.putNote('header', 'first')
      journal.putNote('header', 'second')
      assert.equal(journal.note('header'), 'second')
    },
  },
  {
    name: 'entries get the next seq and keep every field',
    async run(make) {
      const journal = await make()
      const label = { ...messageEntry('entry-01', 'x'), type: 'label', extra: { deep: [1, null] } }
      const first = journal.append([messageEntry('entry-00', 'a')])
      const second = journal.append([label as Entry, messageEntry('entry-02', 'c')])
      assert.deepEqual(
        [...first, ...second].map((entry) => entry.seq),
        [1, 2, 3],
      )
      assert.deepEqual(journal.entries(), [...first, ...second])
      assert.deepEqual(second[0], { ...label, seq: 2 })
      assert.deepEqual(journal.append([]), [])
    },
  },
  {
    name: 'entries are read in ranges and as a spine',
    async run(make) {
      const journal = await make()
      journal.append(many(5))
      const ids = (entries: readonly { id: string }[]) => entries.map((entry) => entry.id)
      const range = journal.entries({ after: 1, limit: 2 })
      assert.deepEqual(ids(range), ['entry-1', 'entry-2'])
      const node = { seq: 2, id: 'entry-1', parentId: 'entry-0', type: 'message' }
      assert.deepEqual(journal.spine()[1], node)
      assert.equal(journal.hasEntries(['compaction', 'message']), true)
      assert.equal(journal.hasEntries(['compaction']), false)
    },
  },
  {
    name: '5,000 entries are written at once and listed, 250 long ones among them whole',
    async run(make) {
      const journal = await make()
      const long = 'a'.repeat(500_001)
      const entries = many(5_000).map((entry, at) => {
        return at % 20 === 0 ? { ...messageEntry(entry.id, long), seq: at } : entry
      })
      journal.append(entries)
      const read = journal.entries()
      assert.equal(read.length, 5_000)
      assert.equal(journal.spine().at(-1)?.id, 'entry-4999')
      assert.equal(read.filter((entry) => JSON.stringify(entry).includes(long)).length, 250)
    },
  },
  {
    name: 'a duplicate id is rejected and nothing of its batch is kept',
    async run(make) {
      const journal = await make()
      journal.append([messageEntry('entry-00', 'a')])
      const batch = [...many(40), messageEntry('entry-00', 'again')]
      assert.throws(() => journal.append(batch))
      assert.equal(journal.entries().length, 1)
      assert.equal(journal.append([messageEntry('entry-03', 'c')])[0]?.seq, 2)
    },
  },
  {
    name: 'texts and images of 1.2, 2.5 and 6 MB come back whole, mixed with short ones',
    async run(make) {
      const journal = await make()
      const entries = [
        messageEntry('entry-00', 'short'),
        messageEntry('entry-01', 'a'.repeat(1_200_000)),
        imageEntry('entry-02', 'QUJD'.repeat(625_000)),
        messageEntry('entry-03', '€'.repeat(2_000_000)),
        messageEntry('entry-04', 'end'),
      ]
      const stored = journal.append(entries)
      assert.ok(equal(journal.entries(), stored))
      assert.ok(equal(journal.entries({ after: 2, limit: 2 }), stored.slice(2, 4)))
    },
  },
  {
    name: 'a surrogate pair on the border of two parts stays whole',
    async run(make) {
      const journal = await make()
      // Both parities of the offset: one of them puts the pair across the border, whatever the JSON before it.
      const entries = ['', 'x'].map((lead, at) => {
        return messageEntry(`entry-0${at}`, lead + '😀'.repeat(600_000))
      })
      const stored = journal.append(entries)
      assert.ok(equal(journal.entries(), stored))
    },
  },
  {
    name: 'NUL and lone surrogates survive in an entry, NUL in a note',
    async run(make) {
      const journal = await make()
      const stored = journal.append([messageEntry('entry-00', 'a\u0000b\ud800c')])
      assert.deepEqual(journal.entries(), stored)
      journal.putNote('n', 'a\u0000b')
      assert.equal(journal.note('n'), 'a\u0000b')
    },
  },
  {
    name: 'a long row, note, handoff and answer are whole, and shorter ones replace them',
    async run(make) {
      const journal = await make()
      for (const text of ['€'.repeat(1_300_000), 'short', '€'.repeat(500_000)]) {
        const meta = sessionMeta({ config: { ...sessionMeta().config, title: text } })
        const record = { ...handoffRecord(), focus: text } as HandoffRecord
        const answer = idempotencyRow({ answer: text })
        journal.putMeta(meta)
        journal.putNote('header', text)
        journal.putHandoff(record)
        journal.putIdempotency(answer)
        assert.ok(equal(journal.meta(), meta))
        assert.ok(journal.note('header') === text)
        assert.ok(equal(journal.handoff(record.id), record))
        assert.ok(equal(journal.latestHandoff(), record))
        assert.ok(equal(journal.idempotency('turn', 'key'), answer))
      }
    },
  },
  {
    name: 'a transaction that throws leaves nothing, an inner one undoes itself alone',
    async run(make) {
      const journal = await make()
      journal.putNote('kept', 'yes')
      const stop = new Error('stop')
      assert.throws(
        () =>
          journal.transaction(() => {
            journal.putMeta(sessionMeta())
            journal.append(many(3))
            throw stop
          }),
        stop,
      )
      assert.equal(journal.meta(), null)
      assert.deepEqual(journal.spine(), [])
      const answer = journal.transaction(() => {
        journal.putMeta(sessionMeta())
        try {
          journal.transaction(() => {
            journal.putNote('kept', 'no')
            throw stop
          })
        } catch {}
        return 7
      })
      assert.equal(answer, 7)
      assert.equal(journal.note('kept'), 'yes')
      assert.notEqual(journal.meta(), null)
    },
  },
  {
    name: 'an asynchronous function is no transaction: it is refused and undone',
    async run(make) {
      const journal = await make()
      const late = () =>
        journal.transaction(async () => {
          journal.putNote('a', 'b')
        })
      assert.throws(late, /synchronous/)
      assert.equal(journal.note('a'), null)
    },
  },
  {
    name: 'the latest handoff is the one that began last, whichever changed last',
    async run(make) {
      const journal = await make()
      journal.putHandoff(handoffRecord({ id: 'handoff-b' }))
      journal.putHandoff(handoffRecord({ id: 'handoff-a' }))
      journal.putHandoff(handoffRecord({ id: 'handoff-b', revision: 2 }))
      assert.equal(journal.latestHandoff()?.id, 'handoff-a')
      assert.deepEqual(journal.handoffHead(), { id: 'handoff-a', status: 'generating' })
      const error = { code: 'internal' as const, detail: 'x' }
      const failed = { type: 'failed' as const, at: 9, error }
      journal.putHandoff(reduce(handoffRecord({ id: 'handoff-a' }), failed))
      assert.deepEqual(journal.handoffHead(), { id: 'handoff-a', status: 'failed' })
      assert.equal(journal.handoff('handoff-b')?.revision, 2)
      assert.equal(journal.handoff('absent'), null)
    },
  },
  {
    name: 'idempotency rows are found by route and key and forgotten by age',
    async run(make) {
      const journal = await make()
      const old = idempotencyRow({ createdAt: 10, answer: '1'.repeat(600_000) })
      const young = idempotencyRow({ key: 'other', createdAt: 20, handoffId: 'handoff-a' })
      journal.putIdempotency(old)
      journal.putIdempotency(young)
      assert.equal(journal.idempotency('handoff', 'key'), null)
      journal.forgetIdempotency(20)
      assert.equal(journal.idempotency('turn', 'key'), null)
      assert.deepEqual(journal.idempotency('turn', 'other'), young)
    },
  },
  {
    name: 'newer news replaces the older of the same thing; the rest keeps its order',
    async run(make) {
      const journal = await make()
      const news = () => journal.news(10).map((row) => row.news)
      journal.enqueue({ kind: 'session' })
      journal.enqueue({ kind: 'handoff', id: 'handoff-a' })
      const [first] = journal.news(1)
      journal.enqueue({ kind: 'session' })
      journal.enqueue({ kind: 'handoff', id: 'handoff-b' })
      const rest = [{ kind: 'session' }, { kind: 'handoff', id: 'handoff-b' }]
      assert.deepEqual(news(), [{ kind: 'handoff', id: 'handoff-a' }, ...rest])
      assert.equal(journal.news(2).length, 2)
      // The token of the replaced one settles nothing: what replaced it was not told yet.
      journal.settle([first?.token ?? 0])
      assert.equal(journal.news(10).length, 3)
      journal.settle(journal.news(1).map((row) => row.token))
      assert.deepEqual(news(), rest)
      assert.equal(journal.hasNews(), true)
      journal.settle(journal.news(2).map((row) => row.token))
      assert.equal(journal.hasNews(), false)
      journal.settle([])
    },
  },
  {
    name: 'event numbers increase by one, above any floor, and go on after the old ones were forgotten',
    async run(make) {
      const journal = await make()
      assert.deepEqual(journal.eventRange(), { first: 0, last: 0 })
      journal.appendEvents(['a', 'b'])
      journal.appendEvents(['c'])
      assert.deepEqual(journal.events(1, 10), [
        { seq: 2, body: 'b' },
        { seq: 3, body: 'c' },
      ])
      assert.equal(journal.events(0, 2).length, 2)
      journal.forgetEvents(3)
      assert.deepEqual(journal.eventRange(), { first: 3, last: 3 })
      // The newest stays whatever is asked for: the next number is counted from it.
      journal.forgetEvents(100)
      journal.appendEvents(
        Array.from({ length: 50 }, (_, at) => String(at)),
        10,
      )
      assert.deepEqual(journal.eventRange(), { first: 3, last: 60 })
      assert.deepEqual(journal.events(59, 10), [{ seq: 60, body: '49' }])
    },
  },
  {
    name: 'turns wait in the order they came, whole, until they are removed or sent to a child',
    async run(make) {
      const journal = await make()
      const item = (id: string, text: string, kind: 'turn' | 'steer' = 'turn') => ({
        id,
        kind,
        asked: [{ message: { role: 'user' as const, content: text } }],
        createdAt: 7,
      })
      const long = item('turn-b', 'x'.repeat(1_200_000))
      journal.enqueueTurn(item('turn-a', 'one'))
      journal.enqueueTurn(long)
      journal.enqueueTurn(item('turn-c', 'three', 'steer'))
      journal.enqueueTurn(item('turn-a', 'again'))
      assert.deepEqual(journal.queue(), [
        { id: 'turn-a', kind: 'turn', createdAt: 7 },
        { id: 'turn-b', kind: 'turn', createdAt: 7 },
        { id: 'turn-c', kind: 'steer', createdAt: 7 },
      ])
      assert.deepEqual(journal.queueItem('turn-a'), item('turn-a', 'one'))
      assert.ok(equal(journal.queueItem('turn-b'), long))
      assert.equal(journal.removeTurn('turn-a'), true)
      assert.equal(journal.removeTurn('turn-a'), false)
      journal.sendQueue('child-1')
      journal.enqueueTurn(item('turn-d', 'late'))
      assert.deepEqual(
        journal.queue().map(({ id }) => id),
        ['turn-d'],
      )
      assert.deepEqual(journal.sentQueue(), [
        { id: 'turn-b', child: 'child-1' },
        { id: 'turn-c', child: 'child-1' },
      ])
      assert.ok(equal(journal.queueItem('turn-b'), long))
    },
  },
  {
    name: 'a turn’s record is kept until it is old and over',
    async run(make) {
      const journal = await make()
      const base = { clientId: null, createdAt: 5 }
      const queued = { ...base, id: 'turn-a', status: 'queued' } as const
      const moved = { ...base, id: 'turn-b', status: 'moved', movedTo: 'child-1' } as const
      for (const record of [queued, moved]) journal.putTurnRecord(record)
      assert.deepEqual(journal.turnRecord('turn-b'), moved)
      journal.forgetTurns(5)
      assert.deepEqual(journal.turnRecord('turn-b'), moved)
      journal.forgetTurns(6)
      assert.equal(journal.turnRecord('turn-b'), null)
      assert.deepEqual(journal.turnRecord('turn-a'), queued)
    },
  },
  {
    name: 'wipe removes everything, and the journal can be used again',
    async run(make) {
      const journal = await make()
      journal.putMeta(sessionMeta())
      journal.append([messageEntry('entry-00', 'a'.repeat(1_200_000))])
      journal.putNote('header', 'x')
      journal.enqueue({ kind: 'session' })
      journal.wipe()
      assert.equal(journal.meta(), null)
      assert.deepEqual(journal.entries(), [])
      assert.equal(journal.note('header'), null)
      assert.equal(journal.hasNews(), false)
      const [again] = journal.append([messageEntry('entry-00', 'b')])
      assert.deepEqual(journal.entries(), [again])
    },
  },
]

/** Megabytes compared as text: a deep diff of them would take minutes to print. */
function equal(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function many(count: number): readonly Entry[] {
  return Array.from({ length: count }, (_, at) => ({
    ...messageEntry(`entry-${at}`, `text ${at}`),
    parentId: at === 0 ? null : `entry-${at - 1}`,
  }))
}

function imageEntry(id: string, data: string): Entry {
  const content = [{ type: 'image' as const, data, mimeType: 'image/png' }]
  return { ...messageEntry(id, ''), type: 'message', message: { role: 'user', content } }
}

function idempotencyRow(change: Partial<Parameters<Journal['putIdempotency']>[0]>) {
  const row = { route: 'turn', key: 'key', fingerprint: 'f', handoffId: null, answer: null }
  return { ...row, createdAt: 1, ...change }
}
