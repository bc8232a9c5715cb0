import type { Result } from '../core/errors.ts'
import { BatonError, fromErrorData } from '../core/errors.ts'
import type { SessionConfig } from '../core/ports.ts'
import type { SessionHandle } from '../core/session/handle.ts'
import { mismatch } from '../core/session/idempotency.ts'
import type { Call } from './operation.ts'
import { json, requireType, unwrap } from './operation.ts'
import { MIB } from './read-body.ts'
import { createBody } from './schemas.ts'

/** The media types of a session file. */
const IMPORT_TYPES = ['application/x-ndjson', 'application/jsonl']
const MAX_FILE_BYTES = 64 * MIB

/** `POST /v1/sessions`. */
export async function createSession(call: Call): Promise<Response> {
  const { ports, tenant } = call
  const body = await call.body(createBody)
  const config: SessionConfig = {
    title: body.title ?? null,
    // Absent is the deployment's choice, null is nobody's yet.
    model: body.model === undefined ? ports.defaultModel : body.model,
    thinkingLevel: body.thinkingLevel ?? null,
    systemPrompt: [body.systemPrompt ?? []].flat(),
    tools: body.tools ?? [],
    mode: 'none',
    settings: body.settings ?? {},
  }
  const idempotency = await call.idempotency()
  const id = await claimId(call, body.id ?? null)
  const session = await unwrap(
    ports.open(tenant, id).create({
      config,
      parentSession: body.parentSession ?? null,
      messages: body.messages ?? [],
      chosenId: body.id !== undefined,
      idempotency,
    }),
  )
  return json(session, 201, { location: `/v1/sessions/${session.id}` })
}

/** `POST /v1/sessions/import`: the file goes through to the session as it comes. */
export async function importSession(call: Call): Promise<Response> {
  const { ports, tenant, request } = call
  requireType(request, IMPORT_TYPES)
  if (Number(request.headers.get('content-length') ?? 0) > MAX_FILE_BYTES) {
    throw new BatonError('payload_too_large', 'A session file may have 64 MiB')
  }
  const file = request.body ?? new Blob().stream()
  const key = call.idempotencyKey()
  const id = await claimId(call, null)
  const report = await unwrap(
    ports.open(tenant, id).importFile(file, { maxBytes: MAX_FILE_BYTES, key }),
  )
  return json(report, 201, { location: `/v1/sessions/${report.session.id}` })
}

/** The id that was chosen, or that a retried creation got the first time, or a new one. */
async function claimId(call: Call, chosen: string | null): Promise<string> {
  const { ports, tenant, request } = call
  const proposed = chosen ?? ports.newId()
  const key = call.idempotencyKey()
  if (key === null) return proposed
  const route = `POST ${new URL(request.url).pathname}`
  const id = await ports.catalog.claim({ tenant, route, key, proposed, now: ports.now() })
  if (id === null) {
    throw new BatonError('conflict', 'The session that this Idempotency-Key made was deleted')
  }
  if (chosen !== null && id !== chosen) throw mismatch()
  return id
}

/**
 * Asks a session for something; one that is not there yet is made first, with what the client says of it. For clients
 * that name a chat before they send its first message.
 */
export async function openOrCreate<T>(
  { ports, tenant }: Pick<Call, 'ports' | 'tenant'>,
  of: {
    readonly id: string
    readonly model?: string | undefined
    readonly system?: string | undefined
  },
  ask: (session: SessionHandle) => Promise<Result<T>>,
): Promise<T> {
  const { id, model, system } = of
  const first = await ask(ports.open(tenant, id))
  if (first.ok || first.error.code !== 'not_found') return unwrap(Promise.resolve(first))
  const config: SessionConfig = {
    title: null,
    // A name that is no model here is the client's own.
    model: model !== undefined && ports.knowsModel(model) ? model : ports.defaultModel,
    thinkingLevel: null,
    systemPrompt: [system ?? []].flat(),
    tools: [],
    mode: 'none',
    settings: {},
  }
  const birth = { config, parentSession: null, messages: [], chosenId: true, idempotency: null }
  const born = await ports.open(tenant, id).create(birth)
  // Another request may have been faster.
  if (!born.ok && born.error.code !== 'conflict') throw fromErrorData(born.error)
  return unwrap(ask(ports.open(tenant, id)))
}
