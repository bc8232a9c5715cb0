import { expect, test } from 'vitest'
import { encodeFrame, HEARTBEAT, HEARTBEAT_MS } from '../../src/core/sse.ts'
import { readSse } from '../../src/core/providers/read-sse.ts'

async function dataOf(text: string): Promise<readonly string[]> {
  const found: string[] = []
  for await (const data of readSse(new Blob([text]).stream())) found.push(data)
  return found
}

test('a frame is id, event, one line of data and a blank line', () => {
  expect(encodeFrame({ id: 7, event: 'handoff_started', data: { a: 1 } })).toBe(
    'id: 7\nevent: handoff_started\ndata: {"a":1}\n\n',
  )
})

test('no text can break out of its frame, and it comes back whole', async () => {
  const data = { text: 'a\n\nevent: fake\r\ndata: x\r\u2028: y 😀' }
  const frame = encodeFrame({ id: 1, event: 'e', data })
  expect(frame.split(/\r\n|\r|\n/)).toHaveLength(5)
  expect((await dataOf(frame)).map((found) => JSON.parse(found))).toEqual([data])
})

test('a heartbeat is no event, stands between frames, and comes before 15 s are over', async () => {
  const frame = encodeFrame({ id: 1, event: 'e', data: 1 })
  expect(await dataOf(`${HEARTBEAT}${frame}${HEARTBEAT}${frame}`)).toEqual(['1', '1'])
  expect(HEARTBEAT_MS).toBeLessThan(15_000)
})
