import { describe, expect, test } from 'vitest'
import { readErrorBody } from '../../../src/core/providers/read-error.ts'

describe('what a provider says when it fails', () => {
  test.each<[string, unknown, object]>([
    [
      'an error object',
      { error: { message: 'M', code: 'c', type: 't', param: 'p' } },
      { message: 'M', code: 'c t', param: 'p' },
    ],
    ['doubly wrapped', { error: { error: { message: 'M' } } }, { message: 'M' }],
    ['flat', { message: 'M', code: 400 }, { message: 'M', status: 400 }],
    ['an array', [{ error: { message: 'M' } }], { message: 'M' }],
    ['a list of errors', { errors: [{ message: 'M' }] }, { message: 'M' }],
    ['a bare string', { error: 'M' }, { message: 'M' }],
    ['a detail', { detail: 'M' }, { message: 'M' }],
    [
      'FastAPI',
      { detail: [{ loc: ['body', 'tool_choice'], msg: 'M' }] },
      { message: 'tool_choice M', param: 'tool_choice' },
    ],
    [
      'raw behind metadata',
      {
        error: {
          message: 'Provider returned error',
          metadata: { raw: '{"error":{"message":"M","param":"p"}}' },
        },
      },
      { message: 'M', param: 'p' },
    ],
    ['a status as text', { error: { message: 'M', code: '429' } }, { status: 429 }],
    ['moderation', { error: { message: 'M', metadata: { reasons: ['x'] } } }, { moderated: true }],
  ])('%s', (_name, body, expected) => {
    expect(readErrorBody(JSON.stringify(body))).toMatchObject(expected)
  })

  test('a page is not shown, plain text is, and nothing is nothing', () => {
    expect(readErrorBody('<!DOCTYPE html><p>secret').message).not.toContain('secret')
    expect(readErrorBody(' Bad Gateway\n').message).toBe('Bad Gateway')
    for (const body of ['', '  ', 'null', '[]', '{}', '7', '{"error":null}']) {
      expect(readErrorBody(body).message, body).toBeNull()
    }
  })

  test('nesting without end is given up', () => {
    const deep = `${'{"error":'.repeat(50)}{"message":"M"}${'}'.repeat(50)}`
    expect(readErrorBody(deep).message).toBeNull()
  })
})
