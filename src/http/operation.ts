import type * as z from 'zod'
import { sha256Hex } from '../core/digest.ts'
import type { Result } from '../core/errors.ts'
import { BatonError, fromErrorData, invalid } from '../core/errors.ts'
import type { Catalog } from '../core/ports.ts'
import type { Model } from '../core/providers/types.ts'
import type { Idempotency, OpenSession, SessionHandle } from '../core/session/handle.ts'
import { check, dotted } from './check.ts'
import { MIB, parseBody, readBytes } from './read-body.ts'

/** All that HTTP borrows from its runtime. */
export interface HttpPorts {
  readonly open: OpenSession
  readonly catalog: Catalog
  readonly defaultModel: string | null
  models(): readonly Model[]
  /** whether `provider/id` can be asked */
  knowsModel(name: string): boolean
  readonly auth: 'none' | 'keys'
  /** pages of these origins may call from a browser */
  readonly corsOrigins: readonly string[]
  readonly version: string
  now(): number
  newId(): string
}

/** One call of the contract as data: the same table mounts the routes and writes the OpenAPI document. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** with `{name}` for parameters, which are all ids */
  readonly path: string
  readonly tag: string
  readonly summary: string
  readonly body?: z.ZodType
  /** bytes a body may have; 256 KiB unless given. `stream`: the handler reads it */
  readonly bodyLimit?: number | 'stream'
  readonly bodyType?: string
  readonly query?: z.ZodType
  /** status → what is answered; a schema, or a media type for what is no JSON */
  readonly answers: Readonly<
    Record<
      number,
      {
        readonly description: string
        readonly schema?: z.ZodType
        readonly type?: string
        /** the same told as server-sent events, when they are asked for */
        readonly events?: string
      }
    >
  >
  readonly handle: (call: Call) => Promise<Response>
  /** how this face tells an error; problem details (RFC 9457) unless given */
  readonly errors?: Errors
}

/** Errors as the clients of one face understand them. */
export interface Errors {
  readonly type: string
  readonly schema: z.ZodType
  respond(thrown: unknown): Response
}

/** One request on its way through an operation. */
export interface Call {
  readonly request: Request
  readonly ports: HttpPorts
  readonly tenant: string
  /** an id of the path */
  id(name: string): string
  query<T extends z.ZodType>(schema: T): z.output<T>
  body<T extends z.ZodType>(schema: T): Promise<z.output<T>>
  /** the raw header; null without it */
  idempotencyKey(): string | null
  /** key and fingerprint of a retried request; null without the header */
  idempotency(): Promise<Idempotency | null>
}

/** Reads what the operation declares, lazily and once. Throws BatonError. */
export function createCall(
  operation: Operation,
  of: {
    request: Request
    ports: HttpPorts
    tenant: string
    params: Readonly<Record<string, string>>
  },
): Call {
  const { request, ports, tenant, params } = of
  let read: Promise<Uint8Array> | null = null
  const bytes = (): Promise<Uint8Array> => {
    const limit = operation.bodyLimit ?? MIB / 4
    if (limit === 'stream') throw new Error(`${operation.path} reads its body itself`)
    read ??= readBytes(request, limit)
    return read
  }
  function idempotencyKey(): string | null {
    const key = request.headers.get('idempotency-key')
    if (key === null || /^[\x20-\x7e]{1,255}$/.test(key)) return key
    const message = 'Must be 1 to 255 printable ASCII characters'
    throw invalid([{ path: 'Idempotency-Key', message }])
  }

  return {
    request,
    ports,
    tenant,
    id(name) {
      const value = params[name]
      if (value === undefined) throw new Error(`${operation.path} has no parameter ${name}`)
      return value
    },
    query: (schema) => check(schema, readQuery(request)),
    body: async (schema) =>
      parseBody(schema, {
        bytes: await bytes(),
        contentType: request.headers.get('content-type'),
      }),
    idempotencyKey,
    async idempotency() {
      const key = idempotencyKey()
      if (key === null) return null
      const head = `${request.method} ${new URL(request.url).pathname}\n`
      return { key, fingerprint: await digest(head, await bytes()) }
    },
  }
}

/** The session that the path of a call names. */
export function openSession({ ports, tenant, id }: Call): SessionHandle {
  return ports.open(tenant, id('id'))
}

/** The value of a session's answer, or its error thrown on this side of the object boundary. */
export async function unwrap<T>(answer: Promise<Result<T>>): Promise<T> {
  const result = await answer
  if (result.ok) return result.value
  throw fromErrorData(result.error)
}

/** A JSON answer. */
export function json(
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

/**
 * True when the header names the media type and wants it no less than JSON (RFC 9110, 12.5.1). Wildcards do not ask for
 * a stream.
 */
export function accepts(request: Request, type: string): boolean {
  const weights = new Map<string, number>()
  for (const range of (request.headers.get('accept') ?? '').split(',')) {
    const [name = '', ...params] = range.split(';').map((part) => part.trim().toLowerCase())
    const weight = params.find((param) => param.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  const weight = weights.get(type) ?? 0
  return weight > 0 && weight >= (weights.get('application/json') ?? 0)
}

/** True when `Prefer` (RFC 7240) has this preference. */
export function prefers(request: Request, preference: string): boolean {
  // A quoted value may hold a comma, and then words that are no preference.
  return (request.headers.get('prefer') ?? '')
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '')
    .split(',')
    .some((part) => part.split(';')[0]?.trim().toLowerCase() === preference)
}

/** Refuses what the media type of a stream body is not. */
export function requireType(request: Request, types: readonly string[]): void {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (types.includes(type)) return
  throw new BatonError('unsupported_media_type', `The body must be ${types.join(' or ')}`)
}

/** Every parameter once: of two values one would win in silence. */
function readQuery(request: Request): Readonly<Record<string, string>> {
  const pairs = [...new URL(request.url).searchParams]
  const names = pairs.map(([name]) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw invalid([{ path: dotted([twice]), message: 'Given twice' }])
  return Object.fromEntries(pairs)
}

function digest(head: string, body: Uint8Array): Promise<string> {
  const prefix = new TextEncoder().encode(head)
  const whole = new Uint8Array(prefix.length + body.length)
  whole.set(prefix)
  whole.set(body, prefix.length)
  return sha256Hex(whole)
}
