import { describe, expect, test } from 'vitest'
import { AbortReason, readAbort, toAbortReason } from '../../../src/core/handoff/cancel.ts'

/** The reason as the aborted signal carries it. */
function reasonOf(abort: (controller: AbortController) => void): unknown {
  const controller = new AbortController()
  abort(controller)
  return controller.signal.reason
}

function namedAbortError(): Error {
  const error = new Error('socket hang up')
  error.name = 'AbortError'
  return error
}

const MATRIX: readonly [string, unknown, 'cancelled' | 'failed', string][] = [
  ['abort() without a reason', reasonOf((c) => c.abort()), 'cancelled', 'Handoff cancelled'],
  ['abort(undefined)', reasonOf((c) => c.abort(undefined)), 'cancelled', 'Handoff cancelled'],
  ['a missing reason', undefined, 'cancelled', 'Handoff cancelled'],
  ['abort(new Error(m))', new Error('tab closed'), 'failed', 'tab closed'],
  ['abort("text")', 'text', 'failed', 'text'],
  ['abort("")', '', 'failed', 'Handoff aborted by session'],
  ['abort(null)', null, 'failed', 'Handoff aborted by session'],
  ['abort(7)', 7, 'failed', 'Handoff aborted by session'],
  ['abort({})', {}, 'failed', 'Handoff aborted by session'],
  ['an Error without a message', new Error(''), 'failed', 'Handoff aborted by session'],
  [
    'a timeout signal',
    new DOMException('The operation timed out.', 'TimeoutError'),
    'failed',
    'The operation timed out.',
  ],
  ['an Error merely named AbortError (C1)', namedAbortError(), 'failed', 'socket hang up'],
  ['session.abort({reason})', new AbortReason('Session deleted'), 'failed', 'Session deleted'],
  ['session.abort()', new AbortReason(null), 'failed', 'Handoff aborted by session'],
  ['session.abort({reason: ""})', new AbortReason(''), 'failed', 'Handoff aborted by session'],
]

describe('cancel matrix (1.5)', () => {
  test.each(MATRIX)('%s', (_name, reason, status, detail) => {
    const abort = readAbort(reason)
    expect(abort.status).toBe(status)
    expect(abort.error.detail).toBe(detail)
    expect(abort.error.code).toBe(status === 'cancelled' ? 'handoff_cancelled' : 'handoff_aborted')
  })

  test('a durable request without a reason aborts as a person would', () => {
    const controller = new AbortController()
    controller.abort(toAbortReason({ given: false, reason: null }))
    expect(readAbort(controller.signal.reason).status).toBe('cancelled')
  })

  test('a durable request with a reason keeps it verbatim', () => {
    const controller = new AbortController()
    controller.abort(toAbortReason({ given: true, reason: '  spaced — ünïcode ' }))
    expect(readAbort(controller.signal.reason).error.detail).toBe('  spaced — ünïcode ')
  })
})
