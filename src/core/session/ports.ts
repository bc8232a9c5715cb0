import type { ServerTool } from '../tools/server-tool.ts'
import type { EventLog } from './event-log.ts'
import type { OpenSession } from './handle.ts'
import type { Alarm, Catalog, Hooks, Journal, ModelResolver } from '../ports.ts'
import type { StreamFn } from '../providers/types.ts'
import type { ModelMemory } from '../providers/model-memory.ts'
import type { RetryPorts } from '../providers/retry.ts'

/** Something worth a line in the operator's log: names, ids and codes, never text of a user or a provider. */
export interface LogEvent {
  readonly name: string
  readonly [field: string]: string | number | boolean | null
}

/** All that one live session borrows from its runtime, handed over once. */
export interface SessionPorts {
  readonly tenant: string
  readonly id: string
  readonly journal: Journal
  readonly catalog: Catalog
  readonly resolveModel: ModelResolver
  readonly defaultModel: string | null
  readonly stream: StreamFn
  readonly retry: RetryPorts
  /** what refusals taught about models */
  readonly memory: ModelMemory
  readonly alarm: Alarm
  /** Gives back what an emptied journal still holds of storage. What was written before the call goes, nothing after. */
  discard(): Promise<void>
  /** keeps the process at it until the promise has settled; it never rejects */
  keepAlive(promise: Promise<unknown>): void
  now(): number
  newId(): string
  readonly hooks: Hooks
  /** tools that run here, offered to every session */
  readonly tools: ReadonlyMap<string, ServerTool>
  /** other sessions of the same deployment */
  readonly open: OpenSession
  log(event: LogEvent): void
}

/** The ports of a session that lives: what happens in it is told. */
export interface LivePorts extends SessionPorts {
  readonly events: EventLog
}
