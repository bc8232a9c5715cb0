import type { Entry } from '../entry.ts'
import type { JsonObject } from './check-entry.ts'
import { entryFault, isJsonObject } from './check-entry.ts'
import { unfillMessage } from './fill-message.ts'
import { exceededLimit, JSON_LIMITS } from './json-limits.ts'
import type { FileHeader } from './parse-header.ts'
import { mayHoldSurrogates, toWellFormed } from './well-formed.ts'

const MAX_WARNINGS = 100
const EPOCH = '1970-01-01T00:00:00.000Z'

/** Why a line was left out or changed. */
export type WarningCode =
  | 'bad_json'
  | 'too_deep'
  | 'too_many_values'
  | 'not_an_object'
  | 'second_header'
  | 'missing_type'
  | 'missing_id'
  | 'duplicate_id'
  | 'bad_entry'
  | 'bad_parent'
  | 'bad_timestamp'
  | 'bad_first_kept'
  | 'lone_surrogate'

/** Something of a file that was not taken in as it stood. */
export interface FileWarning {
  readonly code: WarningCode
  readonly detail: string
  readonly line?: number
}

/** What became of the lines so far: how many were left out, and the first 100 reasons. */
export interface FileReport {
  readonly skipped: number
  readonly warnings: readonly FileWarning[]
}

const LIMIT_WARNINGS = {
  depth: { code: 'too_deep', detail: `It nests deeper than ${JSON_LIMITS.depth} levels` },
  values: { code: 'too_many_values', detail: `It holds more than ${JSON_LIMITS.values} values` },
} as const

/** Turns one line after the other into a version 3 entry, or into a reason why not. */
export class EntryParser {
  skipped = 0
  readonly warnings: FileWarning[] = []
  readonly #header: FileHeader
  readonly #newId: () => string
  readonly #ids = new Set<string>()
  #last: string | null = null
  /** of the entry before: the best guess for one without a time */
  #time: string
  /**
   * Version 1 only: `firstKeptEntryIndex` counts the way its writer did, the header is 0 and every line that
   * is JSON counts on. A line that was left out gets the id of the next one that was kept.
   */
  readonly #places: (string | undefined)[] = [undefined]
  #settled = 1

  constructor(header: FileHeader, newId: () => string) {
    this.#header = header
    this.#newId = newId
    const { timestamp = '' } = header
    this.#time = Number.isNaN(Date.parse(timestamp)) ? EPOCH : timestamp
  }

  parse(line: string, number: number): Entry | null {
    if (line.trim() === '') return null
    const limit = exceededLimit(line)
    if (limit !== null) {
      const { code, detail } = LIMIT_WARNINGS[limit]
      return this.#skip(code, detail, number)
    }
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      this.#warn('bad_json', 'It is not JSON', number)
      this.skipped += 1
      return null
    }
    if (mayHoldSurrogates(line)) {
      const sound = toWellFormed(value)
      value = sound.value
      if (sound.changed) {
        this.#warn('lone_surrogate', 'A lone surrogate was replaced by U+FFFD', number)
      }
    }
    if (!isJsonObject(value)) return this.#skip('not_an_object', 'It is not a JSON object', number)
    return this.#accept(value, number)
  }

  #accept(entry: JsonObject, number: number): Entry | null {
    const { type } = entry
    if (typeof type !== 'string' || type === '') {
      return this.#skip('missing_type', 'It has no type', number)
    }
    if (type === 'session' || (type === 'title' && entry['id'] === undefined)) {
      return this.#skip('second_header', `Another ${type} line`, number)
    }
    const fault = entryFault(entry)
    if (fault !== null) return this.#skip('bad_entry', `${type}: ${fault}`, number)
    if (this.#header.version === 1) this.#linkFirstVersion(entry, number)
    const { id } = entry
    if (typeof id !== 'string' || id === '') return this.#skip('missing_id', 'It has no id', number)
    if (this.#ids.has(id)) return this.#skip('duplicate_id', 'Its id was there before', number)
    this.#ids.add(id)
    this.#complete(entry, number)
    return entry as unknown as Entry
  }

  /** Version 1 has no ids: entries follow each other, and a compaction names its first kept entry by place. */
  #linkFirstVersion(entry: JsonObject, number: number): void {
    let id = this.#newId()
    while (this.#ids.has(id)) id = this.#newId()
    entry['id'] = id
    entry['parentId'] = this.#last
    this.#last = id
    const index = entry['firstKeptEntryIndex']
    if (entry['type'] === 'compaction' && typeof index === 'number') {
      const kept =
        index >= 1 ? this.#places.slice(index).find((place) => place !== null) : undefined
      delete entry['firstKeptEntryIndex']
      if (kept) entry['firstKeptEntryId'] = kept
      else this.#warn('bad_first_kept', `No entry before it has index ${index}`, number)
    }
    this.#places.push(id)
    // each place is filled once, however often compactions point at it
    for (; this.#settled < this.#places.length; this.#settled += 1) this.#places[this.#settled] = id
  }

  #complete(entry: JsonObject, number: number): void {
    const { parentId } = entry
    if (typeof parentId !== 'string' && parentId !== null) {
      if (parentId !== undefined) this.#warn('bad_parent', 'Its parentId is not a string', number)
      entry['parentId'] = null
    }
    const { timestamp } = entry
    if (typeof timestamp !== 'string' || Number.isNaN(Date.parse(timestamp))) {
      if (timestamp !== undefined) this.#warn('bad_timestamp', 'Its timestamp is no time', number)
      entry['timestamp'] = this.#time
    }
    this.#time = entry['timestamp'] as string
    const { message } = entry
    if (isJsonObject(message)) unfillMessage(message)
    if (this.#header.version < 3 && isJsonObject(message) && message['role'] === 'hookMessage') {
      message['role'] = 'custom'
    }
  }

  #skip(code: WarningCode, detail: string, line: number): null {
    this.skipped += 1
    if (this.#header.version === 1) this.#places.push(undefined)
    this.#warn(code, detail, line)
    return null
  }

  #warn(code: WarningCode, detail: string, line: number): void {
    if (this.warnings.length < MAX_WARNINGS) this.warnings.push({ code, detail, line })
  }
}
