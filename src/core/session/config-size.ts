import type { SessionConfig } from '../ports.ts'

/** Bytes that a session's configuration may have as JSON: it is one row of the catalog, which may have 2 MB. */
const MAX_CONFIG_BYTES = 1_000_000

/** Whether a configuration, or a part of one, is too large to be stored. */
export function exceedsConfigSize(config: Partial<SessionConfig>): boolean {
  return new TextEncoder().encode(JSON.stringify(config)).length > MAX_CONFIG_BYTES
}
