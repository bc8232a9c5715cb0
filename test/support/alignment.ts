import type { Message } from '../../src/core/entry.ts'
import { encodeAnthropicMessages } from '../../src/core/providers/anthropic-messages.ts'
import { encodeGoogleGenerativeAi } from '../../src/core/providers/google-generative-ai.ts'
import { encodeOpenAiCompletions } from '../../src/core/providers/openai-completions.ts'
import { encodeOpenAiResponses } from '../../src/core/providers/openai-responses.ts'
import type { Model, ModelRequest } from '../../src/core/providers/types.ts'
import { createHandoffPrompt } from '../../src/core/handoff/prompt.ts'
import { MODEL } from '../core/providers/model.ts'
import { SYSTEM, TOOLS } from '../fixtures/tool-session.ts'
import type { PromptCache } from './prompt-cache.ts'
import { createMarkedCache, createPrefixCache, sharedPrefix } from './prompt-cache.ts'

/** One wire under test: its model, its encoder, and the cache of the provider that speaks it. */
export interface AlignedWire {
  readonly model: Model
  /** what the wire takes for a thought's signature */
  readonly signature: string
  encode(request: ModelRequest): { readonly body: string }
  createCache(): PromptCache
}

const SEEING = {
  ...MODEL,
  input: ['text', 'image'],
  reasoning: true,
  efforts: ['low', 'high'],
} as const
const REASONING = JSON.stringify({
  type: 'reasoning',
  id: 'rs_1',
  summary: [{ type: 'summary_text', text: 'Let me look. 🤔' }],
  encrypted_content: 'EXAMPLE',
})

export const ALIGNED_WIRES: readonly AlignedWire[] = [
  {
    model: { ...SEEING, api: 'openai-completions', options: { promptCacheKey: true } },
    signature: 'reasoning_content',
    encode: encodeOpenAiCompletions,
    createCache: createPrefixCache,
  },
  {
    model: { ...SEEING, api: 'openai-responses', options: { promptCacheKey: true } },
    signature: REASONING,
    encode: encodeOpenAiResponses,
    createCache: createPrefixCache,
  },
  {
    model: { ...SEEING, api: 'anthropic-messages', options: { thinking: 'adaptive' } },
    signature: 'EXAMPLE-SIGNATURE',
    encode: encodeAnthropicMessages,
    createCache: createMarkedCache,
  },
  {
    model: {
      ...SEEING,
      id: 'gemini-3-pro',
      api: 'google-generative-ai',
      options: { thinking: 'level' },
    },
    signature: 'EXAMPLE-SIGNATURE',
    encode: encodeGoogleGenerativeAi,
    createCache: createPrefixCache,
  },
]

/** The request of a live turn with that history. */
export function liveRequest(model: Model, messages: readonly Message[]): ModelRequest {
  const context = { systemPrompt: SYSTEM, tools: TOOLS, messages }
  return { model, context, effort: 'high', cacheKey: 'k', sessionId: 'session' }
}

/** The handoff's request after that history. */
export function handoffRequest(model: Model, messages: readonly Message[]): ModelRequest {
  const side = { toolChoice: 'none', sessionId: 'session:side:1' } as const
  return { ...liveRequest(model, messages), appended: [createHandoffPrompt(null)], ...side }
}

/** The part of a live body that another one begins with, 1 being all of it; the brackets that close a body count as shared. */
export function alignment(live: string, side: string): number {
  const open = live.replace(/[\]}]+$/, '')
  return sharedPrefix(open, side) / open.length
}
