import { classifyError } from './classify-error.ts'
import { secretsOf } from './secrets-of.ts'
import type { Model } from './types.ts'
import { ProviderError } from './types.ts'

const IDLE_MS = 120_000
const TOTAL_MS = 600_000
/** Bytes of a failed answer that are looked at. */
const MAX_ERROR_BODY = 64_000

export interface ProviderCall {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Sends a request and hands its body to `read`, under the caller's signal and two clocks: one for the whole call, one
 * that only real progress winds up (`read` calls `progressed`; keep-alives do not count, they can go on for ever).
 * Throws ProviderError, or the signal's reason when the caller aborted. The connection is closed on every path.
 */
export async function callProvider<T>(
  model: Model,
  call: ProviderCall,
  io: {
    readonly signal: AbortSignal
    read(body: ReadableStream<Uint8Array>, progressed: () => void): Promise<T>
  },
): Promise<T> {
  const { idleTimeoutMs = IDLE_MS, totalTimeoutMs = TOTAL_MS } = model.options
  const { signal } = io
  signal.throwIfAborted()
  // Aborted with Errors only: a fetch aborted with a bare reason rejects with that bare reason.
  const connection = new AbortController()
  let timedOut: ProviderError | null = null
  const expire = (what: string): void => {
    timedOut = new ProviderError('timeout', what)
    connection.abort(timedOut)
  }
  const onAbort = (): void => connection.abort(new Error('The caller aborted'))
  signal.addEventListener('abort', onAbort, { once: true })
  const total = setTimeout(
    expire,
    totalTimeoutMs,
    `no complete answer within ${inWords(totalTimeoutMs)}`,
  )
  const idleText = `no progress for ${inWords(idleTimeoutMs)}`
  let idle = setTimeout(expire, idleTimeoutMs, idleText)
  const progressed = (): void => {
    clearTimeout(idle)
    idle = setTimeout(expire, idleTimeoutMs, idleText)
  }
  try {
    const answer = await fetch(call.url, {
      method: 'POST',
      headers: call.headers,
      body: call.body,
      // A redirect would take the key to another host: workerd and Deno keep `x-api-key` across origins.
      redirect: 'manual',
      signal: connection.signal,
    })
    if (answer.status >= 300 && answer.status < 400) {
      await answer.body?.cancel()
      throw new ProviderError('protocol', 'The provider answered with a redirect', {
        status: answer.status,
      })
    }
    if (!answer.ok) {
      throw classifyError({
        status: answer.status,
        headers: answer.headers,
        body: await readStart(answer.body),
        secrets: secretsOf(model),
      })
    }
    if (answer.body === null) throw new ProviderError('truncated', 'The provider sent no body')
    return await io.read(answer.body, progressed)
  } catch (thrown) {
    if (signal.aborted) throw signal.reason
    if (timedOut !== null) throw timedOut
    if (thrown instanceof ProviderError) throw thrown
    // Runtimes word a broken connection differently; none of their texts is for a person.
    throw new ProviderError('network', `The connection to ${model.provider} failed`)
  } finally {
    clearTimeout(total)
    clearTimeout(idle)
    signal.removeEventListener('abort', onAbort)
    connection.abort(new Error('Done'))
  }
}

/** A time as a person says it. */
function inWords(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`
}

/** The beginning of an error's body, as text. */
async function readStart(body: ReadableStream<Uint8Array> | null): Promise<string> {
  if (body === null) return ''
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let text = ''
  try {
    while (text.length < MAX_ERROR_BODY) {
      const { done, value } = await reader.read()
      if (done) return text + decoder.decode()
      text += decoder.decode(value, { stream: true })
    }
    return text
  } catch {
    // The status says enough: a refusal whose text broke off must not pass for a lost connection and be retried.
    return text
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
