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

/** A model that thinks in silence sends keep-alives meanwhile; they buy it this many times the patience, and no more. */
const ALIVE_FACTOR = 3

/** What `read` tells as the answer comes. */
export interface Progress {
  /** something came, if only a keep-alive */
  alive(): void
  /** the model moved on */
  progressed(): void
}

/**
 * Sends a request and hands its body to `read`, under the caller's signal and three clocks: one for the whole call, one
 * that anything at all winds up, and one that only real progress does, because keep-alives can go on for ever. Throws ProviderError, or the signal's reason when the caller aborted. The connection is closed on every path.
 */
export async function callProvider<T>(
  model: Model,
  call: ProviderCall,
  io: {
    readonly signal: AbortSignal
    read(body: ReadableStream<Uint8Array>, progress: Progress): Promise<T>
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
  const silence = createClock(idleTimeoutMs, () =>
    expire(`no progress for ${inWords(idleTimeoutMs)}`),
  )
  const standstill = createClock(idleTimeoutMs * ALIVE_FACTOR, () =>
    expire(`no progress for ${inWords(idleTimeoutMs * ALIVE_FACTOR)}`),
  )
  const progress: Progress = { alive: silence.wind, progressed: standstill.wind }
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
    return await io.read(answer.body, progress)
  } catch (thrown) {
    if (signal.aborted) throw signal.reason
    if (timedOut !== null) throw timedOut
    if (thrown instanceof ProviderError) throw thrown
    // Runtimes word a broken connection differently; none of their texts is for a person.
    throw new ProviderError('network', `The connection to ${model.provider} failed`)
  } finally {
    clearTimeout(total)
    silence.stop()
    standstill.stop()
    signal.removeEventListener('abort', onAbort)
    connection.abort(new Error('Done'))
  }
}

/** Runs out unless it is wound up in time. */
function createClock(ms: number, expire: () => void): { wind(): void; stop(): void } {
  let timer = setTimeout(expire, ms)
  return {
    wind() {
      clearTimeout(timer)
      timer = setTimeout(expire, ms)
    },
    stop: () => clearTimeout(timer),
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
