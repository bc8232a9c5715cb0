import { z } from 'zod'
import type { Message } from '../core/entry.ts'
import { BatonError } from '../core/errors.ts'
import type { SessionConfig } from '../core/ports.ts'
import { exceedsConfigSize } from '../core/session/config-size.ts'
import { toSessionView } from '../core/session/view.ts'
import { invalid } from './check.ts'
import { readLineage } from './lineage.ts'
import type { Call, Operation } from './operation.ts'
import { json, openSession, requireKnownModel, requireType, unwrap } from './operation.ts'
import { MIB } from './read-body.ts'
import {
  appendBody,
  createBody,
  entriesQuery,
  entrySchema,
  listQuery,
  messageSchema,
  patchBody,
  sessionSchema,
} from './schemas.ts'

const IMPORT_TYPES = ['application/x-ndjson', 'application/jsonl']

export const SESSION_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: '/v1/sessions',
    tag: 'Sessions',
    summary: 'Create a session',
    body: createBody,
    bodyLimit: 4 * MIB,
    answers: { 201: { description: 'The session', schema: sessionSchema } },
    handle: createSession,
  },
  {
    method: 'POST',
    path: '/v1/sessions/import',
    tag: 'Sessions',
    summary: 'Import a pi / oh-my-pi session file (version 1, 2 or 3)',
    bodyLimit: 'stream',
    bodyType: 'application/x-ndjson',
    answers: {
      201: {
        description: 'The session, and what was left out',
        schema: z.object({
          session: sessionSchema,
          imported: z.int(),
          skipped: z.int(),
          warnings: z.array(
            z.object({ code: z.string(), detail: z.string(), line: z.int().optional() }),
          ),
        }),
      },
    },
    handle: importSession,
  },
  {
    method: 'GET',
    path: '/v1/sessions',
    tag: 'Sessions',
    summary: 'List sessions, newest first',
    query: listQuery,
    answers: {
      200: {
        description: 'A page; the status of a listed session is not looked up and reads idle',
        schema: z.object({ items: z.array(sessionSchema), nextCursor: z.string().nullable() }),
      },
    },
    async handle(call) {
      const { limit, cursor, parent } = call.query(listQuery)
      const page = await call.ports.catalog.sessions(call.tenant, {
        limit,
        cursor: cursor ?? null,
        parent: parent ?? null,
      })
      const items = page.items.map((meta) => toSessionView(meta, 'idle'))
      return json({ items, nextCursor: page.nextCursor })
    },
  },
  {
    method: 'GET',
    path: '/v1/sessions/{id}',
    tag: 'Sessions',
    summary: 'Read a session',
    answers: { 200: { description: 'The session', schema: sessionSchema } },
    handle: async (call) => json(await unwrap(openSession(call).view())),
  },
  {
    method: 'PATCH',
    path: '/v1/sessions/{id}',
    tag: 'Sessions',
    summary: 'Change title, model, thinking level, system prompt, tools, settings or mode',
    body: patchBody,
    bodyLimit: 4 * MIB,
    answers: { 200: { description: 'The session', schema: sessionSchema } },
    async handle(call) {
      const { systemPrompt, ...patch } = await call.body(patchBody)
      requireKnownModel(call.ports, patch.model)
      const prompt = systemPrompt === undefined ? {} : { systemPrompt: [systemPrompt].flat() }
      const change: Partial<SessionConfig> = { ...patch, ...prompt }
      await requireWholeSize(call, change)
      return json(await unwrap(openSession(call).update(change)))
    },
  },
  {
    method: 'DELETE',
    path: '/v1/sessions/{id}',
    tag: 'Sessions',
    summary: 'Delete a session with everything in it',
    answers: { 204: { description: 'Gone' } },
    async handle(call) {
      await unwrap(openSession(call).destroy())
      return new Response(null, { status: 204 })
    },
  },
  {
    method: 'GET',
    path: '/v1/sessions/{id}/export',
    tag: 'Sessions',
    summary: 'Export as a version 3 session file',
    answers: { 200: { description: 'JSON lines', type: 'application/x-ndjson' } },
    async handle(call) {
      const file = await unwrap(openSession(call).exportFile())
      return new Response(file, {
        headers: {
          'content-type': 'application/x-ndjson',
          'content-disposition': `attachment; filename="${call.id('id')}.jsonl"`,
        },
      })
    },
  },
  {
    method: 'GET',
    path: '/v1/sessions/{id}/entries',
    tag: 'Sessions',
    summary: 'List entries in seq order',
    query: entriesQuery,
    answers: {
      200: {
        description: 'A page; pass nextCursor as `after`',
        schema: z.object({ items: z.array(entrySchema), nextCursor: z.string().nullable() }),
      },
    },
    handle: async (call) => json(await unwrap(openSession(call).entries(call.query(entriesQuery)))),
  },
  {
    method: 'POST',
    path: '/v1/sessions/{id}/entries',
    tag: 'Sessions',
    summary: 'Append messages produced elsewhere; all or none',
    body: appendBody,
    bodyLimit: 4 * MIB,
    answers: {
      201: {
        description: 'What was stored',
        schema: z.object({ entries: z.array(entrySchema) }),
      },
    },
    async handle(call) {
      const { messages } = await call.body(appendBody)
      const whole = messages.map((message) => complete(message, null))
      return json(await unwrap(openSession(call).append(whole, await call.idempotency())), 201)
    },
  },
  {
    method: 'GET',
    path: '/v1/sessions/{id}/context',
    tag: 'Sessions',
    summary: 'What the next provider request would carry',
    answers: {
      200: {
        description: 'System prompt, tools and messages',
        schema: z.object({
          systemPrompt: z.array(z.string()),
          tools: z.array(z.unknown()),
          messages: z.array(messageSchema),
        }),
      },
    },
    handle: async (call) => json(await unwrap(openSession(call).context())),
  },
  {
    method: 'GET',
    path: '/v1/sessions/{id}/lineage',
    tag: 'Sessions',
    summary: 'Ancestors (nearest first) and descendants (nearest first)',
    answers: {
      200: {
        description: 'The family',
        schema: z.object({
          ancestors: z.array(sessionSchema),
          descendants: z.array(sessionSchema),
        }),
      },
    },
    async handle(call) {
      const self = await unwrap(openSession(call).view())
      return json(await readLineage(call.ports.catalog, call.tenant, self))
    },
  },
]

async function createSession(call: Call): Promise<Response> {
  const { ports, tenant } = call
  const body = await call.body(createBody)
  requireKnownModel(ports, body.model)
  const config: SessionConfig = {
    title: body.title ?? null,
    model: body.model ?? ports.defaultModel,
    thinkingLevel: body.thinkingLevel ?? null,
    systemPrompt: [body.systemPrompt ?? []].flat(),
    tools: body.tools ?? [],
    mode: 'none',
    settings: body.settings ?? {},
  }
  requireConfigSize(config)
  const parentSession = body.parentSession ?? null
  if (parentSession !== null && (await ports.catalog.session(tenant, parentSession)) === null) {
    throw invalid([{ path: 'parentSession', message: 'There is no such session' }])
  }
  const idempotency = await call.idempotency()
  const id = await claimId(call, idempotency, body.id ?? ports.newId())
  const session = await unwrap(
    ports.open(tenant, id).create({
      config,
      parentSession,
      messages: (body.messages ?? []).map((message) => complete(message, config.model)),
      chosenId: body.id !== undefined,
      idempotency,
    }),
  )
  return json(session, 201, { location: `/v1/sessions/${session.id}` })
}

async function importSession(call: Call): Promise<Response> {
  const { ports, tenant, request } = call
  requireType(request, IMPORT_TYPES)
  if (Number(request.headers.get('content-length') ?? 0) > 64 * MIB) {
    throw new BatonError('payload_too_large', 'A session file may have 64 MiB')
  }
  if (request.body === null) throw invalid([{ path: '', message: 'The file is empty' }])
  const idempotency = await call.idempotency()
  const id = await claimId(call, idempotency, ports.newId())
  const report = await unwrap(
    ports.open(tenant, id).importFile(request.body, { maxBytes: 64 * MIB, idempotency }),
  )
  return json(report, 201, { location: `/v1/sessions/${report.session.id}` })
}

/** The id that a retried creation got the first time. */
async function claimId(
  { ports, tenant, request }: Call,
  idempotency: Awaited<ReturnType<Call['idempotency']>>,
  proposed: string,
): Promise<string> {
  if (idempotency === null) return proposed
  const route = `POST ${new URL(request.url).pathname}`
  return ports.catalog.claim({ tenant, route, ...idempotency, proposed, now: ports.now() })
}

/** Fills what a message produced elsewhere may leave out. */
export function complete(
  message: z.output<typeof messageSchema>,
  sessionModel: string | null,
): Message {
  if (message.role !== 'assistant') return message
  const called = message.content.some((block) => block.type === 'toolCall')
  const slash = sessionModel?.indexOf('/') ?? -1
  const origin =
    sessionModel === null || message.model !== undefined || message.provider !== undefined
      ? {}
      : { provider: sessionModel.slice(0, slash), model: sessionModel.slice(slash + 1) }
  return {
    ...origin,
    ...message,
    stopReason: message.stopReason ?? (called ? 'toolUse' : 'stop'),
  } as Message
}

/** A part that fits by itself may be too much for what the session has already. */
async function requireWholeSize(call: Call, change: Partial<SessionConfig>): Promise<void> {
  requireConfigSize(change)
  const { systemPrompt, tools, settings } = change
  if (systemPrompt === undefined && tools === undefined && settings === undefined) return
  const { title, model, thinkingLevel, mode, ...rest } = await unwrap(openSession(call).view())
  const { systemPrompt: prompt, tools: has, settings: set } = rest
  const config = { title, model, thinkingLevel, mode, systemPrompt: prompt, tools: has }
  requireConfigSize({ ...config, settings: set, ...change })
}

function requireConfigSize(config: Partial<SessionConfig>): void {
  if (!exceedsConfigSize(config)) return
  throw new BatonError(
    'payload_too_large',
    'System prompt, tools and settings may have 1 MB together',
  )
}
