import type { z } from 'zod'
import type { Issue } from '../core/errors.ts'
import { BatonError } from '../core/errors.ts'
import { exceedsDepth } from '../core/transcript/json-depth.ts'

export const MIB = 1024 * 1024
const MAX_DEPTH = 64
const MAX_ISSUES = 20

/** Bytes of an unwanted body that are still taken in, so that the client gets to read its answer. */
const MAX_DRAINED = 64 * MIB

/** Reads at most so many bytes, whatever Content-Length says. Throws `payload_too_large`. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array()
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
      throw new BatonError('payload_too_large', `The body exceeds ${limit} bytes`)
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
  if (exceedsDepth(text, MAX_DEPTH)) {
    throw invalid([{ path: '', message: `JSON may be nested ${MAX_DEPTH} levels deep` }])
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new BatonError('bad_request', 'The body is not valid JSON')
  }
  const broken = findLoneSurrogate(value, [])
  if (broken !== null) {
    throw invalid([{ path: broken.join('.'), message: 'Contains half of a surrogate pair' }])
  }
  return check(schema, value)
}

/** A value that fits the schema; `invalid` with its issues otherwise. */
export function check<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalid(
    flatten(parsed.error.issues).map(({ path, message }) => ({
      path: path.map(String).join('.'),
      message,
    })),
  )
}

/** 422 with the places that do not fit, the first twenty of them. */
export function invalid(issues: readonly Issue[]): BatonError {
  const [first] = issues
  const where = first === undefined || first.path === '' ? 'The body' : first.path
  return new BatonError('invalid', `${where}: ${first?.message ?? 'does not fit'}`, {
    issues: issues.slice(0, MAX_ISSUES),
  })
}

/** A union says which alternative came closest: the one whose issues lie deepest. */
function flatten(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue]
    const depth = (list: readonly z.core.$ZodIssue[]): number =>
      Math.max(...list.map((one) => one.path.length))
    const closest = issue.errors.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length)[0]
    if (closest === undefined || depth(closest) === 0) return [issue]
    return flatten(
      closest.map((one) => ({ ...one, path: [...issue.path, ...one.path] }) as z.core.$ZodIssue),
    )
  })
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

/** Depth was checked before, so recursion is bounded. */
function findLoneSurrogate(value: unknown, path: readonly string[]): readonly string[] | null {
  if (typeof value === 'string') return value.isWellFormed() ? null : path
  if (typeof value !== 'object' || value === null) return null
  for (const [key, inner] of Object.entries(value)) {
    if (!key.isWellFormed()) return path
    const found = findLoneSurrogate(inner, [...path, key])
    if (found !== null) return found
  }
  return null
}
