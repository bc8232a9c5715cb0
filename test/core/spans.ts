import type { Span, SpanOptions, SpanStatus, Tracer } from '@opentelemetry/api'
import { trace } from '@opentelemetry/api'

/** A span as an exporter would have seen it. */
export interface RecordedSpan {
  readonly name: string
  readonly kind: SpanOptions['kind']
  readonly attributes: Record<string, unknown>
  status: SpanStatus['code'] | null
  ends: number
}

/** Keeps all spans from now on; `trace.disable()` ends it. */
export function recordSpans(): readonly RecordedSpan[] {
  const spans: RecordedSpan[] = []
  const startSpan = (name: string, { kind, attributes }: SpanOptions = {}): Span => {
    const span: RecordedSpan = { name, kind, attributes: { ...attributes }, status: null, ends: 0 }
    spans.push(span)
    return {
      setAttribute: (key: string, value: unknown) => void (span.attributes[key] = value),
      setStatus: ({ code }: SpanStatus) => void (span.status = code),
      end: () => void (span.ends += 1),
    } as unknown as Span
  }
  trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) as unknown as Tracer })
  return spans
}
