import { streamOpenAiCompletions } from './openai-completions.ts'
import { streamOutline } from './outline/stream.ts'
import type { Api, StreamFn } from './types.ts'
import { ProviderError } from './types.ts'

/** A wire API is one file and one line here. */
const WIRES: Readonly<Partial<Record<Api, StreamFn>>> = {
  'openai-completions': streamOpenAiCompletions,
  outline: streamOutline,
}

/** Sends the request over its model's wire. */
export const stream: StreamFn = async (request, io) => {
  const { api, provider } = request.model
  const wire = WIRES[api]
  if (wire === undefined) {
    throw new ProviderError('refused', `${provider} speaks ${api}, which is not supported yet`)
  }
  return wire(request, io)
}
