import * as z from 'zod'
import { sha256Hex } from '../core/digest.ts'
import { isBatonError, toErrorData } from '../core/errors.ts'
import { parseCommand } from '../core/commands.ts'
import { textOf } from '../core/faces/chat-groups.ts'
import type { ToldMessage } from '../core/faces/reconcile.ts'
import { UI_LOST } from '../core/faces/ui-frame.ts'
import { fromUiMessage } from '../core/faces/ui-message.ts'
import type { UiMessage } from '../core/faces/ui-message.ts'
import type { TurnStream } from '../core/session/handle.ts'
import { chatBody, stopBody, uiMessageSchema } from './chat-schemas.ts'
import { handoffOf } from './commands.ts'
import { openOrCreate } from './create-session.ts'
import { followStream } from './follow-turn.ts'
import type { Call, Errors, Operation } from './operation.ts'
import { json, openSession, unwrap } from './operation.ts'
import { PROBLEMS } from './problem.ts'
import { MIB } from './read-body.ts'
import { eventStream } from './sse-response.ts'

/** Clients show the body of an error to a person as it is. */
const ERRORS: Errors = {
  type: 'text/plain',
  schema: z.string(),
  respond(thrown) {
    const { code, detail, retryAfter } = toErrorData(thrown)
    const headers = new Headers({
      'content-type': 'text/plain; charset=utf-8',
      'x-error-code': code,
    })
    if (retryAfter !== undefined) headers.set('retry-after', String(retryAfter))
    return new Response(detail, { status: PROBLEMS[code][0], headers })
  },
}
const STREAM = 'The parts of a UI message stream, one terminal part, [DONE]'

export const CHAT_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: '/api/chat',
    tag: 'AI SDK',
    summary: 'Send, edit, answer again or answer tool calls; `/handoff` hands off',
    body: chatBody,
    bodyLimit: 64 * MIB,
    answers: { 200: { description: 'The answer', events: STREAM } },
    errors: ERRORS,
    handle: takeChat,
  },
  {
    method: 'GET',
    path: '/api/chat/{id}/stream',
    tag: 'AI SDK',
    summary: 'The answer that is being written, from its beginning',
    answers: {
      200: { description: 'The answer', events: STREAM },
      204: { description: 'Nothing is being written' },
    },
    errors: ERRORS,
    handle: resumeChat,
  },
  {
    method: 'POST',
    path: '/api/chat/{id}/stop',
    tag: 'AI SDK',
    summary: 'Stop the handoff or the answer; naming an old one stops nothing',
    body: stopBody,
    answers: {
      200: { description: 'Whether one was stopped', schema: z.object({ stopped: z.boolean() }) },
    },
    errors: ERRORS,
    async handle(call) {
      const { activeStreamId = null } = await call.body(stopBody)
      const session = openSession(call)
      const { cancelled } = await unwrap(
        activeStreamId === null
          ? session.abort(null)
          : session.cancelTurn('Cancelled', activeStreamId),
      )
      return json({ stopped: cancelled })
    },
  },
  {
    method: 'GET',
    path: '/api/chat/{id}/messages',
    tag: 'AI SDK',
    summary: 'The messages to show, without the answer that is still being written',
    answers: { 200: { description: 'UIMessage[]', schema: z.array(uiMessageSchema) } },
    errors: ERRORS,
    handle: async (call) => json(await unwrap(openSession(call).chatMessages())),
  },
]

async function takeChat(call: Call): Promise<Response> {
  const body = await call.body(chatBody)
  const { id, trigger, messageId, whenBusy = 'queue' } = body
  const sent = (body.messages ?? (body.message === undefined ? [] : [body.message])) as UiMessage[]
  const told = sent.flatMap((message): readonly ToldMessage[] => {
    const one = fromUiMessage(message, call.ports.now())
    return one === null || isCommand(one) ? [] : [one]
  })
  const last = sent.at(-1)
  const command = last?.role === 'user' ? parseCommand(textOfParts(last)) : null
  if (command !== null && last !== undefined) {
    return handOff(call, { argument: command.argument, key: last.id, body })
  }
  const fingerprint = await sha256Hex(JSON.stringify(told.at(-1) ?? null))
  const face = { type: 'ui', replay: false } as const
  const request = {
    told,
    regenerate: trigger === 'regenerate-message',
    edit: messageId !== undefined && trigger !== 'regenerate-message',
    newestOnly: body.messages === undefined,
    whenBusy,
    fingerprint,
    face,
  }
  const first = await openOrCreate(call, body, (session) => session.chat(request))
  return respond(call, id, first)
}

async function handOff(
  call: Call,
  of: {
    readonly argument: string | null
    readonly key: string
    readonly body: z.output<typeof chatBody>
  },
): Promise<Response> {
  const fingerprint = await sha256Hex(of.argument ?? '')
  const request = handoffOf(of.argument, { key: `chat:${of.key}`, fingerprint })
  const face = { type: 'ui', replay: false } as const
  const stream = await openOrCreate(call, of.body, (session) =>
    session.handoffEvents(request, face),
  )
  return eventStream(stream, HEADERS)
}

async function resumeChat(call: Call): Promise<Response> {
  let first: TurnStream | null = null
  try {
    first = await unwrap(openSession(call).resumeChat({ type: 'ui', replay: true }))
  } catch (thrown) {
    // A chat that was never sent is not there yet.
    if (!isBatonError(thrown) || thrown.code !== 'not_found') throw thrown
  }
  return first === null ? new Response(null, { status: 204 }) : respond(call, call.id('id'), first)
}

const HEADERS = { 'cache-control': 'no-cache', 'x-vercel-ai-ui-message-stream': 'v1' }

function respond(call: Call, session: string, first: TurnStream): Response {
  const face = { type: 'ui', replay: true } as const
  return eventStream(followStream(call, { session, first, face, lost: UI_LOST }), HEADERS)
}

function isCommand({ role, messages }: ToldMessage): boolean {
  return role === 'user' && parseCommand(textOf(messages as never)) !== null
}

function textOfParts({ parts }: UiMessage): string {
  return parts.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : [])).join('')
}
