import { ask } from '../ask.ts'
import type { AssistantMessage, Message, ToolResultMessage } from '../entry.ts'
import type { TurnStatus } from '../events.ts'
import { describeFailure } from '../failure.ts'
import type { Model, ModelEvent } from '../providers/types.ts'
import { runTool } from '../tools/run-tool.ts'
import { appendEntries, requireMeta } from './ledger.ts'
import { callsOf, failedResult, openCalls } from './open-calls.ts'
import { createPartialAnswer } from './partial-answer.ts'
import type { LivePorts } from './ports.ts'
import { buildRequest, levelOf, modelName, serverTool } from './request.ts'
import { createDeltas } from './turn-deltas.ts'

/** Answers of the model in one turn; more is a loop that nobody meant. */
const MAX_ROUNDS = 100

/** How a turn ended. */
export interface TurnEnd {
  readonly status: TurnStatus
  readonly error: { readonly code: string; readonly detail: string } | null
}

interface Turn {
  readonly id: string
  readonly model: Model
  /** id of the first answer's entry */
  readonly answer: string
}

/** `steers` puts messages that came for this turn into the journal and tells whether there were any. */
export interface TurnHost {
  steers(): boolean
}

const COMPLETED: TurnEnd = { status: 'completed', error: null }

/**
 * One turn, from a claimed session with what was said already in the journal to its last entry: the model answers, tools
 * that are registered here run, and it answers again until it has no more calls, or only calls that the client answers.
 * Rejects only when the journal does: every failure is an assistant message with `stopReason` error or aborted.
 */
export async function runTurn(
  ports: LivePorts,
  turn: Turn,
  of: { readonly signal: AbortSignal; readonly host: TurnHost },
): Promise<TurnEnd> {
  const { signal, host } = of
  let entry = turn.answer
  for (let round = 1; ; round += 1) {
    host.steers()
    // Partly answered calls wait for the rest.
    if (openCalls(ports, requireMeta(ports).leafId).length > 0) return COMPLETED
    const { message, end } = await think(ports, { ...turn, entry }, signal)
    entry = ports.newId()
    if (end.status !== 'completed') return end
    const calls = callsOf(message)
    if (message.stopReason !== 'toolUse') {
      store(
        ports,
        turn.id,
        calls.map((call) => failedResult(call, CUT_OFF, ports.now())),
      )
    } else if (calls.length > 0) {
      await act(ports, turn.id, { message, signal })
      if (signal.aborted) return { status: 'cancelled', error: null }
      if (openCalls(ports, requireMeta(ports).leafId).length > 0) return COMPLETED
      if (round >= MAX_ROUNDS) return tooLong()
      continue
    }
    if (!host.steers()) return COMPLETED
  }
}

const CUT_OFF =
  'The answer was cut off at its length limit before this call was whole; it did not run.'

function tooLong(): TurnEnd {
  const detail = `The turn was ended after ${MAX_ROUNDS} answers of the model`
  return { status: 'failed', error: { code: 'conflict', detail } }
}

/** One answer of the model, stored as it ended. */
async function think(
  ports: LivePorts,
  turn: Turn & { readonly entry: string },
  signal: AbortSignal,
): Promise<{ message: AssistantMessage; end: TurnEnd }> {
  const { id, entry, model } = turn
  const base = {
    role: 'assistant' as const,
    provider: model.provider,
    model: model.id,
    api: model.api,
  }
  const alive = (): boolean => isAlive(ports, id)
  const deltas = createDeltas({ events: ports.events, now: ports.now, alive })
  const partial = createPartialAnswer()
  let begun = false

  function begin(): void {
    if (begun || !alive()) return
    begun = true
    ports.events.append({ type: 'message_start', turn: id, entry, role: 'assistant' })
  }

  function hear(event: ModelEvent): void {
    // What a provider still sends after an abort comes too late.
    if (signal.aborted) return
    begin()
    partial.push(event)
    deltas.push(toDelta(event, id, entry))
  }

  let message: AssistantMessage
  let end: TurnEnd = COMPLETED
  try {
    const { config } = requireMeta(ports)
    const request = await buildRequest(ports, { model, thinkingLevel: levelOf(config) })
    const onAttempt = (): void => partial.clear()
    const answer = await ask({ request, kind: 'turn', signal, onAttempt, onEvent: hear }, ports)
    message = { ...base, ...answer, timestamp: ports.now() }
  } catch (thrown) {
    const failed = { ...base, content: partial.blocks(ports.newId), timestamp: ports.now() }
    if (signal.aborted) {
      end = { status: 'cancelled', error: null }
      message = { ...failed, stopReason: 'aborted' }
    } else {
      const { code, detail } = describeFailure(thrown, 'The model failed')
      end = { status: 'failed', error: { code, detail } }
      message = { ...failed, stopReason: 'error', errorMessage: detail }
      ports.log({ name: 'turn_failed', session: ports.id, model: modelName(model), code })
    }
  }
  const results =
    end.status === 'completed'
      ? []
      : callsOf(message).map((call) => failedResult(call, NOT_RUN, ports.now()))
  ports.journal.transaction(() => {
    deltas.flush()
    begin()
    store(ports, id, [message, ...results], { entry, begun: true })
  })
  return { message, end }
}

const NOT_RUN = 'The answer was not finished; this call did not run.'

function toDelta(event: ModelEvent, turn: string, entry: string) {
  const { delta } = event
  if (event.type !== 'toolCall') {
    const type = event.type === 'text' ? ('text_delta' as const) : ('thinking_delta' as const)
    return { type, turn, entry, delta }
  }
  const { index, id, name } = event
  return { type: 'toolcall_delta' as const, turn, entry, index, id, name, delta }
}

/** Runs the calls that are ours, side by side, and stores their results in order. The client's calls stay open. */
async function act(
  ports: LivePorts,
  turn: string,
  of: { readonly message: AssistantMessage; readonly signal: AbortSignal },
): Promise<void> {
  const { tenant, id: session, now } = ports
  const { config } = requireMeta(ports)
  const results = await Promise.all(
    callsOf(of.message).flatMap((call): Promise<ToolResultMessage>[] => {
      const tool = serverTool(ports, config, call.name)
      return tool === null ? [] : [runTool(tool, call, { tenant, session, signal: of.signal, now })]
    }),
  )
  const open = of.signal.aborted ? callsOf(of.message).slice() : []
  const answered = new Set(results.map(({ toolCallId }) => toolCallId))
  const missing = open
    .filter((call) => !answered.has(call.id))
    .map((call) => failedResult(call, 'The call was aborted', now()))
  store(ports, turn, [...results, ...missing])
}

/** Appends messages of the turn and tells of them. A session deleted meanwhile keeps nothing. */
export function store(
  ports: LivePorts,
  turn: string,
  messages: readonly Message[],
  first?: { readonly entry: string; readonly begun: boolean },
): void {
  if (messages.length === 0) return
  ports.journal.transaction(() => {
    if (!isAlive(ports, turn)) return
    for (const [at, message] of messages.entries()) {
      const entry = at === 0 && first !== undefined ? first.entry : ports.newId()
      if (at > 0 || first?.begun !== true) {
        ports.events.append({ type: 'message_start', turn, entry, role: message.role })
      }
      appendEntries(ports, [{ type: 'message', id: entry, message }])
      ports.events.append({ type: 'message_end', turn, entry, message })
    }
  })
}

/** The turn still holds its claim, in a session that still exists. */
export function isAlive({ journal }: LivePorts, turn: string): boolean {
  return journal.turn()?.id === turn && journal.meta()?.state === 'live'
}
