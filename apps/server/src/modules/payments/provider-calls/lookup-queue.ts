import pLimit from 'p-limit'

/** Scheduled look-ups of charges that this process has taken from the database. */
export interface LookupQueue {
  /**
   * The number of look-ups to take in this round: as many as there are places, and twice as many as have ended since the last round. So most
   * look-ups of a slow provider stay in the database, where another process can take them.
   */
  room(): number
  /** Runs a look-up as soon as one of the places is free. A look-up that hangs occupies one place. */
  run<Result>(lookUp: () => Promise<Result>): Promise<Result>
}

const PLACES = 80
const MOST_TAKEN = 2000

export function createLookupQueue(): LookupQueue {
  const atOnce = pLimit(PLACES)
  let ended = 0
  return {
    room() {
      const most = Math.min(MOST_TAKEN, PLACES + 2 * ended)
      ended = 0
      return Math.max(0, most - atOnce.activeCount - atOnce.pendingCount)
    },
    run: (lookUp) =>
      atOnce(lookUp).finally(() => {
        ended += 1
      }),
  }
}
