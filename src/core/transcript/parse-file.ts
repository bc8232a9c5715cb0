import type { Entry } from '../entry.ts'
import type { FileReport } from './parse-entry.ts'
import { EntryParser } from './parse-entry.ts'
import type { FileHeader } from './parse-header.ts'
import { parseHeader } from './parse-header.ts'
import { readLines } from './read-lines.ts'

const BATCH_ENTRIES = 256
/** in UTF-16 units of text; an entry's object takes a few times that */
const BATCH_LENGTH = 1_000_000

/** Limits and needs of reading a file. */
export interface ParseOptions {
  readonly maxBytes: number
  /** ids for the entries of a version 1 file; one that is taken is asked for again */
  readonly newId: () => string
}

/** A session file as a whole. */
export interface ParsedFile extends FileReport {
  readonly header: FileHeader
  readonly entries: readonly Entry[]
}

/** Reads a whole session file into memory; `openFile` does it piece by piece. */
export async function parseFile(
  stream: ReadableStream<Uint8Array>,
  options: ParseOptions,
): Promise<ParsedFile> {
  const file = await openFile(stream, options)
  const entries: Entry[] = []
  for await (const batch of file.batches()) for (const entry of batch) entries.push(entry)
  return { header: file.header, entries, ...file.report() }
}

/** A session file whose head was read and whose entries are still to come. */
export interface SessionFile {
  readonly header: FileHeader
  /** the entries in file order, about 1 MB at a time; can be run through once */
  batches(): AsyncGenerator<readonly Entry[], void, void>
  report(): FileReport
  /** lets go of the stream when not all batches were taken */
  close(): Promise<void>
}

/** Reads title slot and header; BatonError `invalid` when it is no session file, `payload_too_large` also while batches run. */
export async function openFile(
  stream: ReadableStream<Uint8Array>,
  options: ParseOptions,
): Promise<SessionFile> {
  const lines = readLines(stream, options)
  let header: FileHeader
  try {
    header = await parseHeader(lines)
  } catch (error) {
    await lines.return()
    throw error
  }
  const parser = new EntryParser(header, options.newId)
  async function* batches(): AsyncGenerator<readonly Entry[], void, void> {
    let batch: Entry[] = []
    let length = 0
    for await (const { line, number } of lines) {
      const entry = parser.parse(line, number)
      if (entry === null) continue
      batch.push(entry)
      length += line.length
      if (batch.length < BATCH_ENTRIES && length < BATCH_LENGTH) continue
      yield batch
      batch = []
      length = 0
    }
    if (batch.length > 0) yield batch
  }
  return {
    header,
    batches,
    report: () => ({ skipped: parser.skipped, warnings: parser.warnings }),
    close: async () => {
      await lines.return()
    },
  }
}
