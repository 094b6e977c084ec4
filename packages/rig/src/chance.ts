/** Repeatable random numbers: the same seed returns the same numbers. */
export interface Chance {
  /** From 0 up to 1. */
  next(): number
  /** True with this probability in percent. */
  percent(part: number): boolean
  /** A random time with an exponential distribution around `meanMs`, within the bounds. */
  gapMs(meanMs: number, leastMs: number, mostMs: number): number
}

/** Marsaglia's xorshift. */
export function chanceOf(seed: number): Chance {
  // A state of zero would remain zero.
  let state = (seed * 2_654_435_761) >>> 0 || 1
  const next = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 2 ** 32
  }
  for (let round = 0; round < 10; round += 1) next()
  return {
    next,
    percent: (part) => next() * 100 < part,
    gapMs: (meanMs, leastMs, mostMs) => Math.min(mostMs, Math.max(leastMs, -Math.log(1 - next()) * meanMs)),
  }
}
