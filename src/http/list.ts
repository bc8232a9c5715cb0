import * as z from 'zod'

/** Wrong items that are looked for before the rest is left alone; an answer lists no more. */
const ENOUGH = 20

/**
 * An array that is read only as far as its first wrong items. Zod keeps an issue for each one, and a body has room
 * for millions: they would cost more memory than a Worker has.
 */
export function list<T extends z.ZodType>(
  item: T,
  most: number,
  least = 0,
): z.ZodPreprocess<z.ZodArray<T>> {
  const whole = z.array(item).min(least).max(most)
  return z.preprocess(
    (value) => (Array.isArray(value) && value.length <= most ? upToWrong(value, item) : value),
    whole,
  )
}

function upToWrong(items: readonly unknown[], item: z.ZodType): readonly unknown[] {
  let wrong = 0
  for (const [at, value] of items.entries()) {
    if (item.safeParse(value).success) continue
    wrong += 1
    if (wrong === ENOUGH) return items.slice(0, at + 1)
  }
  return items
}
