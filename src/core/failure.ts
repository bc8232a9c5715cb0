import type { ErrorData } from './errors.ts'
import { toErrorData } from './errors.ts'
import { ProviderError } from './providers/types.ts'

/** A provider that does not say when to come back: its limits are counted by the minute. */
const USUAL_WAIT_MS = 60_000

/** A failed model call in the words of the contract. `prefix` begins the sentence for what the provider said itself. */
export function describeFailure(thrown: unknown, prefix: string): ErrorData {
  if (!(thrown instanceof ProviderError)) return toErrorData(thrown)
  const status = thrown.status === null ? {} : { providerStatus: thrown.status }
  const said = `${prefix}: ${thrown.message || 'Unknown error'}`
  switch (thrown.class) {
    case 'timeout':
      return { code: 'provider_timeout', detail: said, ...status }
    case 'overflow':
      return { code: 'context_overflow', detail: said, ...status }
    case 'rate_limit':
      return {
        code: 'provider_rate_limited',
        detail: said,
        ...status,
        retryAfter: Math.max(1, Math.ceil((thrown.retryAfterMs ?? USUAL_WAIT_MS) / 1000)),
      }
    case 'auth':
    case 'payload_too_large':
    case 'content_blocked':
    case 'overloaded':
    case 'truncated':
    case 'protocol':
    case 'refused':
    case 'network':
      return { code: 'provider_error', detail: said, ...status }
  }
}
