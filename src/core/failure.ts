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
        retryAfter: inSeconds(thrown.retryAfterMs ?? USUAL_WAIT_MS),
      }
    case 'overloaded':
      return { code: 'provider_error', detail: said, ...status, ...hintOf(thrown) }
    case 'auth':
    case 'payload_too_large':
    case 'content_blocked':
    case 'truncated':
    case 'protocol':
    case 'refused':
    case 'network':
      return { code: 'provider_error', detail: said, ...status }
  }
}

/** A server that says when it will be back is worth asking then, whatever it failed with. */
function hintOf({ retryAfterMs }: ProviderError): { readonly retryAfter?: number } {
  return retryAfterMs === null ? {} : { retryAfter: inSeconds(retryAfterMs) }
}

function inSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}
