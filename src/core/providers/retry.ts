import { ProviderError } from './types.ts'

/** Time and chance, borrowed so that tests decide them. */
export interface RetryPorts {
  random(): number
  /** rejects with the signal's reason when it aborts first */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

const ATTEMPTS = 3
const FIRST_WAIT_MS = 500
const LONGEST_BACKOFF_MS = 8_000
/** A provider that asks for more is not waited for: the caller hears of it at once (R1). */
const LONGEST_WAIT_MS = 30_000

/** The real clock and real chance. */
export const systemRetry: RetryPorts = {
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop)
        resolve()
      }, ms)
      function stop(): void {
        clearTimeout(timer)
        reject(signal.reason)
      }
      signal.addEventListener('abort', stop, { once: true })
    }),
}

/** Milliseconds to wait before the next attempt; null when there should be none (R1, R2). */
export function nextWait(error: ProviderError, attempt: number, random: number): number | null {
  if (attempt >= ATTEMPTS || !isTransient(error)) return null
  // Zero is no hint: asking again at once only uses up the attempts.
  if (error.retryAfterMs !== null && error.retryAfterMs > 0) {
    return error.retryAfterMs > LONGEST_WAIT_MS ? null : error.retryAfterMs
  }
  const backoff = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_BACKOFF_MS)
  return backoff * (0.75 + random * 0.25)
}

/** Runs until it succeeds or should not be tried again; `again` is asked whether it may be. Throws the last error, or the signal's reason. */
export async function withRetries<T>(
  run: () => Promise<T>,
  ports: RetryPorts,
  signal: AbortSignal,
  again: () => boolean = () => true,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (thrown) {
      // Whatever the provider said meanwhile, the caller wanted an end.
      if (signal.aborted) throw signal.reason
      if (!(thrown instanceof ProviderError)) throw thrown
      const wait = nextWait(thrown, attempt, ports.random())
      if (wait === null || !again()) throw thrown
      await ports.sleep(wait, signal)
    }
  }
}

function isTransient(error: ProviderError): boolean {
  switch (error.class) {
    case 'rate_limit':
    case 'overloaded':
    case 'truncated':
    case 'network':
      return true
    case 'auth':
    case 'overflow':
    case 'payload_too_large':
    case 'content_blocked':
    case 'timeout':
    case 'protocol':
    case 'refused':
      return false
  }
}
