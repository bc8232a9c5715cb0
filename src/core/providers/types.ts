import type { AssistantMessage, Message, StopReason, Tool, Usage } from '../entry.ts'

export type Api =
  | 'openai-completions'
  | 'openai-responses'
  | 'anthropic-messages'
  | 'google-generative-ai'
  | 'outline'

export const EFFORTS = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
/** Ascending: each costs more thinking than the one before. */
export type Effort = (typeof EFFORTS)[number]

/** How a provider or model differs from the wire it speaks. What is absent is what most hosts accept. */
export interface ProviderOptions {
  /** milliseconds without real progress (text, thinking, tool call; never a keep-alive) before the call fails */
  readonly idleTimeoutMs?: number
  /** milliseconds the whole call may take */
  readonly totalTimeoutMs?: number
  /** name of the output limit field of Chat Completions */
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens'
  /** role that carries the system prompt and developer messages */
  readonly systemRole?: 'system' | 'developer'
  /** `user`: developer messages are sent as the user's, because a system message may stand at the beginning only */
  readonly noteRole?: 'user'
  /** false: never send a tool choice */
  readonly toolChoice?: boolean
  /** send `prompt_cache_key` */
  readonly promptCacheKey?: boolean
  /** false: do not ask for a usage chunk with `stream_options` */
  readonly streamUsage?: boolean
  /** send `store: false`; Responses does unless this is false */
  readonly store?: boolean
  /** an assistant message goes between a tool result and a user message (`tool`), between all that must alternate too (`alternate`) */
  readonly bridge?: 'tool' | 'alternate'
  /** `alnum9`: tool call ids are nine letters or digits */
  readonly toolCallIds?: 'alnum9'
  /** how a Chat Completions host is told to think: a field of that name, or `thinking: {type}` */
  readonly reasoning?: 'reasoning_effort' | 'reasoning' | 'thinking' | 'none'
  /** false: no summaries of thoughts are asked for */
  readonly summaries?: boolean
  /** false: thinking is not sent back. `always`: Chat Completions sends an empty one where there was none */
  readonly replayThinking?: boolean | 'always'
  /** header that keeps the requests of a session on one instance, with the cache key as value */
  readonly affinityHeader?: string
  /** Chat Completions: mark cache breakpoints as Anthropic does. Anthropic: false marks none */
  readonly cacheControl?: boolean
  /** Anthropic: `adaptive`, `budget` or `budget-effort`. Google: `budget` or `level` */
  readonly thinking?: 'adaptive' | 'budget' | 'budget-effort' | 'level'
}

/** US dollars for a million tokens; a cache price of 0 is one that the vendor does not list. */
export interface Prices {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
}

/** A model with everything needed to call it. Built per request from configuration; holds the key, so never log one. */
export interface Model {
  readonly provider: string
  readonly id: string
  readonly api: Api
  readonly baseUrl: string
  readonly apiKey: string | null
  /** a request without a key makes no sense */
  readonly keyRequired: boolean
  readonly headers: Readonly<Record<string, string>>
  /** tokens; null is unknown */
  readonly contextWindow: number | null
  /** output tokens to ask for at most; null asks for what the model has */
  readonly maxTokens: number | null
  /** output tokens the model can write; null is unknown */
  readonly outputLimit: number | null
  readonly reasoning: boolean
  /** ascending subset of EFFORTS */
  readonly efforts: readonly Effort[]
  readonly input: readonly ('text' | 'image')[]
  readonly cost: Prices | null
  readonly options: ProviderOptions
}

/** What every request of a session carries, provider-neutral and in order. */
export interface Context {
  readonly systemPrompt: readonly string[]
  readonly tools: readonly Tool[]
  readonly messages: readonly Message[]
}

/** One call. A handoff is a live turn's request with `appended`, `toolChoice` and a `sessionId` of its own; nothing else differs. */
export interface ModelRequest {
  readonly model: Model
  readonly context: Context
  /** one-off messages behind the context: never worth a cache entry */
  readonly appended?: readonly Message[]
  /** null: send no reasoning parameter */
  readonly effort: Effort | null
  /** `none` forbids tool calls; undefined sends what a live turn sends, which is nothing */
  readonly toolChoice?: 'none' | 'auto'
  /** at most 64 characters, the same for all requests of a session */
  readonly cacheKey: string
  /** unique per side request */
  readonly sessionId: string
}

export type ModelEvent =
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'thinking'; readonly delta: string }
  | {
      readonly type: 'toolCall'
      /** ordinal of the call in its answer */
      readonly index: number
      /** empty while the provider has not told them */
      readonly id: string
      readonly name: string
      /** the next piece of the arguments' JSON */
      readonly delta: string
    }

/** How an answer ended when the provider did not fail. */
export interface ModelAnswer {
  readonly content: AssistantMessage['content']
  readonly stopReason: Exclude<StopReason, 'error' | 'aborted'>
  readonly usage: Usage
  /** the text says why the model would not answer */
  readonly refused?: boolean
}

export type ProviderErrorClass =
  | 'auth'
  | 'rate_limit'
  | 'overflow'
  | 'payload_too_large'
  | 'content_blocked'
  | 'overloaded'
  | 'timeout'
  | 'truncated'
  | 'protocol'
  | 'refused'
  | 'network'

/** The pieces of a streamed answer → one answer. Tolerates what servers do; never guesses an end. */
export interface Decoder {
  /** One `data` text. True when the model moved on. Throws ProviderError for an error frame. */
  push(data: string): boolean
  /** The whole answer. Throws ProviderError when the stream ended before the answer did. */
  finish(): ModelAnswer
}

/** A provider that failed. `message` is the provider's own words with keys removed; fit to show. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError'
  readonly class: ProviderErrorClass
  readonly status: number | null
  /** milliseconds the provider asked to wait */
  readonly retryAfterMs: number | null
  /** structured `error.param`, when there was one */
  readonly param: string | null

  constructor(
    cls: ProviderErrorClass,
    message: string,
    more: { status?: number | null; retryAfterMs?: number | null; param?: string | null } = {},
  ) {
    super(message)
    this.class = cls
    this.status = more.status ?? null
    this.retryAfterMs = more.retryAfterMs ?? null
    this.param = more.param ?? null
  }
}

/**
 * Sends one request and reads the answer to its end, telling each piece through `onEvent` as it comes.
 * Throws ProviderError for everything a provider does wrong, and `signal.reason` as it is when the signal aborted.
 * Never retries: that is `ask`'s.
 */
export type StreamFn = (
  request: ModelRequest,
  io: { readonly signal: AbortSignal; readonly onEvent?: (event: ModelEvent) => void },
) => Promise<ModelAnswer>
