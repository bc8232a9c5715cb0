import * as z from 'zod'
import { COMMANDS, parseCommand } from '../core/commands.ts'
import { invalid } from '../core/errors.ts'
import type { HandoffRequest, Idempotency } from '../core/session/handle.ts'
import { check } from './check.ts'
import { answerHandoff, HANDOFF_ANSWERS } from './handoffs.ts'
import type { Operation } from './operation.ts'
import { json } from './operation.ts'
import { handoffBody } from './schemas.ts'

const commandSchema = z
  .object({ name: z.string(), description: z.string(), hint: z.string() })
  .meta({ id: 'Command' })
const commandBody = z.strictObject({ text: z.string().max(10_000) })

export const COMMAND_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: '/v1/commands',
    tag: 'Around it',
    summary: 'List what can be typed instead of a message',
    answers: { 200: { description: 'The commands', schema: z.array(commandSchema) } },
    handle: async () => json(COMMANDS),
  },
  {
    method: 'POST',
    path: '/v1/sessions/{id}/commands',
    tag: 'Around it',
    summary: 'Run a typed command, with the guards and answers of the call that it stands for',
    body: commandBody,
    answers: HANDOFF_ANSWERS,
    async handle(call) {
      const { text } = await call.body(commandBody)
      const command = parseCommand(text)
      if (command === null) {
        const names = COMMANDS.map(({ name }) => `/${name}`).join(', ')
        throw invalid([{ path: 'text', message: `Expected a command: ${names}` }])
      }
      return answerHandoff(call, handoffOf(command.argument, await call.idempotency()))
    },
  },
]

/** The handoff that a typed one asks for. Throws `invalid`, as the call itself does. */
export function handoffOf(
  argument: string | null,
  idempotency: Idempotency | null,
): HandoffRequest {
  const { focus = null } = check(handoffBody, argument === null ? {} : { focus: argument })
  return { focus, model: null, thinkingLevel: null, idempotency }
}
