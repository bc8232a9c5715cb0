import { streamAnthropicMessages } from './anthropic-messages.ts'
import { streamGoogleGenerativeAi } from './google-generative-ai.ts'
import { streamOpenAiCompletions } from './openai-completions.ts'
import { streamOpenAiResponses } from './openai-responses.ts'
import { streamOutline } from './outline/stream.ts'
import type { Api, StreamFn } from './types.ts'

/** A wire API is one file and one line here. */
const WIRES: Readonly<Record<Api, StreamFn>> = {
  'openai-completions': streamOpenAiCompletions,
  'openai-responses': streamOpenAiResponses,
  'anthropic-messages': streamAnthropicMessages,
  'google-generative-ai': streamGoogleGenerativeAi,
  outline: streamOutline,
}

/** Sends the request over its model's wire. */
export const stream: StreamFn = (request, io) => WIRES[request.model.api](request, io)
