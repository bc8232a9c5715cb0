import type { ServerResponse } from 'node:http'

/** What an answer of a fake provider holds besides its text; `finish` and `usage` in the words of its API. */
export interface SaidMore {
  readonly finish?: string
  readonly usage?: object
  readonly thinking?: string
  readonly toolCalls?: readonly {
    readonly id: string
    readonly name: string
    readonly arguments: object
  }[]
}

/** A text in pieces of at most forty characters. */
export function pieces(text: string): readonly string[] {
  return [...text.matchAll(/[\s\S]{1,40}/gu)].map(([piece]) => piece)
}

/** Sends these as server-sent events, each with its type as the event's name, and ends. */
export function sendEvents(reply: ServerResponse, events: readonly object[]): void {
  reply.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) {
    const { type } = event as { readonly type?: string }
    reply.write(`${type === undefined ? '' : `event: ${type}\n`}data: ${JSON.stringify(event)}\n\n`)
  }
  reply.end()
}
