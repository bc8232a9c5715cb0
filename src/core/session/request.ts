import type { CompactionEntry, StoredEntry, ThinkingLevel, Tool } from '../entry.ts'
import { sha256Hex } from '../digest.ts'
import { BatonError, invalid } from '../errors.ts'
import type { Context, Model, ModelRequest } from '../providers/types.ts'
import { missingKey } from '../providers/parse-config.ts'
import { resolveEffort } from '../providers/effort.ts'
import type { Journal, SessionConfig } from '../ports.ts'
import type { ServerTool } from '../tools/server-tool.ts'
import { CUTS, selectSeen, toItems, walkBranch } from './context.ts'
import { convertMessages } from './convert.ts'
import { requireMeta } from './ledger.ts'
import type { SessionPorts } from './ports.ts'

/** The session's context as its next request carries it, secrets not yet hidden. */
export function readContext(ports: Pick<SessionPorts, 'journal' | 'tools'>): Context {
  const { config, leafId } = requireMeta(ports)
  const seen = readSeen(ports.journal, leafId)
  return {
    systemPrompt: config.systemPrompt,
    tools: offeredTools(ports, config),
    messages: convertMessages(toItems(seen)),
  }
}

/** The session's own tools, and those that run here; of one name the session's own counts. */
function offeredTools(
  { tools }: Pick<SessionPorts, 'tools'>,
  config: SessionConfig,
): readonly Tool[] {
  if (tools.size === 0) return config.tools
  const own = new Set(config.tools.map(({ name }) => name))
  const ours = [...tools.values()].map(({ tool }) => tool).filter(({ name }) => !own.has(name))
  return [...config.tools, ...ours]
}

/** The tool of this name that runs here; null when the client runs it. */
export function serverTool(
  { tools }: Pick<SessionPorts, 'tools'>,
  config: SessionConfig,
  name: string,
): ServerTool | null {
  return config.tools.some((own) => own.name === name) ? null : (tools.get(name) ?? null)
}

/** The entries that a model sees. What a compaction or a reset hides is not read: it may be most of a long session. */
function readSeen(journal: Journal, leafId: string | null): readonly StoredEntry[] {
  if (!journal.hasEntries(CUTS)) return walkBranch(journal.entries(), leafId)
  const seen = selectSeen(walkBranch(journal.spine(), leafId), ({ seq }) => {
    const [summary] = journal.entries({ after: seq - 1, limit: 1 })
    return (summary as unknown as CompactionEntry).firstKeptEntryId
  })
  // Not spread: there may be a hundred thousand.
  const [first, last] = seen.reduce(
    ([least, most], { seq }) => [Math.min(least, seq), Math.max(most, seq)] as const,
    [Infinity, 0],
  )
  if (last === 0) return []
  const read = journal.entries({ after: first - 1, limit: last - first + 1 })
  const byId = new Map(read.map((entry) => [entry.id, entry]))
  return seen.flatMap(({ id }) => byId.get(id) ?? [])
}

/** The model to ask. Throws `no_model`, saying what for, or `no_api_key`. */
export function requireModel(
  ports: Pick<SessionPorts, 'resolveModel'>,
  name: string | null,
  purpose: 'handoff' | 'this turn',
): Model {
  const model = name === null ? null : ports.resolveModel(name)
  if (model === null) throw new BatonError('no_model', `No model selected for ${purpose}`)
  if (missingKey(model)) {
    throw new BatonError('no_api_key', `No API key for ${model.provider}`)
  }
  return model
}

/** Refuses a model that this deployment cannot ask before it is stored. Throws `invalid`. */
export function requireKnownModel(
  { resolveModel }: Pick<SessionPorts, 'resolveModel'>,
  name: string | null | undefined,
): void {
  if (name === null || name === undefined || resolveModel(name) !== null) return
  const provider = name.split('/')[0] ?? ''
  throw invalid([{ path: 'model', message: `No provider "${provider}" is configured` }])
}

/** What a live turn and a handoff share, made by the same code: everything but the appended message and `toolChoice`. */
export async function buildRequest(
  ports: Pick<SessionPorts, 'journal' | 'tools' | 'tenant' | 'id'>,
  ask: { readonly model: Model; readonly thinkingLevel: ThinkingLevel | null },
): Promise<ModelRequest> {
  return {
    model: ask.model,
    context: readContext(ports),
    effort: resolveEffort(ask.model, ask.thinkingLevel),
    // Hashed, not cut: OpenAI takes 64 characters, and ids cut to that could collide.
    cacheKey: await sha256Hex(`${ports.tenant}:${ports.id}`),
    sessionId: ports.id,
  }
}

/** `provider/id` of a model that can be asked, for the record. */
export function modelName(model: Model): string {
  return `${model.provider}/${model.id}`
}

/** The thinking level in force: what was asked for, else the session's. */
export function levelOf(
  config: SessionConfig,
  asked: ThinkingLevel | null = null,
): ThinkingLevel | null {
  return asked ?? config.thinkingLevel
}
