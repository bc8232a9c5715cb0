import type { StoredEntry } from '../entry.ts'
import type { SessionConfig } from '../ports.ts'
import { fillMessage } from './fill-message.ts'

const encoder = new TextEncoder()

/** What an export says about its session. Times are ISO 8601 UTC. */
export interface FileMeta {
  readonly id: string
  readonly timestamp: string
  /** last entry of the current branch: while a file still ends with it, `baton` is the newest word */
  readonly leaf: string | null
  readonly parentSession: string | null
  readonly config: SessionConfig
  /** `raw` of the header that the session was imported with, so that nothing of it is lost */
  readonly imported?: Readonly<Record<string, unknown>> | null
}

/**
 * The header line, without newline. It is the first of the file: pi does not know the title slot that oh-my-pi writes
 * before it. What an import brought along stays; `baton` carries the configuration that session files have no field
 * for, so that an import of the export restores it.
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
    baton: { model, thinkingLevel, systemPrompt, tools, mode, settings, leaf: meta.leaf },
  })
}

/** An entry's line, without newline: every field it was stored with, except the journal's own `seq`, and what other readers need. */
export function entryLine(entry: StoredEntry): string {
  const { seq: _seq, type, id, parentId, timestamp, ...rest } = fillMessage(entry)
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
  yield `${fileHeader(meta)}\n`
  for await (const page of pages) {
    // a byte stream refuses an empty chunk
    if (page.length > 0) yield `${page.map(entryLine).join('\n')}\n`
  }
}
