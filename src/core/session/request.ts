import type { ThinkingLevel } from '../entry.ts'
import { sha256Hex } from '../digest.ts'
import { BatonError, invalid } from '../errors.ts'
import type { Context, Model, ModelRequest } from '../providers/types.ts'
import { missingKey } from '../providers/parse-config.ts'
import { resolveEffort } from '../providers/effort.ts'
import type { SessionConfig } from '../ports.ts'
import { buildSessionContext } from './context.ts'
import { convertMessages } from './convert.ts'
import { requireMeta } from './ledger.ts'
import type { SessionPorts } from './ports.ts'

/** The session's context as its next request carries it, secrets not yet hidden. */
export function readContext(ports: Pick<SessionPorts, 'journal'>): Context {
  const { config, leafId } = requireMeta(ports)
  const { items } = buildSessionContext(ports.journal.entries(), leafId)
  return {
    systemPrompt: config.systemPrompt,
    tools: config.tools,
    messages: convertMessages(items),
  }
}

/** The model to ask. Throws `no_model`, saying what for, or `no_api_key`. */
export function requireModel(
  ports: Pick<SessionPorts, 'resolveModel' | 'defaultModel'>,
  name: string | null,
  purpose: 'handoff' | 'this turn',
): Model {
  const chosen = name ?? ports.defaultModel
  const model = chosen === null || chosen === '' ? null : ports.resolveModel(chosen)
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
  ports: Pick<SessionPorts, 'journal' | 'tenant' | 'id'>,
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
