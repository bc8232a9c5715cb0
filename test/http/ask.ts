import type { Fakes } from './fake-ports.ts'
import { fakePorts } from './fake-ports.ts'
import { createApp } from '../../src/http/app.ts'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON of the app, taken apart by assertions
  readonly body: any
}

/** Asks the app without a server; a body that is no string is sent as JSON. */
export async function ask(
  method: string,
  path: string,
  body?: unknown,
  more: { readonly headers?: Readonly<Record<string, string>>; readonly fakes?: Fakes } = {},
): Promise<Reply> {
  const { ports } = more.fakes ?? fakePorts()
  const raw = typeof body === 'string' || body instanceof Uint8Array
  const answer = await createApp(ports).request(path, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...more.headers,
    },
    ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
  })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.endsWith('json') === true
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: isJson && text !== '' && !text.startsWith('exportFile') ? JSON.parse(text) : null,
  }
}

/** Status and code of a problem. */
export function problem({ status, headers, body }: Reply): readonly unknown[] {
  return [status, body?.code, headers.get('content-type')]
}

/** What `problem` of a reply must be. */
export function isA(status: number, code: string): readonly unknown[] {
  return [status, code, 'application/problem+json']
}
