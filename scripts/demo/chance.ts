/** The same numbers on every machine and every run: mulberry32. */
export interface Chance {
  /** From 0 up to 1. */
  next(): number
  /** A whole number, both ends included. */
  between(low: number, high: number): number
  isLucky(share: number): boolean
  pick<T>(list: readonly T[]): T
  pickBy<T>(list: readonly T[], weightOf: (item: T) => number): T
}

export function createChance(seed: number): Chance {
  let state = seed | 0

  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  function pickBy<T>(list: readonly T[], weightOf: (item: T) => number): T {
    let left = next() * list.reduce((sum, item) => sum + weightOf(item), 0)
    for (const item of list) {
      left -= weightOf(item)
      if (left < 0) return item
    }
    return list.at(-1) as T
  }

  return {
    next,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
    isLucky: (share) => next() < share,
    pick: (list) => pickBy(list, () => 1),
    pickBy,
  }
}
