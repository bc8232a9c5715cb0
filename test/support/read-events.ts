import { createParser } from 'eventsource-parser'
import type { World } from '../conformance/http/world.ts'

/** One server-sent event as it came; `data` parsed where it is JSON. */
export interface ServerEvent {
  readonly id: number
  readonly type: string
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON of the server, taken apart by assertions
  readonly data: any
}

export interface EventReader {
  readonly response: Response
  readonly seen: readonly ServerEvent[]
  /** everything up to the first event that fits; fails when the stream ends before */
  until(fits: (event: ServerEvent) => boolean): Promise<readonly ServerEvent[]>
  /** everything to the end of the stream */
  rest(): Promise<readonly ServerEvent[]>
  /** Goes away, as a closed tab does. */
  leave(): Promise<void>
}

/** Calls the API for a stream of events. */
export async function readEvents(
  { server }: World,
  method: string,
  path: string,
  options: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<EventReader> {
  const { body, headers = {} } = options
  const controller = new AbortController()
  const response = await fetch(`${server.baseUrl}${path}`, {
    method,
    signal: controller.signal,
    headers: {
      accept: 'text/event-stream',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (response.body === null) throw new Error('A stream was expected')
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  const seen: ServerEvent[] = []
  const parser = createParser({
    onEvent: ({ id, event = 'message', data }) =>
      seen.push({ id: Number(id), type: event, data: data === '[DONE]' ? data : JSON.parse(data) }),
  })

  /** False at the end. */
  async function more(): Promise<boolean> {
    const { done, value } = await reader.read()
    if (!done) parser.feed(value)
    return !done
  }

  return {
    response,
    seen,
    async until(fits) {
      while (!seen.some(fits)) {
        if (!(await more())) throw new Error(`The stream ended after ${JSON.stringify(seen)}`)
      }
      return seen
    },
    async rest() {
      while (await more());
      return seen
    },
    async leave() {
      controller.abort()
      await reader.cancel().catch(() => undefined)
    },
  }
}
