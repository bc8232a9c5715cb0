import * as z from 'zod'
import { toSessionView } from '../core/session/view.ts'
import { createSession, importSession } from './create-session.ts'
import { readLineage } from './lineage.ts'
import { messageSchema } from './message-schemas.ts'
import type { Operation } from './operation.ts'
import { json, openSession, unwrap } from './operation.ts'
import { MIB } from './read-body.ts'
import {
  appendBody,
  createBody,
  entriesQuery,
  entrySchema,
  listQuery,
  patchBody,
  sessionSchema,
} from './schemas.ts'

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
        description: 'A page',
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
      const items = page.items.map((meta) => toSessionView(meta, meta.status))
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
      const prompt = systemPrompt === undefined ? {} : { systemPrompt: [systemPrompt].flat() }
      return json(await unwrap(openSession(call).update({ ...patch, ...prompt })))
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
      return json(await unwrap(openSession(call).append(messages, await call.idempotency())), 201)
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
