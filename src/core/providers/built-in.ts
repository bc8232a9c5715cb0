import type { Api } from './types.ts'

export interface ProviderEntry {
  readonly api: Api
  readonly baseUrl: string
  /** variable that holds the key; null: no key needed */
  readonly apiKeyEnv: string | null
  /** the wire where `PROVIDERS` moves it to another address without naming one */
  readonly apiElsewhere?: Api
}

/** Providers that are there without configuration; `PROVIDERS` is merged over them. */
export const BUILT_IN: Readonly<Record<string, ProviderEntry>> = {
  // Newer models refuse tools and thinking together on Chat Completions; proxies and compatible servers speak only that.
  openai: {
    api: 'openai-responses',
    apiElsewhere: 'openai-completions',
    baseUrl: 'https://api.openai.com/v1',
    apiKeyEnv: 'OPENAI_API_KEY',
  },
  anthropic: {
    api: 'anthropic-messages',
    baseUrl: 'https://api.anthropic.com',
    apiKeyEnv: 'ANTHROPIC_API_KEY',
  },
  google: {
    api: 'google-generative-ai',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    apiKeyEnv: 'GEMINI_API_KEY',
  },
  openrouter: {
    api: 'openai-completions',
    baseUrl: 'https://openrouter.ai/api/v1',
    apiKeyEnv: 'OPENROUTER_API_KEY',
  },
  groq: {
    api: 'openai-completions',
    baseUrl: 'https://api.groq.com/openai/v1',
    apiKeyEnv: 'GROQ_API_KEY',
  },
  mistral: {
    api: 'openai-completions',
    baseUrl: 'https://api.mistral.ai/v1',
    apiKeyEnv: 'MISTRAL_API_KEY',
  },
  deepseek: {
    api: 'openai-completions',
    baseUrl: 'https://api.deepseek.com/v1',
    apiKeyEnv: 'DEEPSEEK_API_KEY',
  },
  xai: { api: 'openai-completions', baseUrl: 'https://api.x.ai/v1', apiKeyEnv: 'XAI_API_KEY' },
  ollama: { api: 'openai-completions', baseUrl: 'http://127.0.0.1:11434/v1', apiKeyEnv: null },
  local: { api: 'outline', baseUrl: '', apiKeyEnv: null },
}
