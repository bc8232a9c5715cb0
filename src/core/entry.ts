/**
 * The words of a transcript, as pi and oh-my-pi session files use them (format version 3).
 * Stored entries keep every field they arrived with, known or not; these types name what Baton reads.
 */

export interface TextBlock {
  readonly type: 'text'
  readonly text: string
  /** what the provider wants back with it, opaque */
  readonly signature?: string
}
export interface ImageBlock {
  readonly type: 'image'
  /** base64 */
  readonly data: string
  readonly mimeType: string
}
export interface ThinkingBlock {
  readonly type: 'thinking'
  readonly thinking: string
  readonly signature?: string
  /** the provider kept the thought to itself: `signature` is all there is */
  readonly redacted?: boolean
}
export interface ToolCallBlock {
  readonly type: 'toolCall'
  readonly id: string
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly signature?: string
}
export type Block = TextBlock | ImageBlock | ThinkingBlock | ToolCallBlock
export type InputBlock = TextBlock | ImageBlock

/** Token counts of one answer; `null` is unknown. `input` excludes cached tokens, `output` includes `reasoning`. */
export interface Usage {
  readonly input: number | null
  readonly output: number | null
  readonly cacheRead: number | null
  readonly cacheWrite: number | null
  readonly reasoning?: number | null
  /** US dollars; absent when the prices or a count are unknown */
  readonly cost?: Cost
}

/** US dollars of one answer. */
export interface Cost {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly total: number
}

export type StopReason = 'stop' | 'length' | 'toolUse' | 'error' | 'aborted'
export type Attribution = 'user' | 'agent'

export interface UserMessage {
  readonly role: 'user'
  readonly content: string | readonly InputBlock[]
  readonly attribution?: Attribution
  readonly timestamp?: number
}
export interface DeveloperMessage {
  readonly role: 'developer'
  readonly content: string | readonly InputBlock[]
  readonly attribution?: Attribution
  readonly timestamp?: number
}
export interface AssistantMessage {
  readonly role: 'assistant'
  readonly content: readonly Block[]
  readonly provider?: string
  readonly model?: string
  readonly api?: string
  readonly stopReason: StopReason
  readonly usage?: Partial<Usage>
  readonly errorMessage?: string
  readonly timestamp?: number
}
export interface ToolResultMessage {
  readonly role: 'toolResult'
  readonly toolCallId: string
  readonly toolName: string
  readonly content: readonly InputBlock[]
  readonly isError: boolean
  readonly timestamp?: number
}

/** What a provider understands: the four roles of the HTTP contract. */
export type Message = UserMessage | DeveloperMessage | AssistantMessage | ToolResultMessage

/** A message of a session file with a role of the coding agent's own (bashExecution, fileMention, custom …). */
export interface ForeignMessage {
  readonly role: string
  readonly [field: string]: unknown
}

interface EntryBase {
  readonly id: string
  readonly parentId: string | null
  /** ISO 8601 UTC */
  readonly timestamp: string
}
export interface MessageEntry extends EntryBase {
  readonly type: 'message'
  readonly message: Message | ForeignMessage
}
export interface CustomMessageEntry extends EntryBase {
  readonly type: 'custom_message'
  readonly customType: string
  readonly content: string | readonly InputBlock[]
  readonly display: boolean
  readonly details?: unknown
  readonly attribution?: Attribution
}
export interface CompactionEntry extends EntryBase {
  readonly type: 'compaction'
  readonly summary: string
  readonly firstKeptEntryId: string
  readonly tokensBefore?: number
  readonly preserveData?: unknown
}
export interface BranchSummaryEntry extends EntryBase {
  readonly type: 'branch_summary'
  readonly fromId: string
  readonly summary: string
}
export interface ResetBoundaryEntry extends EntryBase {
  readonly type: 'reset_boundary'
}
export interface ModelChangeEntry extends EntryBase {
  readonly type: 'model_change'
  /** `provider/id` */
  readonly model?: string
  readonly role?: string
}
export interface ThinkingLevelChangeEntry extends EntryBase {
  readonly type: 'thinking_level_change'
  readonly thinkingLevel: string
}
export interface ModeChangeEntry extends EntryBase {
  readonly type: 'mode_change'
  readonly mode: string
  readonly data?: unknown
}
export interface TitleChangeEntry extends EntryBase {
  readonly type: 'title_change'
  readonly title: string
  readonly previousTitle?: string
  readonly source: string
}
/** Every other type (`label`, `custom`, `session_init`, `ttsr_injection` …): kept, listed, never sent to a model. */
export interface OtherEntry extends EntryBase {
  readonly type:
    | 'label'
    | 'custom'
    | 'service_tier_change'
    | 'ttsr_injection'
    | 'credential_pin'
    | 'session_init'
    | (string & {})
  readonly [field: string]: unknown
}

export type KnownEntry =
  | MessageEntry
  | CustomMessageEntry
  | CompactionEntry
  | BranchSummaryEntry
  | ResetBoundaryEntry
  | ModelChangeEntry
  | ThinkingLevelChangeEntry
  | ModeChangeEntry
  | TitleChangeEntry

/** An entry before the journal gave it its place. */
export type Entry = KnownEntry | OtherEntry

/** An entry in its journal: `seq` orders everything, timestamps never do. */
export type StoredEntry = Entry & { readonly seq: number }

/** Where an entry hangs, without its body: enough to walk a branch. */
export interface SpineNode {
  readonly seq: number
  readonly id: string
  readonly parentId: string | null
  readonly type: string
}

export const THINKING_LEVELS = [
  'off',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'max',
  'inherit',
] as const
export type ThinkingLevel = (typeof THINKING_LEVELS)[number]

/** A tool as the model sees it; `parameters` is a JSON Schema of type object. */
export interface Tool {
  readonly name: string
  readonly description?: string
  readonly parameters: Readonly<Record<string, unknown>>
}

/** True for an entry of the given type; narrows where the type is a known one. */
export function isEntry<T extends KnownEntry['type']>(
  entry: Entry,
  type: T,
): entry is Extract<KnownEntry, { type: T }> {
  return entry.type === type
}
