import type { Model } from '../../../src/core/providers/types.ts'

/** A model of a compatible server about which nothing is known. */
export const MODEL: Model = {
  provider: 'fake',
  id: 'm',
  api: 'openai-completions',
  baseUrl: 'http://x/v1',
  apiKey: 'secret-key-123',
  keyRequired: true,
  headers: {},
  contextWindow: null,
  maxTokens: null,
  outputLimit: null,
  reasoning: false,
  efforts: [],
  input: ['text'],
  cost: null,
  options: {},
}
