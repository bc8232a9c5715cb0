import { priceOf } from './price.ts'
import type { Model, ModelAnswer } from './types.ts'
import { ProviderError } from './types.ts'

/**
 * The answer with its price. Throws ProviderError `overflow` for one that a server gave although the prompt did not
 * fit: nothing written at the window's end (Ollama, MiMo) and, when the answer has to know the `whole` prompt, more
 * input than the window holds (z.ai cuts silently).
 */
export function checkAnswer(answer: ModelAnswer, model: Model, whole: boolean): ModelAnswer {
  const { usage, stopReason } = answer
  const { contextWindow } = model
  if (contextWindow !== null && usage.input !== null) {
    const input = usage.input + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0)
    const silent = stopReason === 'length' && usage.output === 0 && input >= contextWindow * 0.99
    if (silent || (whole && input > contextWindow)) {
      throw new ProviderError('overflow', 'The prompt exceeds the context window of this model')
    }
  }
  const cost = priceOf(usage, model.cost)
  return cost === null ? answer : { ...answer, usage: { ...usage, cost } }
}
