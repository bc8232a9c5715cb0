import type { StoredEntry } from '../entry.ts'
import type { SessionConfig } from '../ports.ts'

const SLOT_BYTES = 256
const encoder = new TextEncoder()

/** What an export says about its session. Times are ISO 8601 UTC. */
export interface FileMeta {
  readonly id: string
  readonly timestamp: string
  readonly updatedAt: string
  readonly parentSession: string | null
  readonly config: SessionConfig
  /** `raw` of the header that the session was imported with, so that nothing of it is lost */
  readonly imported?: Readonly<Record<string, unknown>> | null
}

/** The first line of a file: exactly 256 bytes with its newline, so that a coding agent can rewrite a title in place. */
export function titleSlot(title: string | null, updatedAt: string): string {
  const room = SLOT_BYTES - 1 - byteLength(slotJson('', updatedAt, ''))
  let clipped = ''
  let used = 0
  // by code point, measured as JSON: a quote takes two bytes, a control character six
  for (const character of (title ?? '').toWellFormed()) {
    const size = byteLength(JSON.stringify(character)) - 2
    if (used + size > room) break
    clipped += character
    used += size
  }
  return `${slotJson(clipped, updatedAt, ' '.repeat(Math.max(0, room - used)))}\n`
}

/**
 * The header line, without newline. What an import brought along stays; `baton` carries the configuration
 * that session files have no field for, so that an import of the export restores it.
 */
export function fileHeader(meta: FileMeta): string {
  const { title, model, thinkingLevel, systemPrompt, tools, mode, settings } = meta.config
  const {
    type: _type,
    version: _version,
    id: _id,
    timestamp: _timestamp,
    cwd,
    title: _title,
    parentSession,
    baton: _baton,
    ...others
  } = meta.imported ?? {}
  return JSON.stringify({
    type: 'session',
    version: 3,
    id: meta.id,
    timestamp: meta.timestamp,
    cwd: typeof cwd === 'string' && cwd !== '' ? cwd : '/',
    title: title ?? undefined,
    parentSession: meta.parentSession ?? parentSession,
    ...others,
    baton: { model, thinkingLevel, systemPrompt, tools, mode, settings },
  })
}

/** An entry's line, without newline: every field it was stored with, except the journal's own `seq`. */
export function entryLine(entry: StoredEntry): string {
  const { seq: _seq, type, id, parentId, timestamp, ...rest } = entry
  return JSON.stringify({ type, id, parentId, timestamp, ...rest })
}

/**
 * A session as a file. A page of entries is asked for only when the reader wants more, so a long session is
 * never in memory as a whole; a failing page source fails the stream.
 */
export function writeFile(file: {
  readonly meta: FileMeta
  readonly pages: Iterable<readonly StoredEntry[]> | AsyncIterable<readonly StoredEntry[]>
}): ReadableStream<Uint8Array> {
  const chunks = chunksOf(file.meta, file.pages)
  return new ReadableStream({
    type: 'bytes',
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) {
        controller.close()
        // a reader that brought its own buffer waits until it is told that nothing comes
        controller.byobRequest?.respond(0)
      } else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await chunks.return()
    },
  })
}

async function* chunksOf(
  meta: FileMeta,
  pages: Iterable<readonly StoredEntry[]> | AsyncIterable<readonly StoredEntry[]>,
): AsyncGenerator<string, void, void> {
  yield `${titleSlot(meta.config.title, meta.updatedAt)}${fileHeader(meta)}\n`
  for await (const page of pages) {
    // a byte stream refuses an empty chunk
    if (page.length > 0) yield `${page.map(entryLine).join('\n')}\n`
  }
}

function slotJson(title: string, updatedAt: string, pad: string): string {
  return JSON.stringify({ type: 'title', v: 1, title, updatedAt, pad })
}

function byteLength(text: string): number {
  return encoder.encode(text).byteLength
}
