import type { AssistantMessage } from '../entry.ts'
import type { LoggedEvent } from '../events.ts'
import { requireMeta, touch } from './ledger.ts'
import { callsOf, failedResult, openCalls } from './open-calls.ts'
import type { PartialAnswer } from './partial-answer.ts'
import { createPartialAnswer } from './partial-answer.ts'
import type { LivePorts } from './ports.ts'
import { changeTurn } from './queue.ts'
import { serverTool } from './request.ts'
import { store } from './turn.ts'

const PAGE = 500
const INTERRUPTED = 'The process that ran this call was interrupted; whether it ran is unknown.'

/**
 * Ends a turn that died with its process: what was told of its answer is stored as far as it came, calls of ours that
 * nothing answered get error results, and whoever reads the events hears of the end.
 */
export function recoverTurn(ports: LivePorts, id: string): void {
  const { journal, events, now } = ports
  journal.transaction(() => {
    const record = journal.turnRecord(id)
    if (record?.status === 'running') {
      const lost = readLost(ports, { id, after: record.eventsAfter })
      if (lost !== null) storeLost(ports, id, lost)
      const { leafId, config } = requireMeta(ports)
      const open = openCalls(ports, leafId).filter(
        (call) => serverTool(ports, config, call.name) !== null,
      )
      store(
        ports,
        id,
        open.map((call) => failedResult(call, INTERRUPTED, now())),
      )
      const lastEntry = journal.lastSeq()
      changeTurn(ports, id, { type: 'ended', status: 'interrupted', lastEntry, error: null })
      events.append({ type: 'turn_ended', turn: id, session: ports.id, status: 'interrupted' })
    }
    journal.putTurn(null)
    touch(ports)
  })
}

interface Lost {
  readonly entry: string
  readonly partial: PartialAnswer
}

/** The answer that was begun and not ended. */
function readLost(
  { events }: LivePorts,
  { id, after }: { readonly id: string; readonly after: number },
): Lost | null {
  let lost: Lost | null = null
  for (let cursor = after; ;) {
    const page = events.read(cursor, PAGE)
    for (const event of page) {
      cursor = event.seq
      if (!('turn' in event) || event.turn !== id) continue
      if (event.type === 'message_start') {
        lost = { entry: event.entry, partial: createPartialAnswer() }
      } else if (event.type === 'message_end') lost = null
      else if (lost !== null) hear(lost.partial, event)
    }
    if (page.length < PAGE) return lost
  }
}

function hear(partial: PartialAnswer, event: LoggedEvent): void {
  if (event.type === 'text_delta') partial.push({ type: 'text', delta: event.delta })
  if (event.type === 'thinking_delta') partial.push({ type: 'thinking', delta: event.delta })
  if (event.type === 'toolcall_delta') {
    const { index, id, name, delta } = event
    partial.push({ type: 'toolCall', index, id, name, delta })
  }
}

function storeLost(ports: LivePorts, id: string, { entry, partial }: Lost): void {
  const name = requireMeta(ports).config.model ?? ''
  const slash = name.indexOf('/')
  const message: AssistantMessage = {
    role: 'assistant',
    content: partial.blocks(ports.newId),
    provider: name.slice(0, Math.max(0, slash)) || 'unknown',
    model: name.slice(slash + 1) || 'unknown',
    api: ports.resolveModel(name)?.api ?? 'unknown',
    stopReason: 'aborted',
    errorMessage: 'The answer was interrupted',
    timestamp: ports.now(),
  }
  const results = callsOf(message).map((call) => failedResult(call, INTERRUPTED, ports.now()))
  store(ports, id, [message, ...results], { entry, begun: true })
}
