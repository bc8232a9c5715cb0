import { BatonError } from '../errors.ts'
import type { JsonObject } from './check-entry.ts'
import { isJsonObject } from './check-entry.ts'
import { exceededLimit } from './json-limits.ts'
import type { Line } from './read-lines.ts'
import { mayHoldSurrogates, toWellFormed } from './well-formed.ts'

/** The head of a session file. Fields that are missing or of a wrong type are undefined; `raw` keeps them all. */
export interface FileHeader {
  readonly id: string | undefined
  /** as the file says; its entries come out as version 3 */
  readonly version: 1 | 2 | 3
  readonly timestamp: string | undefined
  readonly cwd: string | undefined
  /** of the title slot, which is the newer one, else of the header */
  readonly title: string | undefined
  /** there was a title slot: it is kept up to date, a header is not */
  readonly titled: boolean
  /** opaque: a path or an id, depending on who wrote it */
  readonly parentSession: string | undefined
  readonly raw: Readonly<JsonObject>
  /** the configuration that an export of Baton carries, unchecked */
  readonly baton: unknown
}

/** Reads the optional title slot and the header; BatonError `invalid` when the stream does not begin like a session file. */
export async function parseHeader(lines: AsyncIterator<Line, void>): Promise<FileHeader> {
  let first = await nextObject(lines)
  let slot: JsonObject | null = null
  if (first['type'] === 'title') {
    slot = first
    first = await nextObject(lines)
  }
  if (first['type'] !== 'session') throw notASession('it does not begin with a session header')
  const { id } = first
  if (id !== undefined && typeof id !== 'string')
    throw notASession('the id of its header is not a string')
  return {
    id,
    version: toVersion(first['version']),
    timestamp: text(first['timestamp']),
    cwd: text(first['cwd']),
    title: chooseTitle(slot, text(first['title'])),
    titled: slot !== null,
    parentSession: text(first['parentSession']),
    raw: first,
    baton: first['baton'],
  }
}

async function nextObject(lines: AsyncIterator<Line, void>): Promise<JsonObject> {
  for (;;) {
    const { done, value } = await lines.next()
    if (done || value === undefined) throw notASession('it has no header')
    const { line, number } = value
    if (line.trim() === '') continue
    if (exceededLimit(line) !== null) {
      throw notASession(`line ${number} is nested too deep or holds too many values`)
    }
    let parsed: unknown
    try {
      parsed = JSON.parse(line)
    } catch {
      throw notASession(`line ${number} is not JSON`)
    }
    if (mayHoldSurrogates(line)) parsed = toWellFormed(parsed).value
    if (!isJsonObject(parsed)) throw notASession(`line ${number} is not a JSON object`)
    return parsed
  }
}

function toVersion(version: unknown): 1 | 2 | 3 {
  if (version === undefined) return 1
  if (version === 1 || version === 2 || version === 3) return version
  if (typeof version === 'number' && version > 3) {
    throw new BatonError(
      'invalid',
      `This pi session file has version ${version}; versions 1 to 3 can be read`,
    )
  }
  throw notASession('the version of its header is not 1, 2 or 3')
}

/** A slot with (nearly) no room left holds only the beginning of a long title; then the header knows the rest. */
function chooseTitle(slot: JsonObject | null, title: string | undefined): string | undefined {
  const current = text(slot?.['title'])
  if (!current) return title
  const pad = slot?.['pad']
  const full = typeof pad === 'string' && pad.length < 12
  return full && title?.startsWith(current) ? title : current
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function notASession(why: string): BatonError {
  return new BatonError('invalid', `This is not a pi session file: ${why}`)
}
