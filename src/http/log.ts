import type { LogEvent } from '../core/session/ports.ts'

/** The operator's log: one JSON object a line, fields from an allow-list of types, never text of a user or provider. */
export function logEvent(event: LogEvent): void {
  // oxlint-disable-next-line no-console -- the one place that logs
  console.warn(JSON.stringify(event))
}
