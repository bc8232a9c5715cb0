/** A stream of server-sent events as an answer; proxies are told to pass it on as it comes. */
export function eventStream(
  body: ReadableStream<Uint8Array>,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-store',
      'x-accel-buffering': 'no',
      ...headers,
    },
  })
}
