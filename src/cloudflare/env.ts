import type { SessionObjectInstance } from './session-object.ts'

/** Bindings of wrangler.toml, and any variable or secret by name. */
export interface BatonEnv {
  readonly SESSIONS: DurableObjectNamespace<SessionObjectInstance>
  readonly CATALOG: D1Database
  readonly [name: string]: unknown
}

/** The variables and secrets among the bindings: what on Deno is the environment. */
export function variables(env: BatonEnv): Readonly<Record<string, string | undefined>> {
  const strings = Object.entries(env).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return Object.fromEntries(strings)
}
