import * as z from 'zod'
import type { ModelResolver } from '../ports.ts'
import { BUILT_IN } from './built-in.ts'
import { findModel } from './find-model.ts'
import { quirksOf } from './quirks.ts'
import type { Effort, Model } from './types.ts'
import { EFFORTS } from './types.ts'

const options = z.strictObject({
  idleTimeoutMs: z.int().positive().optional(),
  totalTimeoutMs: z.int().positive().optional(),
  maxTokensField: z.enum(['max_tokens', 'max_completion_tokens']).optional(),
  systemRole: z.enum(['system', 'developer']).optional(),
  noteRole: z.enum(['user']).optional(),
  toolChoice: z.boolean().optional(),
  promptCacheKey: z.boolean().optional(),
  streamUsage: z.boolean().optional(),
  store: z.boolean().optional(),
  bridge: z.enum(['tool', 'alternate']).optional(),
  toolCallIds: z.enum(['alnum9']).optional(),
  reasoning: z.enum(['reasoning_effort', 'reasoning', 'thinking', 'none']).optional(),
  summaries: z.boolean().optional(),
  replayThinking: z.union([z.boolean(), z.literal('always')]).optional(),
  affinityHeader: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/)
    .optional(),
  cacheControl: z.boolean().optional(),
  thinking: z.enum(['adaptive', 'budget', 'budget-effort', 'level']).optional(),
})

const price = z.number().nonnegative()
const prices = z.strictObject({
  input: price,
  output: price,
  cacheRead: price.default(0),
  cacheWrite: price.default(0),
})

const model = z.strictObject({
  id: z.string().min(1),
  contextWindow: z.int().positive().optional(),
  maxTokens: z.int().positive().optional(),
  reasoning: z.boolean().optional(),
  efforts: z.array(z.enum(EFFORTS)).optional(),
  input: z.array(z.enum(['text', 'image'])).optional(),
  cost: prices.optional(),
  options: options.optional(),
})

const provider = z.strictObject({
  api: z
    .enum([
      'openai-completions',
      'openai-responses',
      'anthropic-messages',
      'google-generative-ai',
      'outline',
    ])
    .optional(),
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  apiKey: z.string().min(1).optional(),
  apiKeyEnv: z.string().min(1).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  models: z.array(model).optional(),
  options: options.optional(),
})

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

type Variables = Readonly<Record<string, string | undefined>>

/** Resolves `provider/id` against the built-in providers and `PROVIDERS`. Throws at once when `PROVIDERS` cannot be used. */
export function createModelResolver(env: Variables): ModelResolver {
  const providers = readProviders(env['PROVIDERS'])
  return (name) => {
    const slash = name.indexOf('/')
    const providerName = name.slice(0, slash)
    const id = name.slice(slash + 1)
    if (slash < 1 || id === '') return null
    const custom = providers.get(providerName)
    const known = Object.hasOwn(BUILT_IN, providerName) ? BUILT_IN[providerName] : undefined
    const moved = custom?.baseUrl !== undefined ? known?.apiElsewhere : undefined
    const api = custom?.api ?? moved ?? known?.api
    if (api === undefined) return null
    const listed = custom?.models?.find((entry) => entry.id === id)
    const found = findModel(providerName, id)
    const apiKeyEnv = custom?.apiKeyEnv ?? known?.apiKeyEnv ?? null
    const baseUrl = (custom?.baseUrl ?? known?.baseUrl ?? '').replace(/\/+$/, '')
    const efforts = listed?.efforts ?? (listed?.reasoning === true ? USUAL_EFFORTS : found?.efforts)
    return {
      provider: providerName,
      id,
      api,
      baseUrl,
      apiKey: custom?.apiKey ?? (apiKeyEnv === null ? null : env[apiKeyEnv] || null),
      keyRequired: custom?.apiKey === undefined && apiKeyEnv !== null,
      headers: custom?.headers ?? {},
      contextWindow: listed?.contextWindow ?? found?.contextWindow ?? null,
      maxTokens: listed?.maxTokens ?? null,
      outputLimit: listed?.maxTokens ?? found?.outputLimit ?? null,
      reasoning: listed?.reasoning ?? (efforts?.length ?? 0) > 0,
      efforts: efforts ?? [],
      input: listed?.input ?? found?.input ?? ['text', 'image'],
      cost: listed?.cost ?? found?.cost ?? null,
      options: {
        // The host counts more: another vendor may serve the model.
        ...found?.options,
        ...quirksOf(providerName, baseUrl),
        ...custom?.options,
        ...listed?.options,
      },
    }
  }
}

/** What nearly every host takes from a model that reasons; what it refuses it is not sent again. */
const USUAL_EFFORTS: readonly Effort[] = ['low', 'medium', 'high']

/** True when the provider wants a key and there is none. */
export function missingKey(of: Model): boolean {
  return of.keyRequired && of.apiKey === null
}

/** What `PROVIDERS` says, by name. Throws an Error that names the place, never the value: it may hold a key. */
export function readProviders(
  text: string | undefined,
): ReadonlyMap<string, z.infer<typeof provider>> {
  if (text === undefined || text.trim() === '') return new Map()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error('PROVIDERS is not JSON')
  }
  const parsed = z.record(z.string().regex(NAME), provider).safeParse(value)
  if (!parsed.success) {
    const places = parsed.error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => [...issue.path, key].join('.'))
        : [issue.path.join('.') || '(the whole)'],
    )
    throw new Error(`PROVIDERS does not fit at ${[...new Set(places)].join(', ')}`)
  }
  for (const [name, entry] of Object.entries(parsed.data)) {
    const known = Object.hasOwn(BUILT_IN, name)
    if (!known && entry.api === undefined) throw new Error(`PROVIDERS.${name} needs an api`)
    if (!known && entry.api !== 'outline' && entry.baseUrl === undefined) {
      throw new Error(`PROVIDERS.${name} needs a baseUrl`)
    }
  }
  return new Map(Object.entries(parsed.data))
}
