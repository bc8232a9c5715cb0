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
  if (!(thrown instanceof ProviderError)) return null
  const { status, message, param } = thrown
  if (status !== 400 && status !== 404 && status !== 422) return null
  if (thrown.class === 'overflow') return lowerOutput(request.model, message)
  if (thrown.class !== 'refused') return null
  const about = `${param ?? ''} ${message}`
  for (const { says, refuses, teaches } of RULES) {
    const match = says.exec(about)
    if (match === null || (refuses === true && !REFUSES.test(about))) continue
    const lesson = typeof teaches === 'function' ? teaches(request, match) : teaches
    if (lesson !== null) return lesson
  }
  return null
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

/** What a refusal says, and what it teaches. The first one that has a lesson counts. */
interface Rule {
  readonly says: RegExp
  /** it only counts where something is refused, not where it is merely named */
  readonly refuses?: true
  readonly teaches: Lesson | ((request: ModelRequest, match: RegExpExecArray) => Lesson | null)
}

const REFUSES =
  /not support|unsupported|unknown|unrecognized|unexpected|not permitted|extra_forbidden|extra inputs|not allowed|unavailable/i

const RULES: readonly Rule[] = [
  {
    says: /thinking\.type\.enabled.{0,40}not supported|use .{0,3}thinking\.type\.adaptive/is,
    teaches: { options: { thinking: 'adaptive' } },
  },
  { says: /adaptive thinking is not supported/i, teaches: { options: { thinking: 'budget' } } },
  // OpenAI writes them for verified organisations only; older models of Claude do not know `display`.
  {
    says: /reasoning[ ._]?summar|thinking\.(?:adaptive\.)?display/i,
    teaches: { options: { summaries: false } },
  },
  { says: /thinking.?level\b.{0,40}not supported/i, teaches: { options: { thinking: 'budget' } } },
  { says: /thinking.?budget\b.{0,40}not supported/i, teaches: { options: { thinking: 'level' } } },
  { says: /\bthinking (?:is )?not (?:supported|enabled)/i, teaches: { efforts: [] } },
  {
    says: /(?:corrupted|invalid) thought.?signature|invalid .{0,3}signature.{0,3} in .{0,3}thinking|thinking.{0,40}blocks.{0,80}cannot be modified/is,
    teaches: { options: { replayThinking: false } },
  },
  // A call that another model made has no thought before it, and a model that must think wants one.
  {
    says: /must start with a thinking block|expected .{0,3}thinking.{0,3} or .{0,3}redacted_thinking/is,
    teaches: { efforts: [] },
  },
  {
    says: /reasoning_(?:content|text).{0,60}must be passed back/is,
    teaches: { options: { replayThinking: 'always' } },
  },
  {
    says: /reasoning_content|reasoning_details|reasoning_text/,
    refuses: true,
    teaches: { options: { replayThinking: false } },
  },
  { says: /use \/v1\/responses/i, teaches: toResponses },
  {
    says: /(?:effort|reasoning|thinking)[\s\S]*(?:supported values are|must be one of|expected one of|input should be)\b([\s\S]{0,200})/i,
    teaches: listedEfforts,
  },
  { says: /effort/i, refuses: true, teaches: withoutEffort },
  {
    says: /max_tokens.{0,80}max_completion_tokens/is,
    teaches: { options: { maxTokensField: 'max_completion_tokens' } },
  },
  { says: /max_tokens.{0,20}?\b\d+ ?> ?(\d+)/i, teaches: lowerLimit },
  {
    says: /max_completion_tokens/,
    refuses: true,
    teaches: { options: { maxTokensField: 'max_tokens' } },
  },
  {
    says: /prompt_cache_key|promptCacheKey/,
    refuses: true,
    teaches: (request) => leaveOut(request, 'promptCacheKey'),
  },
  {
    says: /stream_options|include_usage/,
    refuses: true,
    teaches: { options: { streamUsage: false } },
  },
  { says: /cache_control/, refuses: true, teaches: { options: { cacheControl: false } } },
  {
    says: /(?:^|[^\w])store(?:[^\w]|$)/,
    refuses: true,
    teaches: (request) => leaveOut(request, 'store'),
  },
  { says: /role '?user'? after role '?tool/i, teaches: { options: { bridge: 'tool' } } },
  { says: /roles must alternate/i, teaches: { options: { bridge: 'alternate' } } },
  // Chat templates of Qwen and others.
  { says: /system message must be at the beginning/i, teaches: { options: { noteRole: 'user' } } },
  { says: /\bdeveloper\b/, teaches: withoutDeveloper },
]

/** Newer models of OpenAI take tools and thinking together on its newer API only. */
function toResponses({ model }: ModelRequest): Lesson | null {
  return model.api === 'openai-completions' ? { api: 'openai-responses' } : null
}

/** `Supported values are: 'none', 'low', …` */
function listedEfforts({ effort }: ModelRequest, [, list = '']: RegExpExecArray): Lesson | null {
  if (effort === null) return null
  const words = new Set(list.toLowerCase().match(/[a-z]+/g))
  return { efforts: EFFORTS.filter((known) => words.has(known)) }
}

function withoutEffort({ model, effort }: ModelRequest): Lesson | null {
  if (effort === null) return null
  return model.options.thinking === 'budget-effort'
    ? { options: { thinking: 'budget' } }
    : { efforts: [] }
}

/** What was not sent cannot be left out: asking again would send the same bytes. */
function leaveOut({ model }: ModelRequest, option: 'promptCacheKey' | 'store'): Lesson | null {
  const always = option === 'store' && model.api === 'openai-responses'
  const sent = model.options[option] ?? always
  return sent ? { options: { [option]: false } } : null
}

function withoutDeveloper({ model }: ModelRequest): Lesson | null {
  return model.options.systemRole === 'developer' ? { options: { systemRole: 'system' } } : null
}

/** `max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens` */
function lowerLimit(_request: ModelRequest, [, limit]: RegExpExecArray): Lesson {
  return { outputLimit: Number(limit), maxTokens: Number(limit) }
}

/** Models before Claude 4.5 count the output limit into the window: with less of it the prompt still fits. */
function lowerOutput(model: Model, message: string): Lesson | null {
  const sum = /exceed context limit: ?(\d+) ?\+ ?(\d+) ?> ?(\d+)/.exec(message)
  if (sum === null) return null
  const [input, , window] = sum.slice(1).map(Number) as [number, number, number]
  const left = window - input - 100
  return left >= 1_024 && left < (model.maxTokens ?? Infinity) ? { maxTokens: left } : null
}
