import type { ServerResponse } from 'node:http'
import type { SaidMore } from './said-more.ts'
import { pieces, sendEvents } from './said-more.ts'

/** Answers with a well-formed stream of Anthropic's Messages API; `finish` is the stop reason. */
export function sayAnthropic(reply: ServerResponse, text: string, more: SaidMore = {}): void {
  const { output_tokens = 0, ...counted } = (more.usage ?? {}) as { output_tokens?: number }
  const events: object[] = [
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 0, output_tokens: 1, ...counted },
      },
    },
  ]
  let index = 0
  const block = (content_block: object, deltas: readonly object[]): void => {
    events.push({ type: 'content_block_start', index, content_block })
    for (const delta of deltas) events.push({ type: 'content_block_delta', index, delta })
    events.push({ type: 'content_block_stop', index })
    index += 1
  }
  if (more.thinking !== undefined) {
    block({ type: 'thinking', thinking: '', signature: '' }, [
      ...pieces(more.thinking).map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: 'EXAMPLE-SIGNATURE' },
    ])
  }
  events.push({ type: 'ping' })
  block(
    { type: 'text', text: '' },
    pieces(text).map((piece) => ({ type: 'text_delta', text: piece })),
  )
  for (const { id, name, arguments: input } of more.toolCalls ?? []) {
    block(
      { type: 'tool_use', id, name, input: {} },
      pieces(JSON.stringify(input)).map((partial_json) => ({
        type: 'input_json_delta',
        partial_json,
      })),
    )
  }
  const stop_reason = more.finish ?? ((more.toolCalls?.length ?? 0) > 0 ? 'tool_use' : 'end_turn')
  events.push({
    type: 'message_delta',
    delta: { stop_reason, stop_sequence: null },
    usage: { output_tokens },
  })
  events.push({ type: 'message_stop' })
  sendEvents(reply, events)
}
