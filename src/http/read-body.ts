import type * as z from 'zod'
import { BatonError, invalid } from '../core/errors.ts'
import { exceededLimit, JSON_LIMITS } from '../core/transcript/json-limits.ts'
import { check, dotted } from './check.ts'

export const MIB = 1024 * 1024

/** Bytes of an unwanted body that are still taken in, so that the client gets to read its answer. */
const MAX_DRAINED = 64 * MIB

const LIMIT_TEXTS = {
  depth: `JSON may be nested ${JSON_LIMITS.depth} levels deep`,
  values: `JSON may hold ${JSON_LIMITS.values} values`,
}

/** Reads at most so many bytes, whatever Content-Length says. Throws `payload_too_large`. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array()
  // An honest length spares the reading; what is left of the body is drained where the answer is made.
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
  const reader = request.body.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > limit) {
      reader.releaseLock()
      await drain(request)
      throw tooLarge(limit)
    }
    chunks.push(value)
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/**
 * Takes in what is left of a body and forgets it. workerd resets a connection whose request was not read to its end
 * (seen with 1.20261102.1), and the client would see the reset instead of the answer.
 */
export async function drain(request: Request): Promise<void> {
  if (request.body === null || request.body.locked) return
  const reader = request.body.getReader()
  let size = 0
  try {
    while (size < MAX_DRAINED) {
      const { done, value } = await reader.read()
      if (done) return
      size += value.length
    }
    await reader.cancel()
  } catch {
    // The client is gone; there is nobody to answer.
  }
}

/** A JSON body that fits the schema. An empty body counts as `{}`, so that only required fields make it wrong. */
export function parseBody<T extends z.ZodType>(
  schema: T,
  request: { readonly bytes: Uint8Array; readonly contentType: string | null },
): z.output<T> {
  const { bytes, contentType } = request
  if (bytes.length === 0) return check(schema, {})
  if (!isJson(contentType)) {
    throw new BatonError('unsupported_media_type', 'The body must be application/json')
  }
  const text = decode(bytes)
  const limit = exceededLimit(text)
  if (limit !== null) throw invalid([{ path: '', message: LIMIT_TEXTS[limit] }])
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new BatonError('bad_request', 'The body is not valid JSON')
  }
  const broken = findUnfit(value, [])
  if (broken !== null) throw invalid([{ path: dotted(broken.path), message: broken.message }])
  return check(schema, value)
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw new BatonError('bad_request', 'The body is not valid UTF-8')
  }
}

function isJson(contentType: string | null): boolean {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? ''
  return type === 'application/json' || /^application\/[^\s/]+\+json$/.test(type)
}

function tooLarge(limit: number): BatonError {
  return new BatonError('payload_too_large', `The body exceeds ${limit} bytes`)
}

interface Unfit {
  readonly path: readonly string[]
  readonly message: string
}

/**
 * What no field may hold: text that UTF-8 cannot carry, and the key that a schema would drop without a word.
 * Depth was checked before, so recursion is bounded.
 */
function findUnfit(value: unknown, path: readonly string[]): Unfit | null {
  if (typeof value === 'string') {
    return value.isWellFormed() ? null : { path, message: 'Contains half of a surrogate pair' }
  }
  if (typeof value !== 'object' || value === null) return null
  for (const [key, inner] of Object.entries(value)) {
    if (!key.isWellFormed()) return { path, message: 'A key contains half of a surrogate pair' }
    if (key === '__proto__') return { path: [...path, key], message: 'This key is not allowed' }
    const found = typeof inner === 'number' ? null : findUnfit(inner, [...path, key])
    if (found !== null) return found
  }
  return null
}
