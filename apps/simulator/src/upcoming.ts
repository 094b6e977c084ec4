const MAX_UPCOMING = 1000

/** The behaviours that tests ordered for charges yet to come, in the order of their orders. */
export function createUpcoming<T extends object>() {
  let upcoming: { readonly behaviour: T; times: number }[] = []
  return {
    order(behaviour: T, times: number): void {
      upcoming = [...upcoming, { behaviour, times }].slice(-MAX_UPCOMING)
    },
    take(): T | null {
      const [next] = upcoming
      if (next === undefined) return null
      next.times -= 1
      if (next.times <= 0) upcoming.shift()
      return next.behaviour
    },
    clear(): void {
      upcoming = []
    },
  }
}
export type Upcoming<T extends object> = ReturnType<typeof createUpcoming<T>>
