import type { ServerResponse } from 'node:http'
import type { SaidMore } from './said-more.ts'
import { pieces, sendEvents } from './said-more.ts'

/** Answers with a well-formed stream of OpenAI's Responses API; `finish` is the reason of an incomplete one. */
export function sayResponses(reply: ServerResponse, text: string, more: SaidMore = {}): void {
  const output: object[] = []
  const events: Record<string, unknown>[] = [
    { type: 'response.created', response: { status: 'in_progress' } },
  ]
  if (more.thinking !== undefined) {
    const summary = [{ type: 'summary_text', text: more.thinking }]
    const item = { type: 'reasoning', id: 'rs_1', summary, encrypted_content: 'EXAMPLE' }
    events.push(
      { type: 'response.output_item.added', output_index: 0, item: { ...item, summary: [] } },
      {
        type: 'response.reasoning_summary_text.delta',
        output_index: 0,
        item_id: 'rs_1',
        summary_index: 0,
        delta: more.thinking,
      },
      { type: 'response.output_item.done', output_index: 0, item },
    )
    output.push(item)
  }
  const at = { output_index: output.length, item_id: 'msg_1', content_index: 0 }
  const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' }
  const content = [{ type: 'output_text', text, annotations: [] }]
  events.push(
    {
      type: 'response.output_item.added',
      output_index: at.output_index,
      item: { ...message, content: [] },
    },
    {
      type: 'response.content_part.added',
      ...at,
      part: { type: 'output_text', text: '', annotations: [] },
    },
    ...pieces(text).map((delta) => ({ type: 'response.output_text.delta', ...at, delta })),
    { type: 'response.output_text.done', ...at, text },
    {
      type: 'response.output_item.done',
      output_index: at.output_index,
      item: { ...message, content },
    },
  )
  output.push({ ...message, content })
  for (const call of more.toolCalls ?? []) {
    const json = JSON.stringify(call.arguments)
    const item = { type: 'function_call', id: `fc_${call.id}`, call_id: call.id, name: call.name }
    const place = { output_index: output.length, item_id: item.id }
    events.push(
      {
        type: 'response.output_item.added',
        output_index: place.output_index,
        item: { ...item, arguments: '' },
      },
      ...pieces(json).map((delta) => ({
        type: 'response.function_call_arguments.delta',
        ...place,
        delta,
      })),
      {
        type: 'response.output_item.done',
        output_index: place.output_index,
        item: { ...item, arguments: json },
      },
    )
    output.push({ ...item, arguments: json })
  }
  const cut = more.finish === undefined ? null : { reason: more.finish }
  const status = cut === null ? 'completed' : 'incomplete'
  const response = {
    id: 'resp_1',
    object: 'response',
    status,
    incomplete_details: cut,
    error: null,
    output,
    usage: more.usage ?? null,
  }
  events.push({ type: `response.${status}`, response })
  sendEvents(
    reply,
    events.map((event, sequence_number) => ({ ...event, sequence_number })),
  )
}
