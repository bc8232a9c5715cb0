import { ANTHROPIC } from './catalogue/anthropic.ts'
import { DEEPSEEK } from './catalogue/deepseek.ts'
import { GOOGLE } from './catalogue/google.ts'
import { GROQ } from './catalogue/groq.ts'
import type { KnownModel } from './catalogue/known-model.ts'
import { MISTRAL } from './catalogue/mistral.ts'
import { OPENAI } from './catalogue/openai.ts'
import { XAI } from './catalogue/xai.ts'

const VENDORS: Readonly<Record<string, readonly KnownModel[]>> = {
  openai: OPENAI,
  anthropic: ANTHROPIC,
  google: GOOGLE,
  mistral: MISTRAL,
  deepseek: DEEPSEEK,
  xai: XAI,
  groq: GROQ,
}

/** How OpenRouter calls the vendors whose models it passes on. */
const ROUTED: Readonly<Record<string, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'google',
  mistralai: 'mistral',
  deepseek: 'deepseek',
  'x-ai': 'xai',
}

/** What follows the name of a model in that of a version of it: a date, a build, `latest`, a tag. */
const VERSION = /^(?:-(?:\d{4}-\d\d-\d\d|\d{8}|\d{4}|\d{3}|latest|preview(?:-[\d-]+)?)|[@:].*)$/

/** What the catalogue knows of a provider's model or of the model it is a version of; null when it is new to it. */
export function findModel(provider: string, id: string): KnownModel | null {
  if (provider === 'openrouter') return findRouted(id)
  const models = Object.hasOwn(VENDORS, provider) ? VENDORS[provider] : undefined
  if (models === undefined) return null
  const name = id.replace(/^models\//, '')
  let found: KnownModel | null = null
  for (const model of models) {
    if (model.id === name) return model
    const version = name.startsWith(model.id) && VERSION.test(name.slice(model.id.length))
    if (version && model.id.length > (found?.id.length ?? 0)) found = model
  }
  return found
}

/** The models of a vendor, as its catalogue lists them; none for a provider without one. */
export function listKnown(provider: string): readonly KnownModel[] {
  return Object.hasOwn(VENDORS, provider) ? (VENDORS[provider] ?? []) : []
}

/** OpenRouter tells every model how to think in one way, and takes Anthropic's cache marks in chat messages. */
function findRouted(id: string): KnownModel | null {
  const slash = id.indexOf('/')
  const vendor = id.slice(0, slash)
  if (!Object.hasOwn(ROUTED, vendor)) return null
  const own = id.slice(slash + 1)
  // It writes `claude-sonnet-4.5` for `claude-sonnet-4-5`.
  const name = vendor === 'anthropic' ? own.replaceAll('.', '-') : own
  const found = findModel(ROUTED[vendor] ?? '', name)
  if (found === null) return null
  const cacheControl = vendor === 'anthropic' ? { cacheControl: true } : {}
  return { ...found, options: { reasoning: 'reasoning', ...cacheControl } }
}
