import type { Lesson } from './adapt.ts'
import { applyLesson } from './adapt.ts'
import type { Model } from './types.ts'

/** What refusals taught about models, for as long as this object lives; losing it costs one refused request. */
export interface ModelMemory {
  /** the model with everything learned about it */
  recall(model: Model): Model
  learn(model: Model, lesson: Lesson): void
}

/** Lessons are kept by provider, address and model: two servers may serve one name. */
export function createModelMemory(): ModelMemory {
  const lessons = new Map<string, readonly Lesson[]>()
  return {
    recall: (model) => (lessons.get(keyOf(model)) ?? []).reduce(applyLesson, model),
    learn(model, lesson) {
      const key = keyOf(model)
      lessons.set(key, [...(lessons.get(key) ?? []), lesson])
    },
  }
}

function keyOf({ provider, baseUrl, id }: Model): string {
  return `${provider} ${baseUrl} ${id}`
}
