import { applyLesson, learnFrom, withModel } from './providers/adapt.ts'
import { checkAnswer } from './providers/check-answer.ts'
import type { ModelMemory } from './providers/model-memory.ts'
import type { RetryPorts } from './providers/retry.ts'
import { withRetries } from './providers/retry.ts'
import type { ModelAnswer, ModelEvent, ModelRequest, StreamFn } from './providers/types.ts'
import { ProviderError } from './providers/types.ts'
import { ATTRIBUTE, withSpan } from './telemetry.ts'

/** THE ONLY DOOR TO A MODEL: context → stream → answer, with its retries, in one span. */

export interface AskRequest {
  readonly request: ModelRequest
  readonly kind: 'turn' | 'handoff'
  readonly signal: AbortSignal
  readonly onEvent?: (event: ModelEvent) => void
  /** told right before each request goes out; pieces heard before belong to a lost attempt */
  readonly onAttempt?: () => void
}

export interface AskPorts {
  readonly stream: StreamFn
  readonly retry: RetryPorts
  readonly memory: ModelMemory
}

/** Throws ProviderError when the provider failed for good, and the signal's reason when it aborted: that wins (C4). */
export function ask(asked: AskRequest, ports: AskPorts): Promise<ModelAnswer> {
  const { model, sessionId } = asked.request
  const attributes = {
    [ATTRIBUTE.operation]: 'chat',
    [ATTRIBUTE.provider]: model.provider,
    [ATTRIBUTE.requestModel]: model.id,
    [ATTRIBUTE.conversation]: sessionId.split(':')[0] ?? sessionId,
    ...(asked.kind === 'handoff' ? { [ATTRIBUTE.oneshotKind]: 'handoff' } : {}),
  }
  return withSpan(`chat ${model.id}`, attributes, async (span) => {
    const answer = await askAndLearn(asked, ports)
    const { input, output, cacheRead, cacheWrite } = answer.usage
    span.setAttribute(ATTRIBUTE.finishReasons, [answer.stopReason])
    // The convention counts cached tokens into the input.
    if (input !== null) {
      span.setAttribute(ATTRIBUTE.inputTokens, input + (cacheRead ?? 0) + (cacheWrite ?? 0))
    }
    if (output !== null) span.setAttribute(ATTRIBUTE.outputTokens, output)
    if (cacheRead !== null) span.setAttribute(ATTRIBUTE.cacheRead, cacheRead)
    if (cacheWrite !== null) span.setAttribute(ATTRIBUTE.cacheWrite, cacheWrite)
    return answer
  })
}

/** Refusals that one request may learn from: each changes the request, so this only bounds a server that keeps finding fault. */
const MOST_LESSONS = 4

/**
 * A provider that refuses an explicit `tool_choice` is asked once more with what a live turn sends (R3, R4); one that
 * refuses another detail by name is asked again without it, now and from then on.
 */
async function askAndLearn(asked: AskRequest, ports: AskPorts): Promise<ModelAnswer> {
  const { memory } = ports
  let request = withModel(asked.request, memory.recall(asked.request.model))
  for (let lessons = 0; ;) {
    try {
      return await attempt(asked, request, ports)
    } catch (thrown) {
      if (asked.signal.aborted) throw thrown
      const other = withoutToolChoice(request, thrown)
      if (other !== null) {
        request = other
        continue
      }
      const lesson = lessons < MOST_LESSONS ? learnFrom(request, thrown) : null
      const model = lesson === null ? request.model : applyLesson(request.model, lesson)
      if (lesson === null || model === request.model) throw thrown
      lessons += 1
      memory.learn(model, lesson)
      request = withModel(request, model)
    }
  }
}

/** The request with the live turn's tool choice, which is none; null when the refusal is about something else. */
function withoutToolChoice(request: ModelRequest, thrown: unknown): ModelRequest | null {
  const { toolChoice, context, model } = request
  // Where the wire left the field out, asking again would send the same bytes.
  const sent = context.tools.length > 0 && model.options.toolChoice !== false
  if (toolChoice !== 'none' || !sent || !refusesToolChoice(thrown)) return null
  const { toolChoice: _, ...live } = request
  return wantsAuto(thrown) ? { ...live, toolChoice: 'auto' } : live
}

function attempt(
  { signal, onAttempt, onEvent, kind }: AskRequest,
  request: ModelRequest,
  { stream, retry }: AskPorts,
): Promise<ModelAnswer> {
  let heard = false
  const hear = (event: ModelEvent): void => {
    heard = true
    onEvent?.(event)
  }
  return withRetries(
    async () => {
      signal.throwIfAborted()
      onAttempt?.()
      const listener = shield(hear)
      const answer = await stream(request, { signal, onEvent: listener.tell }).catch(
        listener.rethrow,
      )
      return checkAnswer(answer, request.model, kind === 'handoff')
    },
    retry,
    signal,
    // What of a turn was told already cannot be taken back.
    () => kind === 'handoff' || !heard,
  )
}

/** A listener that throws is our fault: it must not pass for a broken connection and be paid for again. */
function shield(onEvent: (event: ModelEvent) => void): {
  tell(event: ModelEvent): void
  rethrow(thrown: unknown): never
} {
  let fault: { readonly thrown: unknown } | null = null
  return {
    tell(event) {
      try {
        onEvent(event)
      } catch (thrown) {
        fault ??= { thrown }
        throw thrown
      }
    },
    rethrow(thrown) {
      throw fault === null ? thrown : fault.thrown
    },
  }
}

/**
 * 400, 404 (OpenRouter) or 422, and the error names `tool_choice` as a field or in words. vLLM's complaint that
 * `"auto" tool choice requires` server flags is about something else: it accepts `none` and refuses `auto`.
 */
export function refusesToolChoice(thrown: unknown): boolean {
  if (!(thrown instanceof ProviderError)) return false
  if (thrown.status !== 400 && thrown.status !== 404 && thrown.status !== 422) return false
  if (/--enable-auto-tool-choice/.test(thrown.message)) return false
  return thrown.param?.startsWith('tool_choice') === true || /tool[_ ]choice/i.test(thrown.message)
}

/** The refusal asks for `auto` by name; what else it may refuse is then not known. */
function wantsAuto(thrown: unknown): boolean {
  return thrown instanceof ProviderError && /\b(?:only|use)\b.{0,40}\bauto\b/i.test(thrown.message)
}
