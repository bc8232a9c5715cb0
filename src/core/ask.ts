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
    const answer = await askWithToolChoice(asked, ports)
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

/** A provider that refuses an explicit `tool_choice` is asked once more with what a live turn sends (R3, R4). */
async function askWithToolChoice(asked: AskRequest, ports: AskPorts): Promise<ModelAnswer> {
  try {
    return await attempt(asked, asked.request, ports)
  } catch (thrown) {
    const { toolChoice, context, model } = asked.request
    // Where the wire left the field out, asking again would send the same bytes.
    const sent =
      toolChoice !== undefined && context.tools.length > 0 && model.options.toolChoice !== false
    if (asked.signal.aborted || !sent || !refusesToolChoice(thrown)) throw thrown
    const { toolChoice: _, ...live } = asked.request
    return attempt(asked, live, ports)
  }
}

function attempt(
  { signal, onAttempt, onEvent }: AskRequest,
  request: ModelRequest,
  { stream, retry }: AskPorts,
): Promise<ModelAnswer> {
  return withRetries(
    () => {
      signal.throwIfAborted()
      onAttempt?.()
      return stream(request, { signal, onEvent })
    },
    retry,
    signal,
  )
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
