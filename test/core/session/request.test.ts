import { describe, expect, test } from 'vitest'
import {
  branchedFile,
  compactedFile,
  cyclicFile,
  danglingCallFile,
  entry,
  handoffChildFile,
  header,
  orphanFile,
  toFile,
  userLine,
  versionThreeFile,
} from '../../fixtures/session-files.ts'
import { sessionMeta } from '../../conformance/material.ts'
import type { Entry } from '../../../src/core/entry.ts'
import type { Journal } from '../../../src/core/ports.ts'
import { buildSessionContext, walkBranch } from '../../../src/core/session/context.ts'
import { convertMessages } from '../../../src/core/session/convert.ts'
import { readContext } from '../../../src/core/session/request.ts'
import { parseFile } from '../../../src/core/transcript/parse-file.ts'
import { openDatabase } from '../../../src/deno/database.ts'

/** A journal of these entries, and how many of them were read with their bodies. */
function journalOf(entries: readonly Entry[]) {
  const journal = openDatabase(':memory:').journal('tenant-a:session-a')
  journal.append(entries)
  journal.putMeta(sessionMeta({ leafId: walkBranch(entries).at(-1)?.id ?? null }))
  let count = 0
  return {
    tools: new Map(),
    read: () => count,
    journal: {
      ...journal,
      entries(range: Parameters<Journal['entries']>[0]) {
        const found = journal.entries(range)
        count += found.length
        return found
      },
    },
  }
}

function chain(count: number, prefix: string, root: string | null): readonly Entry[] {
  return Array.from({ length: count }, (_, at) => {
    const parent = at === 0 ? root : `${prefix}${at - 1}`
    return userLine(`${prefix}${at}`, parent, `${prefix} ${at}`) as unknown as Entry
  })
}

describe('the context of a session', () => {
  test('it is what the fold over all entries gives, for every shape of a transcript', async () => {
    const twice = toFile([
      header(),
      userLine('a', null, 'one'),
      entry('compaction', 'b', 'a', { summary: 'first', firstKeptEntryId: 'a', tokensBefore: 1 }),
      userLine('c', 'b', 'two'),
      userLine('x', 'a', 'elsewhere'),
      entry('compaction', 'd', 'c', {
        summary: 'second',
        firstKeptEntryId: 'gone',
        tokensBefore: 1,
      }),
      userLine('e', 'd', 'three'),
    ])
    const reset = twice + toFile([entry('reset_boundary', 'f', 'e'), userLine('g', 'f', 'four')])
    const empty = twice + toFile([entry('reset_boundary', 'f', 'e')])
    for (const file of [
      versionThreeFile(),
      branchedFile(),
      compactedFile(),
      cyclicFile(),
      orphanFile(),
      danglingCallFile(),
      handoffChildFile(),
      twice,
      reset,
      empty,
    ]) {
      const options = { maxBytes: 1e6, newId: () => crypto.randomUUID() }
      const { entries } = await parseFile(new Blob([file]).stream(), options)
      const { messages } = readContext(journalOf(entries))
      expect(messages).toEqual(convertMessages(buildSessionContext(entries).items))
    }
  })

  test('what a compaction or a reset hides is not read', () => {
    const old = chain(3_000, 'old', null)
    const kept = chain(5, 'kept', 'old2999')
    const summary = { summary: 's', firstKeptEntryId: 'kept0', tokensBefore: 1 }
    const compaction = entry('compaction', 'cut', 'kept4', summary) as unknown as Entry
    const compacted = journalOf([...old, ...kept, compaction, ...chain(5, 'new', 'cut')])
    expect(readContext(compacted).messages).toHaveLength(11)
    expect(compacted.read()).toBeLessThan(15)
    const boundary = entry('reset_boundary', 'cut', 'old2999') as unknown as Entry
    const reset = journalOf([...old, boundary, ...chain(5, 'new', 'cut')])
    expect(readContext(reset).messages).toHaveLength(5)
    expect(reset.read()).toBe(5)
  })
})
