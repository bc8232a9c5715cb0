import { v7 as uuidv7 } from 'uuid'
import type { ModelResolver } from '../core/ports.ts'
import { listModels } from '../core/providers/list-models.ts'
import { createModelResolver } from '../core/providers/parse-config.ts'
import type { Model } from '../core/providers/types.ts'

/** What both runtimes read from their variables, by the names of the configuration table. */
export interface BatonConfig {
  readonly auth: 'none' | 'keys'
  readonly resolveModel: ModelResolver
  readonly defaultModel: string | null
  /** the models that can be asked now */
  models(): readonly Model[]
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
    resolveModel,
    defaultModel,
    models: () => listModels(env, resolveModel, defaultModel),
    now: () => Date.now(),
    newId: () => uuidv7(),
  }
}
