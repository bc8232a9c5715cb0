import { clampEffort } from './effort.ts'
import type { Effort, Model, ModelRequest, ProviderOptions } from './types.ts'
import { EFFORTS, ProviderError } from './types.ts'

/**
 * What a refusal teaches about a model. Compatible servers differ in what they refuse, and their answers name it: the
 * field is left out, or spelled as the answer asks, from then on and for every request, so that a live turn and a
 * handoff stay the same bytes.
 */
export interface Lesson {
  readonly api?: Model['api']
  readonly efforts?: readonly Effort[]
  readonly outputLimit?: number
  readonly maxTokens?: number
  readonly options?: ProviderOptions
}

/** The lesson of a refusal, or null: most are about something that no other spelling would change. Pure. */
export function learnFrom(request: ModelRequest, thrown: unknown): Lesson | null {
  if (!(thrown instanceof ProviderError) || thrown.status === null) return null
  const { status, message, param } = thrown
  const overflow = thrown.class === 'overflow'
  if (status !== 400 && status !== 404 && status !== 422) return null
  if (thrown.class !== 'refused' && !overflow) return null
  const { model } = request
  if (overflow) return lowerOutput(model, message)
  const about = `${param ?? ''} ${message}`
  return (
    aboutThinking(model, about) ??
    aboutEffort(request, about) ??
    aboutFields(model, about) ??
    aboutMessages(model, about)
  )
}

/** The model as it is after a lesson; the same object when the lesson says nothing new. */
export function applyLesson(model: Model, lesson: Lesson): Model {
  const { options, ...facts } = lesson
  const taught = { ...model, ...facts, options: { ...model.options, ...options } }
  return JSON.stringify(taught) === JSON.stringify(model) ? model : taught
}

/** The request for a model about which something was learned: the effort is clamped anew. */
export function withModel(request: ModelRequest, model: Model): ModelRequest {
  return model === request.model
    ? request
    : { ...request, model, effort: clampEffort(model, request.effort) }
}

/** `Supported values are: 'none', 'low', …`, and models that take no effort, or take it on another API only. */
function aboutEffort({ model, effort, context }: ModelRequest, about: string): Lesson | null {
  if (effort === null || !/effort|reasoning|thinking/i.test(about)) return null
  if (/use \/v1\/responses/i.test(about) && context.tools.length > 0) {
    return model.api === 'openai-completions' ? { api: 'openai-responses' } : null
  }
  const listed = /(?:supported values are|must be one of|expected one of)\b(.{0,200})/is.exec(about)
  if (listed !== null) {
    const words = new Set(listed[1]?.toLowerCase().match(/[a-z]+/g))
    return { efforts: EFFORTS.filter((known) => words.has(known)) }
  }
  if (/effort/i.test(about) && REFUSED.test(about)) {
    return model.options.thinking === 'budget-effort'
      ? { options: { thinking: 'budget' } }
      : { efforts: [] }
  }
  return null
}

const REFUSED =
  /not support|unsupported|unknown|unrecognized|unexpected|not permitted|extra_forbidden|extra inputs|not allowed|unavailable/i

function aboutThinking(model: Model, about: string): Lesson | null {
  if (
    /thinking\.type\.enabled.{0,40}not supported|use .{0,3}thinking\.type\.adaptive/is.test(about)
  ) {
    return { options: { thinking: 'adaptive' } }
  }
  if (/adaptive thinking is not supported/i.test(about)) return { options: { thinking: 'budget' } }
  if (
    /invalid .{0,3}signature.{0,3} in .{0,3}thinking|thinking.{0,40}blocks.{0,80}cannot be modified/is.test(
      about,
    )
  ) {
    return { options: { replayThinking: false } }
  }
  // A call that another model made has no thought before it, and a model that must think wants one.
  if (
    /must start with a thinking block|expected .{0,3}thinking.{0,3} or .{0,3}redacted_thinking/is.test(
      about,
    )
  ) {
    return { efforts: [] }
  }
  if (/reasoning_content|reasoning_details|reasoning_text/.test(about) && REFUSED.test(about)) {
    return { options: { replayThinking: false } }
  }
  const replays = /reasoning_(?:content|text).{0,60}must be passed back/is.test(about)
  return replays && model.options.replayThinking === false
    ? { options: { replayThinking: true } }
    : null
}

/** Optional fields that a host does not know, and those it spells in another way. */
function aboutFields(model: Model, about: string): Lesson | null {
  if (/max_tokens.{0,80}max_completion_tokens/is.test(about)) {
    return { options: { maxTokensField: 'max_completion_tokens' } }
  }
  const limit = /max_tokens.{0,20}?\b\d+ ?> ?(\d+)/i.exec(about)
  if (limit !== null) return { outputLimit: Number(limit[1]), maxTokens: Number(limit[1]) }
  if (!REFUSED.test(about)) return null
  if (/max_completion_tokens/.test(about)) return { options: { maxTokensField: 'max_tokens' } }
  if (/prompt_cache_key|promptCacheKey/.test(about)) return { options: { promptCacheKey: false } }
  if (/stream_options|include_usage/.test(about)) return { options: { streamUsage: false } }
  if (/cache_control/.test(about)) return { options: { cacheControl: false } }
  return /(?:^|[^\w])store(?:[^\w]|$)/.test(about) && model.options.store
    ? { options: { store: false } }
    : null
}

function aboutMessages(model: Model, about: string): Lesson | null {
  if (/role '?user'? after role '?tool/i.test(about)) return { options: { bridge: 'tool' } }
  // Chat templates of Qwen and others.
  if (/system message must be at the beginning/i.test(about))
    return { options: { noteRole: 'user' } }
  if (/roles must alternate/i.test(about)) return { options: { bridge: 'alternate' } }
  if (model.options.systemRole === 'developer' && /\bdeveloper\b/.test(about)) {
    return { options: { systemRole: 'system' } }
  }
  return null
}

/** Models before Claude 4.5 count the output limit into the window: with less of it the prompt still fits. */
function lowerOutput(model: Model, message: string): Lesson | null {
  const sum = /exceed context limit: ?(\d+) ?\+ ?(\d+) ?> ?(\d+)/.exec(message)
  if (sum === null) return null
  const [input, , window] = sum.slice(1).map(Number) as [number, number, number]
  const left = window - input - 100
  return left >= 1_024 && left < (model.maxTokens ?? Infinity) ? { maxTokens: left } : null
}
