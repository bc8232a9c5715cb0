import type { Effort, ModelRequest } from './types.ts'

/** Tokens to think with, for Gemini 2.5. */
const BUDGETS: Readonly<Record<Effort, number>> = {
  minimal: 512,
  low: 2_048,
  medium: 8_192,
  high: 24_576,
  xhigh: 24_576,
  max: 24_576,
}
const LEVELS: Readonly<Record<Effort, string>> = {
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'XHIGH',
  max: 'XHIGH',
}

/** How a Gemini model is told to think: 2.5 takes a budget, later ones a level, and none takes both. Null: not at all. */
export function toThinkingConfig({
  model,
  effort,
}: ModelRequest): Readonly<Record<string, unknown>> | null {
  if (effort === null) return null
  const budget = model.options.thinking === 'budget' || /gemini-2\./.test(model.id)
  const byLevel = model.options.thinking === 'level' || !budget
  return byLevel
    ? { includeThoughts: true, thinkingLevel: LEVELS[effort] }
    : { includeThoughts: true, thinkingBudget: BUDGETS[effort] }
}
