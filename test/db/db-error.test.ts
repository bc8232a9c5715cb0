import { expect, test } from 'vitest'
import { driverText, isTransient, withRetries } from '../../src/db/db-error.ts'

/** What drizzle makes of a driver's error: its own message carries the parameters. */
function wrapped(text: string): Error {
  return new Error('Failed query: insert into sessions\nparams: secret', { cause: new Error(text) })
}

function failing(...texts: readonly string[]) {
  const waits: number[] = []
  let calls = 0
  const run = async (): Promise<string> => {
    const text = texts[calls]
    calls += 1
    if (text === undefined) return 'done'
    throw wrapped(text)
  }
  const answer = withRetries(run, async (ms) => void waits.push(ms))
  return { answer, waits, calls: () => calls }
}

test('what D1 calls transient is tried again, three times, further apart', async () => {
  const lost = 'D1_ERROR: Network connection lost.'
  const soon = failing(lost, 'database is locked: SQLITE_BUSY')
  expect(await soon.answer).toBe('done')
  expect(soon.waits).toEqual([50, 200])
  const never = failing(lost, lost, lost, lost, lost)
  await expect(never.answer).rejects.toMatchObject({ code: 'unavailable' })
  expect([never.calls(), never.waits]).toEqual([4, [50, 200, 800]])
})

test('anything else fails at once, and what comes out says nothing of the statement', async () => {
  const { answer, calls } = failing('UNIQUE constraint failed: sessions.id')
  const thrown = await answer.catch((error: unknown) => error as Error)
  expect(calls()).toBe(1)
  expect(`${String(thrown)} ${JSON.stringify(thrown)}`).not.toMatch(/secret|insert|UNIQUE/)
})

test('the driver’s text is found under what wraps it', () => {
  expect(driverText(wrapped('disk I/O error'))).toBe('disk I/O error')
  expect(driverText('bare')).toBe('bare')
  expect(isTransient(wrapped('storage caused object to be reset'))).toBe(true)
  expect(isTransient(wrapped('no such table: sessions'))).toBe(false)
})
