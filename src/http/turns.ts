import * as z from 'zod'
import { BatonError } from '../core/errors.ts'
import type { Message } from '../core/entry.ts'
import type { Call, Operation } from './operation.ts'
import { json, unwrap } from './operation.ts'
import { MIB } from './read-body.ts'
import { messageSchema } from './message-schemas.ts'
import { turnBody } from './schemas.ts'

/** Handoffs that one waiting turn may follow from child to child. */
const MAX_MOVES = 10

export const TURN_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: '/v1/sessions/{id}/turns',
    tag: 'Turns',
    summary: 'Say something and wait for the answer',
    body: turnBody,
    bodyLimit: 4 * MIB,
    answers: {
      200: {
        description: 'The turn; `session` is the child when a handoff came in between',
        schema: z.object({
          turn: z.object({
            id: z.string(),
            status: z.enum(['completed', 'cancelled', 'failed', 'interrupted']),
          }),
          session: z.string(),
          messages: z.array(messageSchema),
          error: z.object({ code: z.string(), detail: z.string() }).optional(),
        }),
      },
    },
    handle: takeTurn,
  },
]

async function takeTurn(call: Call): Promise<Response> {
  const body = await call.body(turnBody)
  const idempotency = await call.idempotency()
  const message: Message | readonly Message[] =
    typeof body.message === 'string' ? { role: 'user', content: body.message } : body.message
  let session = call.id('id')
  for (let move = 0; move < MAX_MOVES; move += 1) {
    const outcome = await unwrap(
      call.ports.open(call.tenant, session).turn({
        message,
        whenBusy: body.whenBusy === 'reject' ? 'reject' : 'queue',
        idempotency,
      }),
    )
    if (!('movedTo' in outcome)) return json(outcome)
    session = outcome.movedTo
  }
  throw new BatonError('conflict', 'The session was handed off again and again; ask the newest one')
}
