import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Message } from '../../src/core/entry.ts'
import { writeOutline } from '../../src/core/providers/outline/write-outline.ts'
import { buildSessionContext } from '../../src/core/session/context.ts'
import { convertMessages } from '../../src/core/session/convert.ts'
import { parseFile } from '../../src/core/transcript/parse-file.ts'

const ROUNDS = 5

/** The embedded model over 1 and 10 MB of differently shaped transcripts, beside parsing the same transcript as JSON. */
export async function benchOutline(): Promise<void> {
  console.log(
    '\noutline    MB   write ms   JSON.parse ms   ratio   growth from 1 MB (10 is linear)',
  )
  const file = join(import.meta.dirname, '../fixtures/long-session.jsonl')
  const parsed = await parseFile(new Blob([readFileSync(file)]).stream(), {
    maxBytes: 1e9,
    newId: () => crypto.randomUUID(),
  })
  const entries = parsed.entries.map((entry, at) => ({ ...entry, seq: at + 1 }))
  const coding = convertMessages(buildSessionContext(entries).items)
  const line = 'We must keep src/app.ts because the tests need it. Next I will run `pnpm test`.\n'
  for (const [name, messages] of [
    ['coding', coding],
    ['sentences', [user(line), assistant(line)]],
    ['one line', [user('x'.repeat(50_000)), assistant('word '.repeat(10_000))]],
  ] as const) {
    const small = measure(name, repeat(messages, 1e6), 0)
    measure(name, repeat(messages, 1e7), small)
  }
}

function measure(name: string, messages: readonly Message[], small: number): number {
  const json = JSON.stringify(messages)
  const write = fastest(() => writeOutline(messages))
  const parse = fastest(() => JSON.parse(json))
  const cells = [
    name.padEnd(9),
    (json.length / 1e6).toFixed(1).padStart(5),
    write.toFixed(1).padStart(10),
    parse.toFixed(1).padStart(15),
    (write / parse).toFixed(1).padStart(7),
    small === 0 ? '' : (write / small).toFixed(1).padStart(8),
  ]
  console.log(cells.join(' '))
  return write
}

function repeat(messages: readonly Message[], size: number): readonly Message[] {
  const times = Math.ceil(size / JSON.stringify(messages).length)
  return Array.from({ length: times }, () => messages).flat()
}

function fastest(run: () => unknown): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const began = performance.now()
    run()
    return performance.now() - began
  })
  return Math.min(...times)
}

function user(content: string): Message {
  return { role: 'user', content }
}

function assistant(text: string): Message {
  return { role: 'assistant', content: [{ type: 'text', text }], stopReason: 'stop' }
}
