import { afterEach, expect, test } from 'vitest'
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { ProviderError } from '../../src/core/providers/types.ts'
import { ATTRIBUTE, withSpan } from '../../src/core/telemetry.ts'
import { recordSpans } from './spans.ts'

afterEach(() => trace.disable())

test('work runs in one client span that has its attributes and ends once', async () => {
  const spans = recordSpans()
  const done = await withSpan('chat m', { [ATTRIBUTE.provider]: 'p' }, async (span) => {
    expect(spans[0]?.ends).toBe(0)
    span.setAttribute(ATTRIBUTE.outputTokens, 3)
    return 'done'
  })
  expect(done).toBe('done')
  expect(spans).toEqual([
    {
      name: 'chat m',
      kind: SpanKind.CLIENT,
      attributes: { 'gen_ai.provider.name': 'p', 'gen_ai.usage.output_tokens': 3 },
      status: null,
      ends: 1,
    },
  ])
})

test.each<[unknown, string]>([
  [new ProviderError('rate_limit', 'PRIVATE'), 'rate_limit'],
  [new Error('PRIVATE'), 'aborted'],
  ['PRIVATE', 'aborted'],
  [undefined, 'aborted'],
])('%s comes out as it is; its span says the class and no words', async (thrown, type) => {
  const spans = recordSpans()
  await expect(withSpan('chat m', {}, () => Promise.reject(thrown))).rejects.toBe(thrown)
  expect(spans).toMatchObject([
    { attributes: { 'error.type': type }, status: SpanStatusCode.ERROR, ends: 1 },
  ])
  expect(JSON.stringify(spans)).not.toContain('PRIVATE')
})

test('nobody listens, and the work is done all the same', async () => {
  expect(await withSpan('chat m', {}, async () => 1)).toBe(1)
})
