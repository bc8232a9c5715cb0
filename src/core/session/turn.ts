import { ask } from '../ask.ts'
import type { AssistantMessage, Message } from '../entry.ts'
import { describeFailure } from '../failure.ts'
import type { Model } from '../providers/types.ts'
import { appendEntries, requireMeta } from './ledger.ts'
import type { TurnOutcome } from './handle.ts'
import type { SessionPorts } from './ports.ts'
import { buildRequest, levelOf, modelName } from './request.ts'

/**
 * One turn, from a claimed session with its user message already in the journal to the assistant's entry.
 * Never throws: a failure is an assistant message with `stopReason` error or aborted, and a status.
 */
export async function runTurn(
  ports: SessionPorts,
  turn: { readonly id: string; readonly model: Model; readonly asked: readonly Message[] },
  signal: AbortSignal,
): Promise<TurnOutcome> {
  const { model } = turn
  const base = {
    role: 'assistant' as const,
    provider: model.provider,
    model: model.id,
    api: model.api,
  }
  let partial = ''
  let answer: AssistantMessage
  let status: TurnOutcome['turn']['status'] = 'completed'
  let error: TurnOutcome['error']
  try {
    const { config } = requireMeta(ports)
    const request = await buildRequest(ports, { model, thinkingLevel: levelOf(config) })
    const result = await ask(
      {
        request,
        kind: 'turn',
        signal,
        onAttempt: () => {
          partial = ''
        },
        onEvent: (event) => {
          if (event.type === 'text') partial += event.delta
        },
      },
      ports,
    )
    answer = { ...base, ...result, timestamp: ports.now() }
  } catch (thrown) {
    const content = partial === '' ? [] : [{ type: 'text' as const, text: partial }]
    if (signal.aborted) {
      status = 'cancelled'
      answer = { ...base, content, stopReason: 'aborted', timestamp: ports.now() }
    } else {
      const { code, detail } = describeFailure(thrown, 'The model failed')
      status = 'failed'
      error = { code, detail }
      answer = {
        ...base,
        content,
        stopReason: 'error',
        errorMessage: detail,
        timestamp: ports.now(),
      }
      ports.log({ name: 'turn_failed', session: ports.id, model: modelName(model), code })
    }
  }
  return {
    turn: { id: turn.id, status },
    session: ports.id,
    messages: [...turn.asked, answer],
    ...(error === undefined ? {} : { error }),
  }
}

/** Ends a turn: its answer, the end of its claim and `settled` are one write. A session deleted meanwhile keeps nothing. */
export function settleTurn(ports: SessionPorts, outcome: TurnOutcome, settled: () => void): void {
  const { journal } = ports
  journal.transaction(() => {
    if (journal.turn()?.id !== outcome.turn.id || journal.meta()?.state !== 'live') return
    journal.putTurn(null)
    const message = outcome.messages.at(-1)
    if (message?.role === 'assistant') appendEntries(ports, [{ type: 'message', message }])
    settled()
  })
}
