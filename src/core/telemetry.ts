import type { Span } from '@opentelemetry/api'
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'

/**
 * Span names and attributes as one table: the GenAI conventions of OpenTelemetry (status: development), kept here
 * because the published constants lag behind them. No content ever becomes an attribute.
 */
export const ATTRIBUTE = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  requestModel: 'gen_ai.request.model',
  conversation: 'gen_ai.conversation.id',
  finishReasons: 'gen_ai.response.finish_reasons',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cacheRead: 'gen_ai.usage.cache_read.input_tokens',
  cacheWrite: 'gen_ai.usage.cache_write.input_tokens',
  errorType: 'error.type',
  oneshotKind: 'pi.gen_ai.oneshot.kind',
} as const

/** Runs the work in a client span and ends it whatever happens; an error is recorded by its class only. */
export async function withSpan<T>(
  name: string,
  attributes: Readonly<Record<string, string>>,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const span = trace.getTracer('baton').startSpan(name, { kind: SpanKind.CLIENT, attributes })
  try {
    return await work(span)
  } catch (thrown) {
    const type = thrown instanceof Error && 'class' in thrown ? String(thrown.class) : 'aborted'
    span.setAttribute(ATTRIBUTE.errorType, type)
    span.setStatus({ code: SpanStatusCode.ERROR })
    throw thrown
  } finally {
    span.end()
  }
}
