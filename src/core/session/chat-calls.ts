import { BatonError } from '../errors.ts'
import type { StoredEntry } from '../entry.ts'
import type { ChatGroup } from '../faces/chat-groups.ts'
import { toChatGroups } from '../faces/chat-groups.ts'
import type { ToldMessage } from '../faces/reconcile.ts'
import { reconcile } from '../faces/reconcile.ts'
import { toUiMessage } from '../faces/ui-message.ts'
import type { Asked } from '../ports.ts'
import type { Answer } from './boundary.ts'
import { completeMessage } from './complete-message.ts'
import { walkBranch } from './context.ts'
import type { ChatRequest, Idempotency, SessionHandle } from './handle.ts'
import { requireMeta } from './ledger.ts'
import { openCalls } from './open-calls.ts'
import type { LivePorts } from './ports.ts'
import type { TurnAccess } from './turn-access.ts'

type ChatCalls = Pick<SessionHandle, 'chat' | 'resumeChat' | 'chatMessages'>

const ROUTE = 'chat'

/** The calls of a session's handle for clients that keep a history of their own and send it along. */
export function createChatCalls(
  ports: LivePorts,
  access: TurnAccess,
  host: { readonly answer: Answer; wake(): Promise<void> },
): ChatCalls {
  const { journal } = ports

  function branch(): readonly StoredEntry[] {
    return walkBranch(journal.entries(), requireMeta(ports).leafId)
  }

  /** id of the answer that is being written */
  function running(): string | null {
    const marker = journal.turn()
    const record = marker === null ? null : journal.turnRecord(marker.id)
    return record?.status === 'running' ? record.answer : null
  }

  /** The turn that this message began; one of the same name that says something else is another. */
  function known(idempotency: Idempotency | null): string | null {
    try {
      return access.known(ROUTE, idempotency)
    } catch {
      return null
    }
  }

  /** Places what the client says and begins its turn: one step without an await. */
  function begin(request: ChatRequest): string {
    const { told, regenerate, edit, newestOnly, whenBusy, fingerprint } = request
    const last = told.at(-1)
    if (last === undefined) throw new BatonError('invalid', 'There is no message to answer')
    const key = regenerate || edit ? null : keyOf(last)
    const idempotency = key === null ? null : { key, fingerprint }
    const first = known(idempotency)
    if (first !== null) return first
    const groups = toChatGroups(branch())
    const { asked, ...place } = reconcile({
      groups,
      told: answerable(told),
      regenerate,
      edit,
      newestOnly,
      running: running(),
    })
    if (asked.length === 0 && place.after === undefined) throw nothingNew(last)
    const said = asked.map(complete)
    const turn = { asked: said, ...place, whenBusy, idempotency }
    return access.begin(turn, ROUTE)
  }

  /** Of the last message only the results of calls that still wait for them. */
  function answerable(told: readonly ToldMessage[]): readonly ToldMessage[] {
    const last = told.at(-1)
    if (last?.role !== 'assistant') return told
    const open = new Set(openCalls(ports, requireMeta(ports).leafId).map(({ id }) => id))
    const results = last.results.filter(({ toolCallId }) => open.has(toolCallId))
    return [...told.slice(0, -1), { ...last, results }]
  }

  function complete({ message, ...named }: ReturnType<typeof reconcile>['asked'][number]): Asked {
    const { model } = requireMeta(ports).config
    return { ...named, message: completeMessage(message, model, ports.resolveModel) }
  }

  /** What was accepted is there at once; an answer that is still told is left to its stream. */
  function messages() {
    const current = running()
    const shown = toChatGroups(branch()).filter(({ id }) => id !== current)
    const waiting = journal.queue().flatMap(({ id }): readonly ChatGroup[] => {
      const said = (journal.queueItem(id)?.asked ?? []).filter(
        ({ message }) => message.role === 'user',
      )
      return said.map(({ message, clientId }) => ({
        id: clientId ?? id,
        role: 'user',
        messages: [message],
        last: id,
        optional: false,
        document: null,
      }))
    })
    return [...shown, ...waiting].map(toUiMessage)
  }

  function awake<T>(work: () => T | Promise<T>) {
    return host.answer(async () => {
      await host.wake()
      return work()
    })
  }

  return {
    chat: (request) => awake(() => access.stream(begin(request), request.face)),
    resumeChat: (face) =>
      awake(() => {
        const id = journal.turn()?.id ?? journal.queue()[0]?.id ?? null
        return id === null ? null : access.stream(id, face)
      }),
    chatMessages: () => awake(messages),
  }
}

/** A message that is sent again begins nothing new. */
function keyOf({ id, role, results }: ToldMessage): string | null {
  if (id === null) return null
  return role === 'user' ? id : `${id} ${results.map(({ toolCallId }) => toolCallId).join(' ')}`
}

function nothingNew({ role }: ToldMessage): BatonError {
  return role === 'assistant'
    ? new BatonError('conflict', 'There is no open tool call that this message answers')
    : new BatonError('invalid', 'The message is empty')
}
