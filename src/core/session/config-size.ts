import { BatonError } from '../errors.ts'
import type { SessionConfig } from '../ports.ts'

/** Bytes that a session's configuration may have as JSON: it is one row of the catalog, which may have 2 MB. */
const MAX_CONFIG_BYTES = 1_000_000

/** Refuses a configuration that is too large to be stored. Throws `payload_too_large`. */
export function requireConfigSize(config: SessionConfig): void {
  if (new TextEncoder().encode(JSON.stringify(config)).length <= MAX_CONFIG_BYTES) return
  throw new BatonError(
    'payload_too_large',
    'System prompt, tools and settings may have 1 MB together',
  )
}
