import { describe, expect, test } from 'vitest'
import type { HandoffEvent, HandoffRecord } from '../../../src/core/handoff/machine.ts'
import { isOpen, reduce, startHandoff } from '../../../src/core/handoff/machine.ts'

const CONFIG = {
  title: null,
  model: 'local/outline',
  thinkingLevel: null,
  systemPrompt: [],
  tools: [],
  mode: 'none',
  settings: {},
}

const DOCUMENT: HandoffEvent = {
  type: 'document',
  warnings: [],
  document: 'D',
  usage: null,
  child: CONFIG,
  at: 2,
}
const CANCEL: HandoffEvent = { type: 'cancel_requested', cancel: { given: false, reason: null } }
const FAILED: HandoffEvent = {
  type: 'failed',
  at: 3,
  error: { code: 'provider_error', detail: 'x' },
}

function fresh(): HandoffRecord {
  return startHandoff({
    id: 'handoff-1',
    session: 'session-1',
    tenant: 'local',
    childId: 'child-001',
    entryId: 'entry-001',
    startedAt: 1,
    focus: null,
    model: 'local/outline',
    thinkingLevel: null,
    trigger: 'manual',
  })
}

function after(...events: readonly HandoffEvent[]): HandoffRecord {
  return events.reduce(reduce, fresh())
}

describe('handoff machine', () => {
  test('goes from generating over committing to completed', () => {
    const record = after({ type: 'attempted' }, DOCUMENT, { type: 'committed', at: 9 })
    expect(record).toMatchObject({
      status: 'completed',
      document: 'D',
      finishedAt: 9,
      bornAt: 2,
      attempts: 1,
    })
    expect(isOpen(record)).toBe(false)
  })

  test('a document that comes after a cancel request is not taken (C6)', () => {
    expect(after(CANCEL, DOCUMENT).status).toBe('generating')
  })

  test('a cancel request after the document changes nothing', () => {
    const committing = after(DOCUMENT)
    expect(reduce(committing, CANCEL)).toBe(committing)
  })

  test('the first cancel request wins', () => {
    const second: HandoffEvent = { type: 'cancel_requested', cancel: { given: true, reason: 'b' } }
    expect(after(CANCEL, second)).toMatchObject({ cancel: { given: false } })
  })

  test('a veto after the document keeps the document', () => {
    const veto: HandoffEvent = {
      type: 'cancelled',
      at: 4,
      error: { code: 'switch_vetoed', detail: 'Handoff cancelled' },
    }
    expect(after(DOCUMENT, veto)).toMatchObject({ status: 'cancelled', document: 'D' })
  })

  test.each<[string, HandoffRecord]>([
    ['completed', after(DOCUMENT, { type: 'committed', at: 3 })],
    ['failed', after(FAILED)],
    ['cancelled', after({ ...FAILED, type: 'cancelled' })],
  ])('%s is final: every event leaves the same object', (_status, record) => {
    const events: readonly HandoffEvent[] = [
      { type: 'restarted' },
      { type: 'attempted' },
      CANCEL,
      DOCUMENT,
      { type: 'committed', at: 5 },
      FAILED,
    ]
    for (const event of events) expect(reduce(record, event)).toBe(record)
  })

  test('every change raises the revision by one', () => {
    expect(after({ type: 'attempted' }, { type: 'restarted' }, DOCUMENT).revision).toBe(4)
  })
})
