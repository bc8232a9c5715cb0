import type { ProviderOptions } from './types.ts'

/**
 * In what hosts differ from the wire they speak, as their documentation and their refusals say. A host that nobody
 * knows gets the forms that all accept; what it refuses by name it is not sent again.
 */
const QUIRKS = {
  openai: {
    maxTokensField: 'max_completion_tokens',
    systemRole: 'developer',
    promptCacheKey: true,
  },
  azure: { maxTokensField: 'max_completion_tokens', systemRole: 'developer', promptCacheKey: true },
  // Refuses a user after a tool, and ids that are not nine letters or digits.
  mistral: { promptCacheKey: true, bridge: 'tool', toolCallIds: 'alnum9', replayThinking: false },
  // `property 'reasoning_content' is unsupported`
  groq: { replayThinking: false },
  cerebras: { replayThinking: false },
  deepseek: { reasoning: 'thinking-effort' },
  xai: { affinityHeader: 'x-grok-conv-id' },
  openrouter: { reasoning: 'reasoning', affinityHeader: 'x-session-id' },
  moonshot: { promptCacheKey: true, reasoning: 'none' },
  zai: { reasoning: 'thinking' },
  together: { reasoning: 'none' },
  cloudflare: { affinityHeader: 'x-session-affinity' },
  // Local servers keep the rendered prompt: thoughts that are missing from it are a prompt anew.
  ollama: {},
} as const satisfies Readonly<Record<string, ProviderOptions>>

type Vendor = keyof typeof QUIRKS

const HOSTS: readonly (readonly [RegExp, Vendor])[] = [
  [/^api\.openai\.com$/, 'openai'],
  [/\.openai\.azure\.com$|\.services\.ai\.azure\.com$/, 'azure'],
  [/^api\.mistral\.ai$/, 'mistral'],
  [/^api\.groq\.com$/, 'groq'],
  [/^api\.cerebras\.ai$/, 'cerebras'],
  [/^api\.deepseek\.com$/, 'deepseek'],
  [/^api\.x\.ai$/, 'xai'],
  [/(?:^|\.)openrouter\.ai$/, 'openrouter'],
  [/^api\.moonshot\.(?:ai|cn)$/, 'moonshot'],
  [/^api\.z\.ai$|^open\.bigmodel\.cn$/, 'zai'],
  [/^api\.together\.(?:xyz|ai)$/, 'together'],
  [/^(?:api|gateway\.ai)\.cloudflare\.com$/, 'cloudflare'],
]

/** The quirks of the host, else those of the built-in provider: one behind a proxy keeps its rules. */
export function quirksOf(provider: string, baseUrl: string): ProviderOptions {
  const host = hostOf(baseUrl)
  const [, vendor] = HOSTS.find(([pattern]) => pattern.test(host)) ?? []
  if (vendor !== undefined) return QUIRKS[vendor]
  return isVendor(provider) ? QUIRKS[provider] : {}
}

function isVendor(provider: string): provider is Vendor {
  return Object.hasOwn(QUIRKS, provider)
}

function hostOf(baseUrl: string): string {
  try {
    return new URL(baseUrl).hostname
  } catch {
    return ''
  }
}
