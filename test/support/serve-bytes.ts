import { createServer } from 'node:http'

/** Runs `use` against a server that answers every request with these bytes as an event stream. */
export async function serveBytes<T>(
  bytes: Uint8Array,
  use: (origin: string) => Promise<T>,
): Promise<T> {
  const server = createServer((_request, reply) => {
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    reply.end(bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  try {
    return await use(`http://127.0.0.1:${port}`)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}
