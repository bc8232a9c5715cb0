import type { ThinkingLevel } from '../entry.ts'
import type { Effort, Model } from './types.ts'
import { EFFORTS } from './types.ts'

/**
 * The effort to send for a thinking level, the same for live turn and handoff (Q8): `off` sends none, unset or
 * `inherit` asks for high; then clamped to what the model has.
 */
export function resolveEffort(model: Model, level: ThinkingLevel | null): Effort | null {
  if (level === 'off') return null
  return clampEffort(model, level === null || level === 'inherit' ? 'high' : level)
}

/** The effort itself when the model has it, else the highest below, else the model's lowest; null for a model without any. */
export function clampEffort(
  { reasoning, efforts }: Pick<Model, 'reasoning' | 'efforts'>,
  effort: Effort | null,
): Effort | null {
  if (effort === null || !reasoning || efforts.length === 0) return null
  const wanted = EFFORTS.indexOf(effort)
  const offered = EFFORTS.filter((known) => efforts.includes(known))
  return offered.findLast((known) => EFFORTS.indexOf(known) <= wanted) ?? offered[0] ?? null
}
