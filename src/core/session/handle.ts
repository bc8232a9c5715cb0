import type { Cost, Message, StoredEntry, ThinkingLevel, Tool, Usage } from '../entry.ts'
import type { Context } from '../providers/types.ts'
import type { GivenMessage } from './complete-message.ts'
import type { ErrorData, Result } from '../errors.ts'
import type { TurnStatus } from '../events.ts'
import type { Face } from '../faces/face.ts'
import type { ToldMessage } from '../faces/reconcile.ts'
import type { UiMessage } from '../faces/ui-message.ts'
import type { Asked, QueueItem, SessionConfig, SessionMeta, SessionStatus } from '../ports.ts'

/** The Session object of the HTTP contract. */
export interface SessionView {
  readonly id: string
  readonly title: string | null
  readonly parentSession: string | null
  readonly handedOffTo: string | null
  readonly model: string | null
  readonly thinkingLevel: ThinkingLevel | null
  readonly systemPrompt: readonly string[]
  readonly tools: readonly Tool[]
  readonly mode: string
  readonly status: SessionStatus
  readonly messageCount: number
  readonly contextTokens: number | null
  readonly usage: SessionMeta['usage']
  readonly settings: Readonly<Record<string, unknown>>
  readonly createdAt: string
  readonly updatedAt: string
}

/** The Handoff object of the HTTP contract. */
export interface HandoffView {
  readonly id: string
  readonly session: string
  readonly status: 'generating' | 'committing' | 'completed' | 'cancelled' | 'failed'
  readonly trigger: 'manual' | 'threshold' | 'incomplete' | 'idle'
  readonly focus: string | null
  readonly model: string
  readonly startedAt: string
  readonly finishedAt: string | null
  readonly document: string | null
  /** the child as it was born */
  readonly newSession: SessionView | null
  readonly savedPath: string | null
  readonly attempts: number
  readonly receivedChars: number
  /** `reasoning` is part of `output`; `cost` is null when prices or counts are unknown */
  readonly usage:
    | (Omit<Usage, 'cost'> & { readonly reasoning: number | null; readonly cost: Cost | null })
    | null
  readonly warnings: readonly { readonly code: string; readonly detail: string }[]
  readonly error: { readonly code: string; readonly detail: string } | null
}

/** Identifies a retried request: the raw key, and a digest of what was asked. */
export interface Idempotency {
  readonly key: string
  readonly fingerprint: string
}

export interface CreateInput {
  readonly config: SessionConfig
  readonly parentSession: string | null
  readonly messages: readonly GivenMessage[]
  /** the caller chose the id, so it may be taken */
  readonly chosenId: boolean
  readonly idempotency: Idempotency | null
}

export interface HandoffRequest {
  readonly focus: string | null
  readonly model: string | null
  readonly thinkingLevel: ThinkingLevel | null
  readonly idempotency: Idempotency | null
}

export interface TurnRequest {
  /** what is said, in order; empty asks for another answer */
  readonly asked: readonly Asked[]
  /** the entry to go on from, null for the root; absent for the end of the branch */
  readonly after?: string | null
  /** `reject`: 409 session_busy when something runs; `queue`: wait for it; `steer`: tell it to the turn that runs */
  readonly whenBusy: 'queue' | 'reject' | 'steer'
  readonly idempotency: Idempotency | null
}

/** A turn of a client that keeps a history of its own and sends it along. */
export interface ChatRequest {
  readonly told: readonly ToldMessage[]
  /** the last message is to be answered again */
  readonly regenerate: boolean
  /** the last message replaces the one of its name */
  readonly edit: boolean
  /** only the newest message was sent */
  readonly newestOnly: boolean
  readonly whenBusy: TurnRequest['whenBusy']
  /** digest of the last message: the same one sent again begins nothing new */
  readonly fingerprint: string
  readonly face: Face
}

export interface TurnOutcome {
  readonly turn: {
    readonly id: string
    readonly status: 'queued' | 'running' | TurnStatus
  }
  readonly session: string
  readonly messages: readonly Message[]
  /** why the turn failed */
  readonly error?: { readonly code: string; readonly detail: string }
}

/** A turn that waited for a handoff belongs to the child: the caller asks there again. */
export interface TurnMoved {
  readonly movedTo: string
  readonly turn: string
}

/** A turn as bytes. They end with its one last event, or without it when the turn moved to the child. */
export interface TurnStream {
  readonly turn: string
  /** it waits, so it may still move */
  readonly queued: boolean
  readonly stream: ReadableStream<Uint8Array>
}

/** One that waits; what it says is told where it is asked for. */
export interface QueueItemView {
  /** the turn's id */
  readonly id: string
  readonly kind: 'turn' | 'steer'
  readonly createdAt: string
  readonly messages?: readonly Message[]
}

/** What an abort came upon. */
export interface TurnCancelled {
  readonly cancelled: boolean
  readonly turn?: { readonly id: string; readonly status: string }
}

export interface Appended {
  readonly entries: readonly StoredEntry[]
}

export interface ImportReport {
  readonly session: SessionView
  readonly imported: number
  readonly skipped: number
  readonly warnings: readonly {
    readonly code: string
    readonly detail: string
    readonly line?: number
  }[]
}

/**
 * One session as seen from outside its object. A Durable Object stub and a local session both satisfy it, so
 * everything here is plain data or a byte stream, and expected failures are values. A session that does not
 * exist answers `not_found` everywhere.
 */
export interface SessionHandle {
  create(input: CreateInput): Promise<Result<SessionView>>
  /** Reads the file as it comes; nothing is stored when it fails. `key`: the raw Idempotency-Key, the file itself says what was asked. */
  importFile(
    file: ReadableStream<Uint8Array>,
    options: { readonly maxBytes: number; readonly key: string | null },
  ): Promise<Result<ImportReport>>
  exportFile(): Promise<Result<ReadableStream<Uint8Array>>>
  view(): Promise<Result<SessionView>>
  update(patch: Partial<SessionConfig>): Promise<Result<SessionView>>
  destroy(): Promise<Result<null>>
  entries(range: {
    readonly after: number
    readonly limit: number
  }): Promise<
    Result<{ readonly items: readonly StoredEntry[]; readonly nextCursor: string | null }>
  >
  append(
    messages: readonly GivenMessage[],
    idempotency: Idempotency | null,
  ): Promise<Result<Appended>>
  context(): Promise<Result<Context>>
  /**
   * Starts a turn or puts it in line (or finds the one that its idempotency key began). `wait`: answers when it is over.
   * `async`: answers at once, with what there is of it.
   */
  turn(request: TurnRequest, mode: 'wait' | 'async'): Promise<Result<TurnOutcome | TurnMoved>>
  /** As `turn`, told as bytes of that face. */
  turnEvents(request: TurnRequest, face: Face): Promise<Result<TurnStream>>
  /** The same for a turn that was asked for before, here or in the session that this one continues. */
  followTurn(id: string, mode: 'wait' | 'async'): Promise<Result<TurnOutcome | TurnMoved>>
  followTurnEvents(id: string, face: Face): Promise<Result<TurnStream>>
  /** Aborts the running turn, or only the one of this id, and answers once it has settled. */
  cancelTurn(reason: string, id?: string): Promise<Result<TurnCancelled>>
  /** Aborts the handoff first, then the turn (C2). `reason` null: none was given. */
  abort(reason: string | null): Promise<Result<TurnCancelled & { readonly handoff?: HandoffView }>>
  queue(): Promise<Result<readonly QueueItemView[]>>
  removeQueued(id: string): Promise<Result<null>>
  /** Everything of the session as SSE bytes, from the event after that number on; ends when the session is deleted. */
  events(after: number): Promise<Result<ReadableStream<Uint8Array>>>
  /** Finds where the client's history leaves the branch, and begins a turn there. */
  chat(request: ChatRequest): Promise<Result<TurnStream>>
  /** The turn that runs or is next, told from its beginning; null when there is none. */
  resumeChat(face: Face): Promise<Result<TurnStream | null>>
  /** The branch as a frontend shows it, without the answer that is still being told. */
  chatMessages(): Promise<Result<readonly UiMessage[]>>
  /** Takes over turns that waited in the session that this one continues. Repeating it is harmless. */
  adopt(from: {
    readonly session: string
    /** number of its last event: readers go on here */
    readonly eventsUpTo: number
    readonly items: readonly QueueItem[]
  }): Promise<Result<null>>
  /**
   * Starts a handoff (or joins the one its idempotency key started). `wait`: answers when it has ended, a
   * failed one as its error. `async`: answers at once. `reused` tells that nothing was started.
   */
  handoff(
    request: HandoffRequest,
    mode: 'wait' | 'async',
  ): Promise<Result<{ readonly handoff: HandoffView; readonly error: ErrorData | null }>>
  /** As `handoff`, told as SSE bytes; a refusal before the start is the Result's error. The stream ends with one terminal event. */
  handoffEvents(request: HandoffRequest, face: Face): Promise<Result<ReadableStream<Uint8Array>>>
  latestHandoff(): Promise<Result<HandoffView>>
  handoffById(id: string): Promise<Result<HandoffView>>
  /** Answers once the run has settled. `reason` null: none was given. */
  cancelHandoff(
    reason: string | null,
  ): Promise<Result<{ readonly cancelled: boolean; readonly handoff?: HandoffView }>>
}

/** How HTTP reaches a session: by tenant and id, always a fresh handle. */
export type OpenSession = (tenant: string, id: string) => SessionHandle
