import { afterEach, expect, test, vi } from 'vitest'
import { handoffRecord } from '../../conformance/material.ts'
import type { HandoffNews } from '../../../src/core/handoff/stream.ts'
import { streamHandoff } from '../../../src/core/handoff/stream.ts'
import { toHandoffView } from '../../../src/core/handoff/view.ts'

const VIEW = toHandoffView(handoffRecord())
const ENDED: HandoffNews = { type: 'ended', handoff: { ...VIEW, status: 'failed' } }
const PROGRESS: HandoffNews = { type: 'progress', receivedChars: 7, elapsedMs: 250 }

afterEach(() => void vi.useRealTimers())

function setUp(nextEvent = counter()) {
  const listeners = new Set<(news: HandoffNews) => void>()
  const stream = streamHandoff(VIEW, nextEvent, (listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  })
  const tell = (news: HandoffNews) => {
    for (const listener of listeners) listener(news)
  }
  return { stream, tell, listeners }
}

function counter(): () => number {
  let count = 0
  return () => (count += 1)
}

test('it tells start, progress without a text, and one end, numbered upwards (Q14)', async () => {
  const { stream, tell, listeners } = setUp()
  tell(PROGRESS)
  tell(ENDED)
  tell(PROGRESS)
  const frames = (await new Response(stream).text()).trimEnd().split('\n\n')
  expect(frames.map((frame) => frame.split('\n').slice(0, 2).join())).toEqual([
    'id: 1,event: handoff_started',
    'id: 2,event: handoff_progress',
    'id: 3,event: handoff_failed',
  ])
  expect(frames[1]?.split('\n')[2]).toBe(
    'data: {"handoff":"handoff-a","receivedChars":7,"elapsedMs":250}',
  )
  expect(listeners.size).toBe(0)
})

test('a reader that leaves only stops listening', async () => {
  const { stream, tell, listeners } = setUp()
  await stream.cancel()
  expect(listeners.size).toBe(0)
  expect(() => tell(ENDED)).not.toThrow()
})

test('a journal that gives no number ends the stream and disturbs nobody', async () => {
  let broken = false
  const { stream, tell, listeners } = setUp(() => {
    if (broken) throw new Error('locked')
    return 1
  })
  broken = true
  expect(() => tell(PROGRESS)).not.toThrow()
  expect(listeners.size).toBe(0)
  expect(await new Response(stream).text()).toMatch(/^id: 1\nevent: handoff_started\n/)
})

test('a quiet handoff is kept alive until it ends or nobody reads', async () => {
  vi.useFakeTimers()
  const { stream, tell } = setUp()
  vi.advanceTimersByTime(15_000)
  tell(ENDED)
  expect(await new Response(stream).text()).toMatch(
    /^id: 1\nevent: handoff_started\ndata: .*\n\n: keep-alive\n\nid: 2\nevent: handoff_failed\n/,
  )
  expect(vi.getTimerCount()).toBe(0)
  const left = setUp()
  expect(vi.getTimerCount()).toBe(1)
  await left.stream.cancel()
  expect(vi.getTimerCount()).toBe(0)
})

test.each([
  ['completed', 'handoff_completed'],
  ['cancelled', 'handoff_cancelled'],
  ['failed', 'handoff_failed'],
] as const)('the end of a %s one is told as %s with the whole of it', async (status, event) => {
  const { stream, tell } = setUp()
  const handoff = { ...VIEW, status }
  tell({ type: 'ended', handoff })
  const last = (await new Response(stream).text()).trimEnd().split('\n\n').at(-1)
  expect(last).toBe(`id: 2\nevent: ${event}\ndata: ${JSON.stringify(handoff)}`)
})
