import * as z from 'zod'
import { BatonError, fromErrorData } from '../core/errors.ts'
import type { HandoffRequest } from '../core/session/handle.ts'
import type { Call, Operation } from './operation.ts'
import { accepts, json, openSession, prefers, unwrap } from './operation.ts'
import { eventStream } from './sse-response.ts'
import { cancelBody, handoffBody, handoffSchema } from './schemas.ts'

/** What a started handoff is answered with. */
export const HANDOFF_ANSWERS: Operation['answers'] = {
  201: { description: 'Done; `Location` is the new session', schema: handoffSchema },
  202: { description: 'Begun (Prefer: respond-async)', schema: handoffSchema },
  200: {
    description: 'The same as it happens',
    events: 'handoff_started, handoff_progress …, one terminal event',
  },
}

export const HANDOFF_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: '/v1/sessions/{id}/handoff',
    tag: 'Handoff',
    summary: 'Hand the session off to a new one',
    body: handoffBody,
    answers: HANDOFF_ANSWERS,
    handle: startHandoff,
  },
  {
    method: 'GET',
    path: '/v1/sessions/{id}/handoff',
    tag: 'Handoff',
    summary: 'Read the latest handoff of a session',
    answers: { 200: { description: 'The handoff', schema: handoffSchema } },
    handle: async (call) => json(await unwrap(openSession(call).latestHandoff())),
  },
  {
    method: 'DELETE',
    path: '/v1/sessions/{id}/handoff',
    tag: 'Handoff',
    summary: 'Cancel the running handoff; answers once it has settled',
    body: cancelBody,
    query: cancelBody,
    answers: {
      200: {
        description: 'Whether something was cancelled, and what',
        schema: z.object({ cancelled: z.boolean(), handoff: handoffSchema.optional() }),
      },
    },
    async handle(call) {
      const body = await call.body(cancelBody)
      const query = call.query(cancelBody)
      return json(
        await unwrap(openSession(call).cancelHandoff(body.reason ?? query.reason ?? null)),
      )
    },
  },
  {
    method: 'GET',
    path: '/v1/handoffs/{id}',
    tag: 'Handoff',
    summary: 'Read a handoff, for good',
    answers: { 200: { description: 'The handoff', schema: handoffSchema } },
    async handle({ ports, tenant, id }) {
      const session = await ports.catalog.handoffSession(tenant, id('id'))
      if (session === null) throw new BatonError('not_found', 'There is no such handoff')
      return json(await unwrap(ports.open(tenant, session).handoffById(id('id'))))
    },
  },
]

async function startHandoff(call: Call): Promise<Response> {
  const body = await call.body(handoffBody)
  return answerHandoff(call, {
    focus: body.focus ?? null,
    model: body.model ?? null,
    thinkingLevel: body.thinkingLevel ?? null,
    idempotency: await call.idempotency(),
  })
}

/** Starts a handoff and answers as the caller prefers: at once, as it happens, or when it has ended. */
export async function answerHandoff(call: Call, request: HandoffRequest): Promise<Response> {
  if (prefers(call.request, 'respond-async')) {
    const { handoff } = await unwrap(openSession(call).handoff(request, 'async'))
    return json(handoff, 202, {
      location: `/v1/sessions/${call.id('id')}/handoff`,
      'preference-applied': 'respond-async',
    })
  }
  if (accepts(call.request, 'text/event-stream')) {
    const events = await unwrap(openSession(call).handoffEvents(request, { type: 'native' }))
    return eventStream(events)
  }
  const { handoff, error } = await unwrap(openSession(call).handoff(request, 'wait'))
  if (error !== null) throw fromErrorData(error)
  return json(handoff, 201, { location: `/v1/sessions/${handoff.newSession?.id ?? ''}` })
}
