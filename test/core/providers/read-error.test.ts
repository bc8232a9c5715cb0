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
    [
      'flat and typed',
      { type: 'error', code: 'c', message: 'M', param: 'p' },
      { message: 'M', code: 'c error', param: 'p' },
    ],
    [
      'a response that failed',
      {
        type: 'response.failed',
        response: { status: 'failed', error: { code: 'c', message: 'M' } },
      },
      { message: 'M', code: 'response.failed c' },
    ],
    [
      'Anthropic',
      { type: 'error', error: { type: 't', message: 'M' }, request_id: 'r' },
      { message: 'M', code: 'error t' },
    ],
    [
      'Google',
      { error: { code: 429, message: 'M', status: 'S', details: [{ reason: 'R' }, 'x', null] } },
      { message: 'M', code: '429 S R', status: 429 },
    ],
    ['Google in an array', [{ error: { code: 400, message: 'M' } }], { message: 'M', status: 400 }],
    [
      'Workers AI',
      { success: false, result: null, errors: [{ code: 5021, message: 'M' }], messages: [] },
      { message: 'M', code: '5021', status: null },
    ],
    ['an empty list beside words', { message: 'M', errors: [] }, { message: 'M' }],
    ['a list of strings', { error: ['M', 'N'] }, { message: 'M' }],
    ['xAI', { code: 'c', error: 'M' }, { message: 'M', code: 'c' }],
    ['Ollama', { error: 'M' }, { message: 'M', code: '' }],
    [
      'Azure, wrapped twice',
      { error: { error: { message: 'M', innererror: { code: 'ResponsibleAIPolicyViolation' } } } },
      { message: 'M', moderated: true },
    ],
    [
      'Mistral',
      { object: 'error', message: { detail: [{ loc: ['body', 'tools'], msg: 'M' }] }, type: 't' },
      { message: 'tools M', param: 'tools', code: 't' },
    ],
    ['an object as detail', { detail: { error: 'M', code: 'c' } }, { message: 'M', code: 'c' }],
    ['a problem document', { title: 'T', status: 503, detail: 'M' }, { message: 'M', status: 503 }],
    [
      'words outside of the error',
      { error: { code: 502 }, message: 'M' },
      { message: 'M', status: 502 },
    ],
    ['a status outside of the error', { error: { message: 'M' }, status: 429 }, { status: 429 }],
    ['blank words', { message: ' ', error: 'M' }, { message: 'M' }],
    [
      'raw that is no text',
      { error: { message: 'x', metadata: { raw: { error: { message: 'M' } } } } },
      { message: 'M' },
    ],
    [
      'raw that is a page',
      { error: { message: 'M', metadata: { raw: '<html>x</html>' } } },
      { message: 'M' },
    ],
    ['raw in words', { error: { message: 'x', metadata: { raw: 'M' } } }, { message: 'M' }],
    [
      'the kind beside raw',
      { error: { message: 'M', metadata: { error_type: 'rate_limit_exceeded' } } },
      { code: 'rate_limit_exceeded' },
    ],
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

test.each<[string, number | null]>([
  ['429 Too Many Requests', 429],
  ['HTTP 503: down', 503],
  ['HTTP/1.1 502 Bad Gateway', 502],
  ['error code: 524', 524],
  ['500 tokens were too many', null],
  ['4290', null],
  ['room 404 Not Found', null],
])('a line of text may begin with its status: %s', (body, status) => {
  expect(readErrorBody(`${body}\n`).status).toBe(status)
})
