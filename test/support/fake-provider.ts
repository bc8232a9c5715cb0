import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'

/** A model provider that is a real HTTP server: it records the raw bytes it got and answers byte for byte as told. */

export interface RecordedRequest {
  readonly model: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  /** exactly as received */
  readonly raw: string
  readonly body: Readonly<Record<string, unknown>>
  /** resolves when the connection is closed */
  readonly closed: Promise<void>
}

export type Handler = (reply: ServerResponse, request: RecordedRequest, attempt: number) => unknown

export interface FakeProvider {
  readonly port: number
  /** answers for this model; the newest handler wins */
  on(model: string, handler: Handler): void
  requests(model: string): readonly RecordedRequest[]
  /** resolves when so many requests of this model have come */
  waitFor(model: string, count?: number): Promise<RecordedRequest>
  close(): Promise<void>
}

/** Starts on a free port of the loopback interface. A model without a handler says `Hello`. */
export async function startFakeProvider(): Promise<FakeProvider> {
  const handlers = new Map<string, Handler>()
  const requests = new Map<string, RecordedRequest[]>()
  const waiting: (() => void)[] = []
  const server = createServer((message, reply) => {
    const chunks: Buffer[] = []
    message.on('data', (chunk: Buffer) => chunks.push(chunk))
    message.on('end', () => {
      const raw = Buffer.concat(chunks).toString('utf8')
      const body = JSON.parse(raw) as Record<string, unknown>
      // Gemini has its model in the path.
      const inPath = /\/models\/([^/:]+):/.exec(message.url ?? '')
      const model = String(body['model'] ?? inPath?.[1])
      const closed = new Promise<void>((resolve) => reply.on('close', () => resolve()))
      const request = {
        model,
        path: message.url ?? '',
        headers: message.headers,
        raw,
        body,
        closed,
      }
      const all = requests.get(model) ?? []
      all.push(request)
      requests.set(model, all)
      for (const wake of waiting.splice(0)) wake()
      void (handlers.get(model) ?? ((to) => say(to, 'Hello')))(reply, request, all.length)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    on: (model, handler) => void handlers.set(model, handler),
    requests: (model) => requests.get(model) ?? [],
    async waitFor(model, count = 1) {
      for (;;) {
        const found = requests.get(model)?.[count - 1]
        if (found !== undefined) return found
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Answers with a well-formed streamed completion. */
export function say(
  reply: ServerResponse,
  text: string,
  more: { finish?: string; usage?: unknown; toolCalls?: unknown } = {},
): void {
  stream(reply, [
    { choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] },
    ...[...text.matchAll(/[\s\S]{1,40}/gu)].map(([content]) => ({
      choices: [{ index: 0, delta: { content }, finish_reason: null }],
    })),
    ...(more.toolCalls === undefined
      ? []
      : [{ choices: [{ index: 0, delta: { tool_calls: more.toolCalls }, finish_reason: null }] }]),
    { choices: [{ index: 0, delta: {}, finish_reason: more.finish ?? 'stop' }] },
    ...(more.usage === undefined ? [] : [{ choices: [], usage: more.usage }]),
  ])
}

/** Answers with these chunks and `[DONE]`. */
export function stream(reply: ServerResponse, chunks: readonly unknown[]): void {
  reply.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const chunk of chunks) reply.write(`data: ${JSON.stringify(chunk)}\n\n`)
  reply.end('data: [DONE]\n\n')
}

/** Answers with a JSON body and a status. */
export function answer(
  reply: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  reply.writeHead(status, { 'content-type': 'application/json', ...headers })
  reply.end(typeof body === 'string' ? body : JSON.stringify(body))
}

/** Sends the head of a stream and a piece of text, then nothing more. */
export function hang(reply: ServerResponse, text = 'so far'): void {
  reply.writeHead(200, { 'content-type': 'text/event-stream' })
  reply.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })}\n\n`)
}
