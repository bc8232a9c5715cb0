import * as z from 'zod'
import type { Entry, ForeignMessage } from '../entry.ts'
import { isEntry, THINKING_LEVELS } from '../entry.ts'
import { ID_PATTERN } from '../id.ts'
import type { SessionConfig } from '../ports.ts'
import type { SessionFile } from '../transcript/parse-file.ts'
import { openFile } from '../transcript/parse-file.ts'
import type { Birthplace } from './birth.ts'
import { requireConfigSize } from './config-size.ts'
import { readSettings, walkBranch } from './context.ts'
import type { ImportReport } from './handle.ts'
import type { Keep } from './idempotency.ts'
import { countEntries, recount } from './ledger.ts'
import type { SessionPorts } from './ports.ts'
import { newSessionMeta, toSessionView } from './view.ts'

/** Name of the note that keeps an imported file's header for its export. */
export const HEADER_NOTE = 'header'

/** Types of entries that carry text and nothing that is counted. */
const LONG = new Set(['custom_message', 'compaction', 'branch_summary', 'custom', 'session_init'])

/** What an export of Baton says beside what session files know; every field is optional and checked. */
const batonConfig = z.object({
  model: z.string().max(200).nullable().catch(null),
  thinkingLevel: z.enum(THINKING_LEVELS).nullable().catch(null),
  systemPrompt: z.array(z.string()).catch([]),
  tools: z
    .array(
      z.object({
        name: z.string(),
        description: z.string().optional(),
        parameters: z.record(z.string(), z.unknown()),
      }),
    )
    .catch([]),
  mode: z.string().max(64).optional().catch(undefined),
  settings: z.record(z.string(), z.unknown()).catch({}),
  leaf: z.string().nullable().optional().catch(undefined),
})

/**
 * A session file becomes this session. Entries are written as they come, into a session that nobody sees before
 * the last one is there; whatever goes wrong leaves nothing behind. `ready` is awaited when the file was read whole.
 */
export async function importFile(
  ports: SessionPorts,
  birthplace: Birthplace,
  source: { readonly file: ReadableStream<Uint8Array>; readonly maxBytes: number },
  ready: () => Promise<Keep<ImportReport>>,
): Promise<ImportReport> {
  const { journal, newId, now } = ports
  const file = await openFile(source.file, { maxBytes: source.maxBytes, newId })
  const meta = newSessionMeta({
    id: ports.id,
    tenant: ports.tenant,
    config: emptyConfig(file.header.title ?? null),
    parentSession: await knownParent(ports, file),
    createdAt: now(),
  })
  birthplace.begin(meta)
  try {
    const facts: Entry[] = []
    for await (const batch of file.batches()) {
      journal.append(batch)
      for (const entry of batch) facts.push(toFact(entry))
    }
    journal.putNote(HEADER_NOTE, JSON.stringify(file.header.raw))
    const branch = walkBranch(facts)
    const { usage } = countEntries(meta, facts)
    const { config, warnings } = askable(ports, configOf(ports, file, branch))
    const whole = { ...recount(meta, branch), usage, config }
    const imported = facts.length
    const read = file.report()
    const report = {
      session: toSessionView(whole, 'idle'),
      imported,
      skipped: read.skipped,
      warnings: [...warnings, ...read.warnings],
    }
    const keep = await ready()
    return birthplace.finish(whole, () => keep(report))
  } catch (thrown) {
    await birthplace.abandon()
    throw thrown
  } finally {
    await file.close()
  }
}

/** An entry without its text: what of a file is kept in memory until its end, where it is known which branch counts. */
function toFact(entry: Entry): Entry {
  const { id, parentId, type, timestamp } = entry
  const bare = { id, parentId, type, timestamp }
  if (!isEntry(entry, 'message')) return LONG.has(type) ? (bare as Entry) : entry
  const { role, provider, model, usage } = entry.message as ForeignMessage
  return { ...bare, type: 'message', message: { role, provider, model, usage, content: [] } }
}

/** The configuration in force at the end of the file: what an export said, unless somebody wrote on behind it, else what its entries tell. */
function configOf(ports: SessionPorts, file: SessionFile, branch: readonly Entry[]): SessionConfig {
  const { header } = file
  const said = batonConfig.safeParse(header.baton ?? {}).data
  const current = header.baton !== undefined && said?.leaf === (branch.at(-1)?.id ?? null)
  const told = readSettings(branch)
  const level = branch.some((entry) => entry.type === 'thinking_level_change')
    ? told.thinkingLevel
    : null
  const toldLevel = THINKING_LEVELS.find((known) => known === level)
  const title = current || header.titled ? header.title : (told.title ?? header.title)
  const saidModel = said?.model ?? ports.defaultModel
  const saidLevel = said?.thinkingLevel ?? null
  const config = {
    title: title?.slice(0, 500).toWellFormed() ?? null,
    model: current ? (said?.model ?? null) : (told.models['default'] ?? saidModel),
    thinkingLevel: current ? saidLevel : (toldLevel ?? saidLevel),
    systemPrompt: said?.systemPrompt ?? [],
    tools: said?.tools ?? [],
    mode: current ? (said?.mode ?? told.mode) : told.mode,
    settings: said?.settings ?? {},
  }
  requireConfigSize(config)
  return config
}

/** A model that cannot be asked here would make the session useless: then it is the deployment's own, with a warning. */
function askable(
  ports: SessionPorts,
  config: SessionConfig,
): { readonly config: SessionConfig; readonly warnings: ImportReport['warnings'] } {
  const { model } = config
  if (model === null || ports.resolveModel(model) !== null) return { config, warnings: [] }
  const instead = ports.defaultModel
  const then =
    instead === null ? 'choose a model before the next turn' : `it goes on with ${instead}`
  const detail = `The session used ${model.slice(0, 200)}, which is not configured here; ${then}`
  return {
    config: { ...config, model: instead },
    warnings: [{ code: 'model_not_configured', detail }],
  }
}

function emptyConfig(title: string | null): SessionConfig {
  return {
    title,
    model: null,
    thinkingLevel: null,
    systemPrompt: [],
    tools: [],
    mode: 'none',
    settings: {},
  }
}

/** A parent is linked only when it is a session of this tenant; a coding agent writes paths and foreign ids there. */
async function knownParent(ports: SessionPorts, file: SessionFile): Promise<string | null> {
  const parent = file.header.parentSession
  if (typeof parent !== 'string' || !ID_PATTERN.test(parent)) return null
  return (await ports.catalog.session(ports.tenant, parent)) === null ? null : parent
}
