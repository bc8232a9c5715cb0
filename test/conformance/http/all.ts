import { BAD_FIELD_CASES } from './bad-fields.ts'
import { BAD_INPUT_CASES } from './bad-input.ts'
import { BRANCH_CASES } from './branches.ts'
import { CHAT_CLIENT_CASES } from './chat-clients.ts'
import { COMMAND_CASES } from './commands.ts'
import { CANCEL_CASES } from './cancel.ts'
import { CONCURRENCY_CASES } from './concurrency.ts'
import { GUARD_CASES } from './guards.ts'
import { HANDOFF_CASES } from './handoff.ts'
import { SESSION_CASES } from './sessions.ts'
import { TRANSCRIPT_CASES } from './transcripts.ts'
import { OWN_MODEL_CASES } from './own-models.ts'
import { QUEUE_CASES } from './queue.ts'
import { TURN_CASES } from './turns.ts'
import { WIRE_CASES } from './wires.ts'
import type { Case } from './world.ts'

/** Everything that a runtime must do over HTTP while it lives; crashes are suites of their own. */
export const HTTP_SUITE: readonly Case[] = [
  ...SESSION_CASES,
  ...TRANSCRIPT_CASES,
  ...HANDOFF_CASES,
  ...BRANCH_CASES,
  ...GUARD_CASES,
  ...CANCEL_CASES,
  ...CONCURRENCY_CASES,
  ...BAD_INPUT_CASES,
  ...BAD_FIELD_CASES,
  ...WIRE_CASES,
  ...OWN_MODEL_CASES,
  ...TURN_CASES,
  ...QUEUE_CASES,
  ...COMMAND_CASES,
  ...CHAT_CLIENT_CASES,
]
