import type { AssistantMessage, Message, StopReason } from '../entry.ts'
import type { ModelResolver } from '../ports.ts'

/** A message produced elsewhere; who answered and why it stopped may be left out. */
export type GivenMessage =
  | Exclude<Message, AssistantMessage>
  | (Omit<AssistantMessage, 'stopReason'> & { readonly stopReason?: StopReason | undefined })

/** Fills what was left out: the session's model answered, over its API, and stopped for its tool calls or because it was done. */
export function completeMessage(
  message: GivenMessage,
  sessionModel: string | null,
  resolveModel: ModelResolver,
): Message {
  if (message.role !== 'assistant') return message
  const calls = message.content.some((block) => block.type === 'toolCall')
  const slash = sessionModel?.indexOf('/') ?? -1
  const named = message.model !== undefined || message.provider !== undefined
  const session = named || sessionModel === null ? null : sessionModel
  const provider = message.provider ?? session?.slice(0, slash) ?? 'unknown'
  const model = message.model ?? session?.slice(slash + 1) ?? 'unknown'
  const api = message.api ?? resolveModel(`${provider}/${model}`)?.api ?? 'unknown'
  const stopReason = message.stopReason ?? (calls ? 'toolUse' : 'stop')
  return { ...message, provider, model, api, stopReason }
}
