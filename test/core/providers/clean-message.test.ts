import { describe, expect, test } from 'vitest'
import { cleanMessage } from '../../../src/core/providers/clean-message.ts'
import { secretsOf } from '../../../src/core/providers/secrets-of.ts'
import { MODEL } from './model.ts'

const KEY = 'sk-abcd/efgh+"ij"==wxyz'

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

describe('keys in a provider’s words', () => {
  test.each<[string, string]>([
    ['as it is', KEY],
    ['twice', `${KEY} and ${KEY}`],
    ['for a URL', encodeURIComponent(KEY)],
    ['for a URL in lower case', encodeURIComponent(KEY).toLowerCase()],
    ['inside JSON', JSON.stringify({ key: KEY })],
    ['inside JSON with escaped slashes', JSON.stringify({ key: KEY }).replaceAll('/', '\\/')],
    ['in base64', base64(KEY)],
    ['in base64 after one byte', base64(`x${KEY}`)],
    ['in base64 after a user’s name', base64(`user:${KEY}`)],
    ['in base64 for URLs', Buffer.from(KEY).toString('base64url')],
    ['half masked with stars', 'Incorrect API key provided: sk-abcd****wxyz.'],
    ['half masked with many stars', 'sk-abcd***********************wxyz'],
    ['half masked with dots', 'sk-ab...wxyz'],
    ['half masked with an ellipsis', 'sk-ab…wxyz'],
    ['its end behind stars', 'Your api key: ****wxyz is invalid'],
    ['two characters of each end', 'Incorrect API key provided: sk***yz.'],
  ])('%s are gone', (_name, text) => {
    const shown = cleanMessage(`bad: ${text} (see docs)`, [KEY])
    expect(shown).toContain('[key]')
    for (const part of ['abcd', 'efgh', 'wxyz', base64('abcdefgh').slice(0, 6), 'yz']) {
      expect(shown).not.toContain(part)
    }
    expect(shown).toMatch(/^bad: .*\(see docs\)$/)
  })

  test.each([
    'key sk-proj-abcd****wxyz is wrong',
    'key gsk_ab**** is wrong',
    'key AIzaSyAB****** is wrong',
    'key xai-abc•••••• is wrong',
    `key sk-${'0123456789'.repeat(3)} is wrong`,
  ])('those of somebody else behind a proxy are gone too: %s', (text) => {
    expect(cleanMessage(text, [])).toBe('key [key] is wrong')
  })

  test('a key in an address is gone, the address stays', () => {
    expect(cleanMessage('POST https://x/v1?alt=sse&key=abc123&b=2 failed', [])).toBe(
      'POST https://x/v1?alt=sse&key=[key]&b=2 failed',
    )
  })

  test('of two secrets the longer one goes first', () => {
    expect(cleanMessage('a Bearer token-1234 b', ['token-1234', 'Bearer token-1234'])).toBe(
      'a [key] b',
    )
  })

  test('a short secret is a word: removed alone, not out of other words', () => {
    expect(cleanMessage('key none, nonexistent', ['none'])).toBe('key [key], nonexistent')
    expect(cleanMessage('max_tokens: x', ['', ' ', 'x'])).toBe('max_tokens: [key]')
  })

  test('a key of half a character harms nothing', () => {
    expect(cleanMessage('fine', ['abcdefgh\ud800'])).toBe('fine')
  })

  test.each([
    '**Note:** see *this* and ** that',
    'Retrying... please wait…',
    'task-list and risk_of sk- key-value',
    'Unknown parameter: tool_choice',
    'model xai-grok-4-fast-reasoning-latest not found',
  ])('other words stay: %s', (text) => {
    expect(cleanMessage(text, [KEY])).toBe(text)
  })

  test('a long text costs no more than its length', () => {
    const started = performance.now()
    for (const text of ['sk-', '*', 'sk-ab*', 'a.', '\n    ', '?key=', '...']) {
      cleanMessage(text.repeat(64_000 / text.length), [KEY])
    }
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})

describe('stacks', () => {
  test.each<[string, string]>([
    ['TypeError: x\n    at f (/app/a.js:1:2)\n    at g (/app/b.js:3:4)', 'TypeError: x'],
    ['Error: x\\n    at f (/app/a.js:1:2)', 'Error: x'],
    ['Failed\r\nTraceback (most recent call last):\r\n  File "/app/a.py", line 1', 'Failed'],
    ['Failed\n  File "/app/a.py", line 1, in f\n    g()\nValueError: x', 'Failed'],
    [
      'Traceback (most recent call last):\n  File "/app/a.py", line 1\nValueError: x',
      'ValueError: x',
    ],
    ['first line\nsecond line at noon', 'first line\nsecond line at noon'],
  ])('%j is shown as %j', (text, shown) => {
    expect(cleanMessage(text, [])).toBe(shown)
  })
})

test('the key is removed before the cut, and 500 well-formed characters stay at most', () => {
  const shown = cleanMessage(`${'x'.repeat(490)}${KEY}${'y'.repeat(100)}`, [KEY])
  expect(shown).toHaveLength(500)
  expect(shown).not.toContain('abcd')
  expect(cleanMessage('😀'.repeat(400), []).isWellFormed()).toBe(true)
})

test('secret is the key and what long headers carry, with and without their scheme', () => {
  const headers = { authorization: 'Bearer token-1234', 'x-a': 'short', 'x-b': 'long-enough' }
  expect(secretsOf({ ...MODEL, headers })).toEqual([
    'secret-key-123',
    'Bearer token-1234',
    'token-1234',
    'long-enough',
  ])
  expect(secretsOf({ ...MODEL, apiKey: null })).toEqual([])
})
