import type { Effort, ModelRequest } from './types.ts'

/** Tokens to think with, for models that count them. */
const BUDGETS: Readonly<Record<Effort, number>> = {
  minimal: 1_024,
  low: 4_096,
  medium: 8_192,
  high: 16_384,
  xhigh: 32_768,
  max: 32_768,
}
/** The API takes no smaller budget, and a document needs room beside it. */
const LEAST = 1_024

/** How a Claude model is told to think. Part of the cached prompt: a live turn and its handoff send the same. */
export function toThinking(
  { model, effort }: ModelRequest,
  maxTokens: number,
): Readonly<Record<string, unknown>> {
  if (effort === null) return {}
  // `minimal` is no level of this API.
  const output_config = { effort: effort === 'minimal' ? 'low' : effort }
  if (model.options.thinking === 'adaptive') {
    const display = model.options.summaries === false ? {} : { display: 'summarized' }
    return { thinking: { type: 'adaptive', ...display }, output_config }
  }
  const budget = Math.min(BUDGETS[effort], maxTokens - LEAST)
  const thinking = budget < LEAST ? {} : { thinking: { type: 'enabled', budget_tokens: budget } }
  return model.options.thinking === 'budget-effort' ? { ...thinking, output_config } : thinking
}
