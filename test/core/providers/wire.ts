import type { Message } from '../../../src/core/entry.ts'
import { streamOpenAiCompletions } from '../../../src/core/providers/openai-completions.ts'
import type {
  Model,
  ModelAnswer,
  ModelEvent,
  ModelRequest,
} from '../../../src/core/providers/types.ts'
import type { FakeProvider } from '../../support/fake-provider.ts'
import { startFakeProvider } from '../../support/fake-provider.ts'
import { MODEL } from './model.ts'

/** A fake provider, and requests to it over the completions wire. */
export interface Wire {
  readonly provider: FakeProvider
  request(id: string, more?: Partial<Model>): ModelRequest
  run(asked: ModelRequest, signal?: AbortSignal, seen?: ModelEvent[]): Promise<ModelAnswer>
}

export async function startWire(): Promise<Wire> {
  const provider = await startFakeProvider()
  const baseUrl = `http://127.0.0.1:${provider.port}/v1`
  return {
    provider,
    request(id, more = {}) {
      const messages: readonly Message[] = [{ role: 'user', content: 'hi' }]
      const tools = [{ name: 't', description: 'd', parameters: { type: 'object' } }]
      const context = { systemPrompt: ['S'], tools, messages }
      const model = { ...MODEL, id, baseUrl, ...more }
      return { model, context, effort: null, cacheKey: 'k', sessionId: 's' }
    },
    run: (asked, signal = new AbortController().signal, seen = []) =>
      streamOpenAiCompletions(asked, { signal, onEvent: (event) => void seen.push(event) }),
  }
}
