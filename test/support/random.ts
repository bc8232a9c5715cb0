/** Chance that comes out the same for the same seed. */
export interface Chance {
  /** a whole number below `limit` */
  below(limit: number): number
  /** true once in `times` */
  oneIn(times: number): boolean
  pick<T>(of: readonly [T, ...T[]]): T
}

/** A linear congruential generator: enough to vary inputs, and to have a failing one again. */
export function createChance(seed: number): Chance {
  let state = seed
  const below = (limit: number): number => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff
    return (state >> 8) % limit
  }
  return {
    below,
    oneIn: (times) => below(times) === 0,
    pick: (of) => of[below(of.length)] ?? of[0],
  }
}
