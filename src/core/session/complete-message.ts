import type { AssistantMessage, Message, StopReason } from '../entry.ts'

/** A message produced elsewhere; who answered and why it stopped may be left out. */
export type GivenMessage =
  | Exclude<Message, AssistantMessage>
  | (Omit<AssistantMessage, 'stopReason'> & { readonly stopReason?: StopReason | undefined })

/** Fills what was left out: the session's model answered, and it stopped for its tool calls or because it was done. */
export function completeMessage(message: GivenMessage, sessionModel: string | null): Message {
  if (message.role !== 'assistant') return message
  const calls = message.content.some((block) => block.type === 'toolCall')
  const slash = sessionModel?.indexOf('/') ?? -1
  const named = message.model !== undefined || message.provider !== undefined
  const origin =
    sessionModel === null || named
      ? {}
      : { provider: sessionModel.slice(0, slash), model: sessionModel.slice(slash + 1) }
  const stopReason = message.stopReason ?? (calls ? 'toolUse' : 'stop')
  return { ...origin, ...message, stopReason }
}
