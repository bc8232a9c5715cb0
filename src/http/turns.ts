import * as z from 'zod'
import { invalid } from '../core/errors.ts'
import type { Message } from '../core/entry.ts'
import type { TurnRequest } from '../core/session/handle.ts'
import { followOutcome, followStream } from './follow-turn.ts'
import { messageSchema } from './message-schemas.ts'
import type { Call, Operation } from './operation.ts'
import { accepts, json, openSession, prefers, unwrap } from './operation.ts'
import { MIB } from './read-body.ts'
import { cancelBody, eventsQuery, handoffSchema, turnBody } from './schemas.ts'
import { eventStream } from './sse-response.ts'

const turnState = z.object({
  id: z.string(),
  status: z.enum(['queued', 'running', 'completed', 'cancelled', 'failed', 'interrupted']),
})
const turnSchema = z
  .object({
    turn: turnState,
    session: z.string(),
    messages: z.array(messageSchema),
    error: z.object({ code: z.string(), detail: z.string() }).optional(),
  })
  .meta({ id: 'Turn' })
const cancelledSchema = z.object({ cancelled: z.boolean(), turn: turnState.optional() })
const itemSchema = z
  .object({
    id: z.string(),
    kind: z.enum(['turn', 'steer']),
    createdAt: z.iso.datetime(),
    messages: z.array(messageSchema),
  })
  .meta({ id: 'QueueItem' })

export const TURN_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: '/v1/sessions/{id}/turns',
    tag: 'Turns',
    summary: 'Say something, or answer tool calls; wait for the answer, stream it, or look later',
    body: turnBody,
    bodyLimit: 4 * MIB,
    answers: {
      200: {
        description: 'The turn; `session` is the child when a handoff came in between',
        schema: turnSchema,
        events:
          'turn_started, message_start, text_delta, thinking_delta, toolcall_delta, message_end …, one turn_ended',
      },
      202: { description: 'Begun or in line (Prefer: respond-async)', schema: turnSchema },
    },
    handle: takeTurn,
  },
  {
    method: 'DELETE',
    path: '/v1/sessions/{id}/turns',
    tag: 'Turns',
    summary: 'Abort the running turn; answers once it has settled',
    answers: {
      200: { description: 'Whether one was aborted, and which', schema: cancelledSchema },
    },
    handle: async (call) => json(await unwrap(openSession(call).cancelTurn('Cancelled'))),
  },
  {
    method: 'GET',
    path: '/v1/sessions/{id}/turns/{turnId}',
    tag: 'Turns',
    summary: 'Read a turn, for a day after it was asked for',
    answers: { 200: { description: 'The turn as far as it is', schema: turnSchema } },
    handle: async (call) =>
      json(
        await followOutcome(
          call,
          openSession(call).followTurn(call.id('turnId'), 'async'),
          'async',
        ),
      ),
  },
  {
    method: 'DELETE',
    path: '/v1/sessions/{id}/turns/{turnId}',
    tag: 'Turns',
    summary: 'Abort this turn, if it runs or waits',
    answers: {
      200: { description: 'Whether it was aborted', schema: cancelledSchema },
    },
    handle: async (call) =>
      json(await unwrap(openSession(call).cancelTurn('Cancelled', call.id('turnId')))),
  },
  {
    method: 'POST',
    path: '/v1/sessions/{id}/abort',
    tag: 'Turns',
    summary: 'Abort the handoff, then the turn',
    body: cancelBody,
    answers: {
      200: {
        description: 'What was aborted',
        schema: cancelledSchema.extend({ handoff: handoffSchema.optional() }),
      },
    },
    async handle(call) {
      const { reason } = await call.body(cancelBody)
      return json(await unwrap(openSession(call).abort(reason ?? null)))
    },
  },
  {
    method: 'GET',
    path: '/v1/sessions/{id}/queue',
    tag: 'Turns',
    summary: 'List what waits, in order',
    answers: {
      200: { description: 'The queue', schema: z.object({ items: z.array(itemSchema) }) },
    },
    handle: async (call) => json({ items: await unwrap(openSession(call).queue()) }),
  },
  {
    method: 'DELETE',
    path: '/v1/sessions/{id}/queue/{itemId}',
    tag: 'Turns',
    summary: 'Take something out of the queue',
    answers: { 204: { description: 'It will not run' } },
    async handle(call) {
      await unwrap(openSession(call).removeQueued(call.id('itemId')))
      return new Response(null, { status: 204 })
    },
  },
  {
    method: 'GET',
    path: '/v1/sessions/{id}/events',
    tag: 'Turns',
    summary: 'Everything of the session as it happens; resumable with Last-Event-ID',
    query: eventsQuery,
    answers: {
      200: {
        description: 'All that is kept after that number, then what comes; it has no end',
        type: 'text/event-stream',
      },
    },
    async handle(call) {
      const after = lastEventId(call.request) ?? call.query(eventsQuery).after
      return eventStream(await unwrap(openSession(call).events(after)))
    },
  },
]

async function takeTurn(call: Call): Promise<Response> {
  const { message, whenBusy = 'queue' } = await call.body(turnBody)
  const said: readonly Message[] =
    typeof message === 'string' ? [{ role: 'user', content: message }] : [message].flat()
  const request: TurnRequest = {
    asked: said.map((one) => ({ message: one })),
    whenBusy,
    idempotency: await call.idempotency(),
  }
  const session = call.id('id')
  if (prefers(call.request, 'respond-async')) {
    const outcome = await followOutcome(call, openSession(call).turn(request, 'async'), 'async')
    return json(outcome, 202, {
      location: `/v1/sessions/${outcome.session}/turns/${outcome.turn.id}`,
      'preference-applied': 'respond-async',
    })
  }
  if (accepts(call.request, 'text/event-stream')) {
    const face = { type: 'native' } as const
    const first = await unwrap(openSession(call).turnEvents(request, face))
    return eventStream(followStream(call, { session, first, face }))
  }
  return json(await followOutcome(call, openSession(call).turn(request, 'wait')))
}

/** The number that a reader who comes back names; null without one. Throws `invalid`. */
function lastEventId(request: Request): number | null {
  const id = request.headers.get('last-event-id')?.trim() ?? ''
  if (id === '') return null
  if (/^\d{1,15}$/.test(id)) return Number(id)
  throw invalid([{ path: 'Last-Event-ID', message: 'Expected the id of an event of this session' }])
}
