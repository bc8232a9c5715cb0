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

/** How a provider that speaks a standard wire differs from it. */
export interface ProviderOptions {
  /** milliseconds without real progress (text, thinking, tool call; never a keep-alive) before the call fails */
  readonly idleTimeoutMs?: number
  /** milliseconds the whole call may take */
  readonly totalTimeoutMs?: number
  /** name of the output limit field */
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens'
  /** role that carries the system prompt and developer messages */
  readonly systemRole?: 'system' | 'developer'
  /** false: never send `tool_choice` */
  readonly toolChoice?: boolean
  /** true: send `prompt_cache_key` */
  readonly promptCacheKey?: boolean
  /** false: do not ask for a usage chunk with `stream_options` */
  readonly streamUsage?: boolean
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
  readonly maxTokens: number | null
  readonly reasoning: boolean
  /** ascending subset of EFFORTS */
  readonly efforts: readonly Effort[]
  readonly input: readonly ('text' | 'image')[]
  readonly options: ProviderOptions
}

/** What every request of a session carries, provider-neutral and in order. */
export interface Context {
  readonly systemPrompt: readonly string[]
  readonly tools: readonly Tool[]
  readonly messages: readonly Message[]
}

/** One call. A handoff and a live turn differ only in the appended message, `toolChoice` and `sessionId`. */
export interface ModelRequest {
  readonly model: Model
  readonly context: Context
  /** null: send no reasoning parameter */
  readonly effort: Effort | null
  /** `none` forbids tool calls; undefined sends what a live turn sends */
  readonly toolChoice?: 'none'
  /** at most 64 characters, the same for all requests of a session */
  readonly cacheKey: string
  /** unique per side request */
  readonly sessionId: string
}

export type ModelEvent =
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'thinking'; readonly delta: string }
  | { readonly type: 'toolCall'; readonly delta: string }

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
