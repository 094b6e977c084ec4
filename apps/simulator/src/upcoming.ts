import { z } from 'zod'

/** The number of charges that an ordered behaviour concerns. */
export const Times = z.int().min(1).max(1_000_000).default(1)

const MAX_UPCOMING = 1000

/**
 * The misbehaviour that tests ordered for charges yet to come, in the order of their orders.
 * @param otherwise the behaviour of a charge for which none is ordered
 */
export function createUpcoming<T extends object>(otherwise: () => T | Record<string, never> = () => ({})) {
  let upcoming: { readonly behaviour: T; readonly number: string | null; times: number }[] = []
  return {
    /** @param number the only phone number that it concerns; null for any charge */
    order(behaviour: T, times: number, number: string | null = null): void {
      upcoming = [...upcoming, { behaviour, number, times }].slice(-MAX_UPCOMING)
    },
    /** The behaviour of a new charge: one for its number comes before one for any charge. */
    take(number: string | null = null): T | Record<string, never> {
      const next =
        upcoming.find((each) => each.number === number) ?? upcoming.find((each) => each.number === null)
      if (next === undefined) return otherwise()
      next.times -= 1
      if (next.times <= 0) upcoming = upcoming.filter((each) => each !== next)
      return next.behaviour
    },
    clear(): void {
      upcoming = []
    },
  }
}
export type Upcoming<T extends object> = ReturnType<typeof createUpcoming<T>>
