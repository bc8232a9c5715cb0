import type { ThinkingLevel } from '../entry.ts'
import type { Effort, Model } from './types.ts'
import { EFFORTS } from './types.ts'

/**
 * The effort to send for a thinking level, the same for live turn and handoff (Q8): `off` sends none, unset or
 * `inherit` asks for high; then clamped to what the model has: itself, else the highest below, else the lowest.
 */
export function resolveEffort(model: Model, level: ThinkingLevel | null): Effort | null {
  if (level === 'off' || !model.reasoning || model.efforts.length === 0) return null
  const wanted = EFFORTS.indexOf(level === null || level === 'inherit' ? 'high' : level)
  const offered = EFFORTS.filter((effort) => model.efforts.includes(effort))
  return offered.findLast((effort) => EFFORTS.indexOf(effort) <= wanted) ?? offered[0] ?? null
}
