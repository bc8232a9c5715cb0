import type { ToolResultMessage } from '../entry.ts'
import type { GivenMessage } from '../session/complete-message.ts'
import type { ChatGroup } from './chat-groups.ts'
import { textOf } from './chat-groups.ts'

/** One message of the history that a client sends along. */
export interface ToldMessage {
  /** null when the client does not name its messages */
  readonly id: string | null
  readonly role: 'user' | 'assistant'
  readonly messages: readonly GivenMessage[]
  /** answers of the client to the model's calls */
  readonly results: readonly ToolResultMessage[]
}

/** What a request means to the stored branch. */
export interface Plan {
  /** the entry to go on from, null for the root; absent for the end of the branch */
  readonly after?: string | null
  readonly asked: readonly { readonly message: GivenMessage; readonly clientId?: string }[]
}

export interface Request {
  readonly groups: readonly ChatGroup[]
  /** with a last message */
  readonly told: readonly ToldMessage[]
  /** the last message is to be answered again */
  readonly regenerate: boolean
  /** the last message replaces the one of its name */
  readonly edit: boolean
  /** only the newest message was sent: what came before is what is stored */
  readonly newestOnly: boolean
  /** id of the answer that is being written; null when there is none */
  readonly running: string | null
}

/**
 * Where the client's history leaves the stored branch: what both have is kept, what is new is said after it, and what
 * only the store has after that stays on a branch of its own. Messages are the same by id, else by role and text in
 * their order.
 */
export function reconcile(request: Request): Plan {
  const { groups, told, regenerate, edit, newestOnly } = request
  const last = told.at(-1)
  if (last === undefined) return { asked: [] }
  if (last.role === 'assistant') return { asked: last.results.map((message) => ({ message })) }
  const before = told.slice(0, -1)
  const places = place(groups, told)
  const own = places.at(-1) ?? -1
  const same = own >= 0 && textOf(groups[own]?.messages ?? []) === textOf(last.messages)
  if (regenerate && same) return { after: groups[own]?.last ?? null, asked: [] }
  if (newestOnly) return { ...(edit && own >= 0 ? placeBefore(groups, own) : {}), asked: say(last) }
  const shared = places.slice(0, -1).findLastIndex((at) => at >= 0)
  const fresh = before.slice(shared + 1).filter(({ id }) => id === null || id !== request.running)
  const asked = [...fresh, last].flatMap(say)
  const at = places[shared] ?? -1
  // What a client may not know of does not make another branch.
  const tip = groups.slice(at + 1).every(({ optional, document }) => optional || document !== null)
  if (tip) return { asked }
  return at < 0 ? { ...placeBefore(groups, 0), asked } : { after: groups[at]?.last ?? null, asked }
}

/** The stored counterpart of each told message, -1 without one; both in their order. */
function place(groups: readonly ChatGroup[], told: readonly ToldMessage[]): readonly number[] {
  const byId = new Map(groups.map(({ id }, at) => [id, at]))
  let from = 0
  return told.map(({ id, role, messages }) => {
    const named = id === null ? undefined : byId.get(id)
    const found =
      named !== undefined && named >= from ? named : findText(groups, from, role, messages)
    if (found >= 0) from = found + 1
    return found
  })
}

/** The next group if it says the same; those that a client may not know of are stepped over. */
function findText(
  groups: readonly ChatGroup[],
  from: number,
  role: ToldMessage['role'],
  messages: readonly GivenMessage[],
): number {
  const text = textOf(messages as never)
  for (let at = from; at < groups.length; at += 1) {
    const group = groups[at]
    if (group === undefined) return -1
    if (group.document === null && group.role === role && textOf(group.messages) === text) return at
    if (!group.optional && group.document === null) return -1
  }
  return -1
}

/** Right before a group; documents that a session was born with stay where they are. */
function placeBefore(groups: readonly ChatGroup[], at: number): { readonly after: string | null } {
  let born = at
  while (groups[born]?.document != null) born += 1
  return { after: groups[born - 1]?.last ?? null }
}

function say(told: ToldMessage): Plan['asked'] {
  return told.messages.map((message) =>
    told.id === null || message.role !== 'user' ? { message } : { message, clientId: told.id },
  )
}
