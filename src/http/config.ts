import { v7 as uuidv7 } from 'uuid'
import type { ModelResolver } from '../core/ports.ts'
import { createModelResolver } from '../core/providers/parse-config.ts'

/** What both runtimes read from their variables, by the names of the configuration table. */
export interface BatonConfig {
  readonly auth: 'none' | 'keys'
  readonly resolveModel: ModelResolver
  readonly defaultModel: string | null
  now(): number
  newId(): string
}

/** Reads the variables. Throws an Error that names the variable when one cannot be used; never its value. */
export function createConfig(env: Readonly<Record<string, string | undefined>>): BatonConfig {
  const auth = env['AUTH'] ?? 'keys'
  if (auth !== 'none' && auth !== 'keys') throw new Error('AUTH must be "keys" or "none"')
  return {
    auth,
    resolveModel: createModelResolver(env),
    // An empty DEFAULT_MODEL means that there is none; sessions then have to name theirs.
    defaultModel: (env['DEFAULT_MODEL'] ?? 'local/outline') || null,
    now: () => Date.now(),
    newId: () => uuidv7(),
  }
}
