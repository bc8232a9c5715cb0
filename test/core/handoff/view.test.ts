import { describe, expect, test } from 'vitest'
import { handoffRecord, sessionMeta } from '../../conformance/material.ts'
import type { HandoffRecord } from '../../../src/core/handoff/machine.ts'
import { reduce } from '../../../src/core/handoff/machine.ts'
import { toBirth, toHandoffView } from '../../../src/core/handoff/view.ts'

const { config } = sessionMeta()
const STARTED = handoffRecord()
const COMMITTING = reduce(STARTED, {
  type: 'document',
  document: 'DOC',
  usage: null,
  warnings: [],
  child: config,
  at: 5_000,
}) as Extract<HandoffRecord, { status: 'committing' }>
const COMPLETED = reduce(COMMITTING, { type: 'committed', at: 6_000 })

describe('the Handoff object', () => {
  test('of a running one has what arrived, and neither document nor end', () => {
    expect(toHandoffView(STARTED, 42)).toEqual({
      id: 'handoff-a',
      session: 'session-a',
      status: 'generating',
      trigger: 'manual',
      focus: null,
      model: 'local/outline',
      startedAt: '1970-01-01T00:00:03.000Z',
      finishedAt: null,
      document: null,
      newSession: null,
      savedPath: null,
      attempts: 1,
      receivedChars: 42,
      usage: null,
      warnings: [],
      error: null,
    })
  })

  test('of a committing one has its document, of a completed one its child too', () => {
    expect(toHandoffView(COMMITTING)).toMatchObject({ document: 'DOC', newSession: null })
    expect(toHandoffView(COMPLETED)).toMatchObject({
      status: 'completed',
      document: 'DOC',
      finishedAt: '1970-01-01T00:00:06.000Z',
      newSession: { id: 'session-child', parentSession: 'session-a', messageCount: 0 },
    })
  })

  test('of a failed one says why and nothing more of the error', () => {
    const error = { code: 'provider_error' as const, detail: 'Words', providerStatus: 500 }
    const failed = reduce(STARTED, { type: 'failed', at: 9_000, error })
    expect(toHandoffView(failed).error).toEqual({ code: 'provider_error', detail: 'Words' })
  })
})

describe('the child', () => {
  test('is the same in every repetition of the commit, its frame exact (I1, I2)', () => {
    const birth = toBirth(COMMITTING)
    expect(toBirth(COMMITTING)).toEqual(birth)
    expect(birth.meta).toMatchObject({
      id: 'session-child',
      leafId: 'entry-child',
      createdAt: 5_000,
      revision: 1,
    })
    expect(birth.entries).toEqual([
      {
        type: 'custom_message',
        id: 'entry-child',
        parentId: null,
        timestamp: '1970-01-01T00:00:05.000Z',
        customType: 'handoff',
        display: true,
        attribution: 'agent',
        content:
          '<handoff-context>\nDOC\n</handoff-context>\n\nThe above is a handoff document from a previous session. Use this context to continue the work seamlessly.',
      },
    ])
  })
})
