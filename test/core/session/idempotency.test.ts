import { describe, expect, test } from 'vitest'
import { answerOnce } from '../../../src/core/session/idempotency.ts'
import { openDatabase } from '../../../src/deno/database.ts'

const OWNER = 'local:session-0001'

function setUp() {
  const ports = { journal: openDatabase(':memory:').journal(OWNER), now: () => Date.now() }
  const running: Parameters<typeof answerOnce>[1] = new Map()
  return <T>(key: string, fingerprint: string, work: () => T | Promise<T>): Promise<T> =>
    answerOnce<T>(
      ports,
      running,
      { route: 'turns', idempotency: { key, fingerprint } },
      async (keep) => keep(await work()),
    )
}

describe('answerOnce', () => {
  test('a key that ends like a running one is a key of its own', async () => {
    const once = setUp()
    let release = (): void => undefined
    const first = once(
      'a b',
      'f1',
      () => new Promise<string>((done) => (release = () => done('1'))),
    )
    expect(await once('b', 'f2', () => '2')).toBe('2')
    release()
    expect(await first).toBe('1')
  })

  test('a repetition joins the running one, and another body is refused while it runs and after', async () => {
    const once = setUp()
    let release = (): void => undefined
    const first = once('k', 'f1', () => new Promise<string>((done) => (release = () => done('1'))))
    const joined = once('k', 'f1', () => 'not asked again')
    await expect(once('k', 'f2', () => '2')).rejects.toMatchObject({ code: 'idempotency_mismatch' })
    release()
    expect(await Promise.all([first, joined])).toEqual(['1', '1'])
    expect(await once('k', 'f1', () => 'not asked again')).toBe('1')
    await expect(once('k', 'f2', () => '2')).rejects.toMatchObject({ code: 'idempotency_mismatch' })
  })

  test('a refusal is not remembered', async () => {
    const once = setUp()
    await expect(once('k', 'f', () => Promise.reject(new Error('busy')))).rejects.toThrow('busy')
    expect(await once('k', 'f', () => 'now')).toBe('now')
  })
})
