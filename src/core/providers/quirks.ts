import type { ProviderOptions } from './types.ts'

/** In what hosts differ from the wire they speak, as their documentation and their refusals say. */

const NONE: ProviderOptions = {}

const OPENAI: ProviderOptions = {
  maxTokensField: 'max_completion_tokens',
  systemRole: 'developer',
  promptCacheKey: true,
  store: true,
  reasoning: 'reasoning_effort',
}

// The same models, so the same name of the limit; the developer role and the cache key are only sure at OpenAI itself.
const AZURE: ProviderOptions = {
  maxTokensField: 'max_completion_tokens',
  systemRole: 'system',
  store: true,
  reasoning: 'reasoning_effort',
}

// Refuses every field it does not know.
const GROQ: ProviderOptions = { reasoning: 'reasoning_effort', replayThinking: false }

// Refuses every field it does not know, max_completion_tokens and thinking of earlier turns among them.
const MISTRAL: ProviderOptions = {
  maxTokensField: 'max_tokens',
  promptCacheKey: true,
  bridge: 'tool',
  toolCallIds: 'alnum9',
  reasoning: 'reasoning_effort',
  replayThinking: false,
}

// Wants its thinking back with every answer, also with those that another model gave.
const DEEPSEEK: ProviderOptions = {
  maxTokensField: 'max_tokens',
  reasoning: 'thinking',
  replayThinking: 'always',
}

// Without its thinking the prefix is another one, and the cache is missed.
const XAI: ProviderOptions = {
  reasoning: 'reasoning_effort',
  replayThinking: true,
  affinityHeader: 'x-grok-conv-id',
}

const OPENROUTER: ProviderOptions = { reasoning: 'reasoning', affinityHeader: 'x-session-id' }

// Its own switch for thinking is none of the three, and on by default.
const TOGETHER: ProviderOptions = { maxTokensField: 'max_tokens', reasoning: 'none' }

const FIREWORKS: ProviderOptions = { affinityHeader: 'x-session-affinity' }

// Gives thinking as `reasoning`, refuses `reasoning_content`.
const CEREBRAS: ProviderOptions = { reasoning: 'reasoning_effort', replayThinking: false }

const NVIDIA: ProviderOptions = { maxTokensField: 'max_tokens', reasoning: 'none' }

const MOONSHOT: ProviderOptions = {
  maxTokensField: 'max_tokens',
  promptCacheKey: true,
  reasoning: 'thinking',
  replayThinking: 'always',
}

const ZAI: ProviderOptions = { maxTokensField: 'max_tokens', reasoning: 'thinking' }

const DASHSCOPE: ProviderOptions = { reasoning: 'none' }

const CHUTES: ProviderOptions = { maxTokensField: 'max_tokens' }

const WORKERS_AI: ProviderOptions = { affinityHeader: 'x-session-affinity' }

const AI_GATEWAY: ProviderOptions = {
  maxTokensField: 'max_tokens',
  reasoning: 'none',
  affinityHeader: 'x-session-affinity',
}

const BY_HOST: ReadonlyMap<string, ProviderOptions> = new Map([
  ['api.openai.com', OPENAI],
  ['openai.azure.com', AZURE],
  ['api.anthropic.com', NONE],
  ['generativelanguage.googleapis.com', NONE],
  ['api.groq.com', GROQ],
  ['api.mistral.ai', MISTRAL],
  ['api.deepseek.com', DEEPSEEK],
  ['api.x.ai', XAI],
  ['openrouter.ai', OPENROUTER],
  ['api.together.xyz', TOGETHER],
  ['api.together.ai', TOGETHER],
  ['api.fireworks.ai', FIREWORKS],
  ['api.cerebras.ai', CEREBRAS],
  ['integrate.api.nvidia.com', NVIDIA],
  ['api.moonshot.ai', MOONSHOT],
  ['api.moonshot.cn', MOONSHOT],
  ['api.z.ai', ZAI],
  ['open.bigmodel.cn', ZAI],
  ['dashscope.aliyuncs.com', DASHSCOPE],
  ['dashscope-intl.aliyuncs.com', DASHSCOPE],
  ['dashscope-us.aliyuncs.com', DASHSCOPE],
  ['chutes.ai', CHUTES],
  ['api.cloudflare.com', WORKERS_AI],
])

/** The ports of Ollama and LM Studio, whatever the machine: they accept what everybody does. */
const LOCAL_PORTS = new Set(['11434', '1234'])

const BY_NAME: ReadonlyMap<string, ProviderOptions> = new Map([
  ['openai', OPENAI],
  ['openrouter', OPENROUTER],
  ['groq', GROQ],
  ['mistral', MISTRAL],
  ['deepseek', DEEPSEEK],
  ['xai', XAI],
])

/** As Cloudflare's AI Gateway spells those it hands a request to, after account and gateway. */
const BY_ROUTE: ReadonlyMap<string, ProviderOptions> = new Map([
  ['openai', OPENAI],
  ['azure-openai', AZURE],
  ['anthropic', NONE],
  ['google-ai-studio', NONE],
  ['groq', GROQ],
  ['mistral', MISTRAL],
  ['deepseek', DEEPSEEK],
  ['grok', XAI],
  ['openrouter', OPENROUTER],
  ['cerebras', CEREBRAS],
  ['workers-ai', WORKERS_AI],
])

/** The quirks of the host at `baseUrl`, else (a proxy, say) of the built-in provider of that name, else none. */
export function quirksOf(provider: string, baseUrl: string): ProviderOptions {
  return quirksAt(baseUrl) ?? BY_NAME.get(provider) ?? NONE
}

function quirksAt(baseUrl: string): ProviderOptions | null {
  if (!URL.canParse(baseUrl)) return null
  const { hostname, port, pathname } = new URL(baseUrl)
  if (LOCAL_PORTS.has(port)) return NONE
  if (hostname === 'gateway.ai.cloudflare.com') {
    return BY_ROUTE.get(pathname.split('/')[4] ?? '') ?? AI_GATEWAY
  }
  // A host's own subdomains count (a region, a resource); one that merely ends in the same letters does not.
  const labels = hostname.split('.')
  for (let from = 0; from < labels.length - 1; from += 1) {
    const quirks = BY_HOST.get(labels.slice(from).join('.'))
    if (quirks !== undefined) return quirks
  }
  return null
}
