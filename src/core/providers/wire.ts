import type { ProviderCall } from './call-provider.ts'
import { callProvider } from './call-provider.ts'
import { readSse } from './read-sse.ts'
import type { Decoder, Model, ModelEvent, ModelRequest, StreamFn } from './types.ts'

/** What a wire API is made of. `encode` is pure: equal requests are equal bytes. */
export interface Wire {
  encode(request: ModelRequest): ProviderCall
  createDecoder(model: Model, onEvent: (event: ModelEvent) => void): Decoder
}

/** Sends over a wire that answers with server-sent events; see StreamFn. */
export function createStream({ encode, createDecoder }: Wire): StreamFn {
  return (request, { signal, onEvent }) =>
    callProvider(request.model, encode(request), {
      signal,
      async read(body, { alive, progressed }) {
        const decoder = createDecoder(request.model, onEvent ?? (() => undefined))
        for await (const data of readSse(body, alive)) if (decoder.push(data)) progressed()
        return decoder.finish()
      },
    })
}

/** Headers of a call: ours, then what pins the session to an instance, then those configured for the provider. */
export function toHeaders(
  { model, cacheKey }: ModelRequest,
  own: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { affinityHeader } = model.options
  return {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    ...own,
    ...(affinityHeader === undefined ? {} : { [affinityHeader.toLowerCase()]: cacheKey }),
    // In lower case: two spellings of one name would be joined to a single, wrong value.
    ...Object.fromEntries(
      Object.entries(model.headers).map(([name, value]) => [name.toLowerCase(), value]),
    ),
  }
}
