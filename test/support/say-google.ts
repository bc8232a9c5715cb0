import type { ServerResponse } from 'node:http'
import type { SaidMore } from './said-more.ts'
import { pieces, sendEvents } from './said-more.ts'

/** Answers with a well-formed stream of Google's Generative Language API; `finish` is the finish reason. */
export function sayGoogle(reply: ServerResponse, text: string, more: SaidMore = {}): void {
  const parts: object[] = [
    ...(more.thinking === undefined ? [] : [{ text: more.thinking, thought: true }]),
    ...pieces(text).map((piece) => ({ text: piece })),
    ...(more.toolCalls ?? []).map(({ name, arguments: args }) => ({
      functionCall: { name, args },
    })),
  ]
  const chunks = parts.map((part) => ({
    candidates: [{ index: 0, content: { role: 'model', parts: [part] } }],
    modelVersion: 'm',
  }))
  const last = {
    candidates: [
      {
        index: 0,
        content: { role: 'model', parts: [{ text: '' }] },
        finishReason: more.finish ?? 'STOP',
      },
    ],
    ...(more.usage === undefined ? {} : { usageMetadata: more.usage }),
  }
  sendEvents(reply, [...chunks, last])
}
