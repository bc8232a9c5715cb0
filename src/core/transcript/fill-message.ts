import type { StoredEntry } from '../entry.ts'
import type { JsonObject } from './check-entry.ts'
import { isJsonObject } from './check-entry.ts'

/**
 * Coding agents read fields of a message without asking whether they are there (pi 1.6.0 adds up `usage.cost.total`
 * of every answer and shows it in its footer). An export fills what is missing or unknown, and notes under `FILLED`
 * what was there before, so that importing it gives the entry as it was.
 */

const FILLED = 'batonFilled'

/** The only fields that are ever filled, so the only ones that an import takes back. */
const FIELDS = ['api', 'provider', 'model', 'usage', 'timestamp'] as const

/** The entry as other programs can read it; the same object when nothing is missing. */
export function fillMessage(entry: StoredEntry): StoredEntry {
  const { message } = entry as { readonly message?: unknown }
  if (entry.type !== 'message' || !isJsonObject(message)) return entry
  const answer = message['role'] === 'assistant'
  const filled: JsonObject = {}
  const before: JsonObject = {}
  for (const field of FIELDS) {
    if (!answer && field !== 'timestamp') continue
    const value = fill(field, message[field], entry.timestamp)
    if (value === message[field]) continue
    filled[field] = value
    before[field] = message[field] ?? null
  }
  if (Object.keys(filled).length === 0) return entry
  return { ...entry, message: { ...message, ...filled, [FILLED]: before } } as StoredEntry
}

/** Takes back what an export filled in. Changes the message in place: it was just parsed and nobody else has it. */
export function unfillMessage(message: JsonObject): void {
  const before = message[FILLED]
  if (!isJsonObject(before)) return
  for (const field of FIELDS) {
    if (!Object.hasOwn(before, field)) continue
    if (before[field] === null) delete message[field]
    else message[field] = before[field]
  }
  delete message[FILLED]
}

function fill(field: (typeof FIELDS)[number], value: unknown, timestamp: string): unknown {
  switch (field) {
    case 'usage':
      return fillUsage(value)
    case 'timestamp':
      return typeof value === 'number' ? value : Date.parse(timestamp) || 0
    case 'api':
    case 'provider':
    case 'model':
      return typeof value === 'string' ? value : 'unknown'
  }
}

/** What is unknown counts as nothing, because these fields are summed. */
function fillUsage(value: unknown): unknown {
  const usage = isJsonObject(value) ? value : {}
  const cost = isJsonObject(usage['cost']) ? usage['cost'] : {}
  const spent = numbers(usage, ['input', 'output', 'cacheRead', 'cacheWrite'])
  const paid = numbers(cost, ['input', 'output', 'cacheRead', 'cacheWrite', 'total'])
  const sum = Object.values(spent ?? usage).reduce<number>((all, one) => {
    return typeof one === 'number' ? all + one : all
  }, 0)
  const total = typeof usage['totalTokens'] === 'number' ? null : { totalTokens: sum }
  if (spent === null && paid === null && total === null) return value
  return { ...usage, ...spent, ...total, ...(paid === null ? {} : { cost: { ...cost, ...paid } }) }
}

/** These fields as numbers, in this order; null when all of them are numbers already. */
function numbers(of: JsonObject, names: readonly string[]): Record<string, number> | null {
  if (names.every((name) => typeof of[name] === 'number')) return null
  return Object.fromEntries(
    names.map((name) => {
      const value = of[name]
      return [name, typeof value === 'number' ? value : 0]
    }),
  )
}
