import { v7 as uuidv7 } from 'uuid'
import type { ModelResolver } from '../core/ports.ts'
import { listModels } from '../core/providers/list-models.ts'
import { createModelResolver } from '../core/providers/parse-config.ts'
import type { Model } from '../core/providers/types.ts'

/** What both runtimes read from their variables, by the names of the configuration table. */
export interface BatonConfig {
  readonly auth: 'none' | 'keys'
  readonly corsOrigins: readonly string[]
  readonly resolveModel: ModelResolver
  readonly defaultModel: string | null
  /** the models that can be asked now */
  models(): readonly Model[]
  knowsModel(name: string): boolean
  now(): number
  newId(): string
}

/** Reads the variables. Throws an Error that names the variable when one cannot be used; never its value. */
export function createConfig(env: Readonly<Record<string, string | undefined>>): BatonConfig {
  const auth = env['AUTH'] ?? 'keys'
  if (auth !== 'none' && auth !== 'keys') throw new Error('AUTH must be "keys" or "none"')
  const resolveModel = createModelResolver(env)
  // An empty DEFAULT_MODEL means that there is none; sessions then have to name theirs.
  const defaultModel = (env['DEFAULT_MODEL'] ?? 'local/outline') || null
  return {
    auth,
    corsOrigins: parseOrigins(env['CORS_ORIGINS'] ?? ''),
    resolveModel,
    defaultModel,
    knowsModel: (name) => resolveModel(name) !== null,
    models: () => listModels(env, resolveModel, defaultModel),
    now: () => Date.now(),
    newId: () => uuidv7(),
  }
}

/** `*`, or origins with commas between them. */
function parseOrigins(text: string): readonly string[] {
  const origins = text.split(',').flatMap((origin) => origin.trim() || [])
  for (const origin of origins) {
    if (origin === '*' || (URL.canParse(origin) && new URL(origin).origin === origin)) continue
    throw new Error('CORS_ORIGINS must list origins such as https://chat.example.com')
  }
  return origins
}
