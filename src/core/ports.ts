import type { Entry, Message, SpineNode, StoredEntry, ThinkingLevel, Tool } from './entry.ts'
import type { HandoffRecord } from './handoff/machine.ts'
import type { Model } from './providers/types.ts'
import type { TurnRecord } from './session/turn-record.ts'

/** What a session is born with and may change later. */
export interface SessionConfig {
  readonly title: string | null
  readonly model: string | null
  readonly thinkingLevel: ThinkingLevel | null
  readonly systemPrompt: readonly string[]
  readonly tools: readonly Tool[]
  readonly mode: string
  readonly settings: Readonly<Record<string, unknown>>
}

/** Everything about a session that is one row, wherever it is stored. */
export interface SessionMeta {
  readonly id: string
  readonly tenant: string
  readonly config: SessionConfig
  readonly parentSession: string | null
  readonly handedOffTo: string | null
  /** last entry of the current branch; null for an empty session */
  readonly leafId: string | null
  /** `message` entries on the current branch */
  readonly messageCount: number
  /** null is unknown */
  readonly contextTokens: number | null
  readonly usage: {
    readonly input: number
    readonly output: number
    readonly cacheRead: number
    readonly cacheWrite: number
  }
  /** ms since epoch */
  readonly createdAt: number
  readonly updatedAt: number
  /** grows with every change; the catalog keeps the highest */
  readonly revision: number
  /** `loading` while an import is still being written, `deleted` once deletion began */
  readonly state: 'loading' | 'live' | 'deleted'
}

/** What a session is doing. */
export type SessionStatus = 'idle' | 'running' | 'handing_off'

/** A session as the catalog knows it: the status is the one that its object told last. */
export interface CatalogSession extends SessionMeta {
  readonly status: SessionStatus
}

/** A message that somebody says; `clientId` is the name it has with them. */
export interface Asked {
  readonly message: Message
  readonly clientId?: string
}

/** A turn that waits to be run, or a message for the one that runs. */
export interface QueueItem {
  /** the turn's id */
  readonly id: string
  readonly kind: 'turn' | 'steer'
  readonly asked: readonly Asked[]
  /** the entry to go on from, null for the root; absent for the end of the branch as it is then */
  readonly after?: string | null
  /** ms since epoch */
  readonly createdAt: number
}

/** What is known of a waiting turn without what it says. */
export type QueueHead = Pick<QueueItem, 'id' | 'kind' | 'createdAt'>

/** A turn in progress; still there after a restart means that it was interrupted. */
export interface TurnMarker {
  readonly id: string
  readonly startedAt: number
}

/** The answer of an operation that an Idempotency-Key names. */
export interface IdempotencyRow {
  readonly route: string
  readonly key: string
  readonly fingerprint: string
  /** the operation this key started: a handoff's id, or the stored answer as JSON */
  readonly handoffId: string | null
  readonly answer: string | null
  readonly createdAt: number
}

/** Something that changed and that the catalog has not heard of: this session's row, or one of its handoffs. */
export type News = { readonly kind: 'session' } | { readonly kind: 'handoff'; readonly id: string }

/** News as it is told: what the row or the handoff is now. */
export type CatalogChange =
  | { readonly kind: 'session'; readonly session: CatalogSession }
  | { readonly kind: 'handoff'; readonly record: HandoffRecord }

/**
 * One session's own store. Synchronous: no method awaits, so a guard and the record it protects are one step.
 * Every method is atomic by itself; `transaction` makes several atomic and must get a synchronous function.
 * Strings of any length are accepted; the store keeps each row below 2 MB.
 */
export interface Journal {
  transaction<T>(run: () => T): T
  /** null when nothing was ever written, or after `wipe` */
  meta(): SessionMeta | null
  putMeta(meta: SessionMeta): void
  /** Gives the entries the next `seq` in order. Throws when an id is there already. */
  append(entries: readonly Entry[]): readonly StoredEntry[]
  /** in `seq` order, `after` excluded */
  entries(range?: { readonly after?: number; readonly limit?: number }): readonly StoredEntry[]
  /** where the entry of this id stands; null when there is none */
  seqOf(id: string): number | null
  /** whether there is an entry of one of these types, on whatever branch */
  hasEntries(types: readonly string[]): boolean
  /** all entries without their bodies, in `seq` order */
  spine(): readonly SpineNode[]
  handoff(id: string): HandoffRecord | null
  latestHandoff(): HandoffRecord | null
  /** what can be told of the latest handoff without reading its document */
  handoffHead(): Pick<HandoffRecord, 'id' | 'status'> | null
  putHandoff(record: HandoffRecord): void
  turn(): TurnMarker | null
  putTurn(turn: TurnMarker | null): void
  /** null when it was never asked for here, or was forgotten */
  turnRecord(id: string): TurnRecord | null
  putTurnRecord(record: TurnRecord): void
  /** removes ended turns that were asked for before that time, ms */
  forgetTurns(before: number): void
  /** what waits, in order, without what is said and without what is on its way to a child */
  queue(): readonly QueueHead[]
  /** whole; null when it does not wait */
  queueItem(id: string): QueueItem | null
  /** appends, unless an item of this id waits already */
  enqueueTurn(item: QueueItem): void
  /** false when it did not wait */
  removeTurn(id: string): boolean
  /** all that waits is for this child from now on */
  sendQueue(child: string): void
  /** what is on its way to a child, in order */
  sentQueue(): readonly { readonly id: string; readonly child: string }[]
  /** the number of the last entry, 0 when there is none */
  lastSeq(): number
  idempotency(route: string, key: string): IdempotencyRow | null
  putIdempotency(row: IdempotencyRow): void
  /** removes keys created before that time, ms */
  forgetIdempotency(before: number): void
  /** opaque facts of the session (file header of an import), by name */
  note(name: string): string | null
  putNote(name: string, value: string): void
  /** queues news for the catalog; newer ones of the same thing replace older ones */
  enqueue(news: News): void
  /** oldest first, with the token that `settle` takes */
  news(limit: number): readonly { readonly token: number; readonly news: News }[]
  hasNews(): boolean
  /** at most 90 tokens at once; tokens of replaced news settle nothing */
  settle(tokens: readonly number[]): void
  /** Appends to the log of events, each below a row's size; numbers increase strictly and are above `floor`. */
  appendEvents(bodies: readonly string[], floor?: number): void
  /** in order, `after` excluded */
  events(after: number, limit: number): readonly { readonly seq: number; readonly body: string }[]
  /** numbers of the oldest and the newest event that are kept; 0 when there is none */
  eventRange(): { readonly first: number; readonly last: number }
  /** removes events before that number */
  forgetEvents(before: number): void
  /** removes everything of this session */
  wipe(): void
}

/** A child as the catalog keeps it until its object first wakes. */
export interface Birth {
  readonly meta: SessionMeta
  readonly entries: readonly Entry[]
}

export interface SessionPage {
  readonly items: readonly CatalogSession[]
  readonly nextCursor: string | null
}

/**
 * What crosses sessions. Every method rejects with BatonError `unavailable` when the database is out of reach,
 * and never shows SQL or values. All reads are limited to one tenant.
 */
export interface Catalog {
  /** the session's row; null when it does not exist */
  session(tenant: string, id: string): Promise<CatalogSession | null>
  sessions(
    tenant: string,
    query: {
      readonly limit: number
      readonly cursor: string | null
      readonly parent: string | null
    },
  ): Promise<SessionPage>
  /** newest first, at most 1,000 */
  children(tenant: string, id: string): Promise<readonly CatalogSession[]>
  /** row and first entries of a session that another one gave birth to; null when there is none */
  birth(tenant: string, id: string): Promise<Birth | null>
  /** idempotent by revision: an older change never undoes a newer one */
  apply(changes: readonly CatalogChange[]): Promise<void>
  /** The commit point, one atomic write keyed by ids: child row, its custom_message, handoff, old session's pointer. Repeating it is harmless. */
  commit(commit: {
    readonly child: Birth
    readonly parent: SessionMeta
    readonly handoff: HandoffRecord
  }): Promise<void>
  /** which session a handoff belongs to */
  handoffSession(tenant: string, handoffId: string): Promise<string | null>
  /** removes everything of it but the keys that stood for it: they stand for nothing until they are forgotten */
  deleteSession(tenant: string, id: string): Promise<void>
  /** The id that this key stands for: `proposed` for a new key, the first one for a known key, null when that was deleted. Whether the request is the same is for the session to say. */
  claim(claim: {
    readonly tenant: string
    readonly route: string
    readonly key: string
    readonly proposed: string
    readonly now: number
  }): Promise<string | null>
  /** tenant of a live API key with this SHA-256 digest (hex) */
  tenantOfKey(digest: string): Promise<string | null>
}

/** Wakes the session again, no later than asked for, also after the process was killed. */
export interface Alarm {
  /** ms since epoch; null: no longer needed. Part of a surrounding `Journal.transaction`. */
  set(at: number | null): void
}

/** Resolves `provider/id`; null when the provider is not configured. */
export type ModelResolver = (name: string) => Model | null

/** Code hooks of an embedding program. */
export interface Hooks {
  /** Sees the old session and the document before anything is created; `cancel: true` vetoes the switch. May run again after a crash. */
  readonly sessionBeforeSwitch?: (event: {
    readonly reason: 'handoff'
    readonly session: string
    readonly tenant: string
    readonly document: string
  }) => Promise<{ readonly cancel?: boolean } | void> | { readonly cancel?: boolean } | void
  /** Told once the child exists. */
  readonly sessionSwitch?: (event: {
    readonly reason: 'handoff'
    readonly previousSession: string
    readonly session: string
    readonly tenant: string
  }) => Promise<void> | void
}
