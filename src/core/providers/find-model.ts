import { ANTHROPIC } from './catalogue/anthropic.ts'
import { DEEPSEEK } from './catalogue/deepseek.ts'
import { GOOGLE } from './catalogue/google.ts'
import { GROQ } from './catalogue/groq.ts'
import type { KnownModel } from './catalogue/known-model.ts'
import { MISTRAL } from './catalogue/mistral.ts'
import { OPENAI } from './catalogue/openai.ts'
import { OPENROUTER } from './catalogue/openrouter.ts'
import { XAI } from './catalogue/xai.ts'
import type { ProviderOptions } from './types.ts'

type List = ReadonlyMap<string, KnownModel>

/** How OpenRouter calls the vendors whose lists it shares. */
const VENDORS: readonly (readonly [name: string, models: readonly KnownModel[]])[] = [
  ['openai', OPENAI],
  ['anthropic', ANTHROPIC],
  ['google', GOOGLE],
  ['mistralai', MISTRAL],
  ['deepseek', DEEPSEEK],
  ['x-ai', XAI],
]

const LISTS: ReadonlyMap<string, List> = new Map([
  ['openai', toList(OPENAI)],
  ['anthropic', toList(ANTHROPIC)],
  ['google', toList(GOOGLE)],
  ['mistral', toList(MISTRAL)],
  ['deepseek', toList(DEEPSEEK)],
  ['xai', toList(XAI)],
  ['groq', toList(GROQ)],
  // Later ones win: what OpenRouter says of itself, over what the vendor says.
  ['openrouter', toList([...VENDORS.flatMap(fromVendor), ...OPENROUTER].map(atOpenRouter))],
])

/** What may follow an id and still mean it, from the end: a tag, a date or number of a version, `-preview`. */
const TAG = /[@:].*$/s
const VERSION = /-(?:\d{4}-\d{2}-\d{2}|\d{2}-\d{2}|\d{2}-\d{4}|\d{8}|\d{3,4}|latest)$/
const PREVIEW = /-preview$/

/**
 * The model a built-in provider knows by this id, or by the longest id of which this is a dated or tagged version.
 * Its `id` is the one of the catalogue: what goes out is what was asked for.
 */
export function findModel(provider: string, id: string): KnownModel | null {
  const list = LISTS.get(provider)
  if (list === undefined) return null
  const exact = list.get(id)
  if (exact !== undefined) return exact
  const untagged = id.replace(TAG, '')
  const undated = untagged.replace(VERSION, '')
  const found = list.get(untagged) ?? list.get(undated) ?? list.get(undated.replace(PREVIEW, ''))
  if (found === undefined) return null
  // `:free`, `:batch`, `:nitro` … are the same model at another price.
  return provider === 'openrouter' && id.includes(':') ? { ...found, cost: undefined } : found
}

/** The models that a built-in provider is known to have; none for a provider without a list. */
export function listKnown(provider: string): readonly KnownModel[] {
  return [...(LISTS.get(provider)?.values() ?? [])]
}

function toList(models: readonly KnownModel[]): List {
  return new Map(models.map((model) => [model.id, model]))
}

/** A vendor's models by the names OpenRouter has for them: Anthropic's `-4-5` is `-4.5` there. */
function fromVendor([vendor, models]: (typeof VENDORS)[number]): readonly KnownModel[] {
  return models.map((model) => {
    const id = vendor === 'anthropic' ? model.id.replace(/(\d)-(\d)/, '$1.$2') : model.id
    return { ...model, id: `${vendor}/${id}` }
  })
}

/** OpenRouter translates thinking, so a vendor's own way to ask for it is gone; what the messages must be stays. */
function atOpenRouter(model: KnownModel): KnownModel {
  return { ...model, options: { reasoning: 'reasoning', ...optionsOf(model.id) } }
}

function optionsOf(id: string): ProviderOptions {
  // Anthropic caches nothing that is not marked; others mark by themselves.
  if (id.startsWith('anthropic/')) return { cacheControl: true }
  if (id.startsWith('mistralai/')) return { bridge: 'tool', toolCallIds: 'alnum9' }
  return {}
}
