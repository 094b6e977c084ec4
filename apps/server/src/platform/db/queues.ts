/** The time in milliseconds that callers of a queue wait now, measured or expected. */
type WaitMs = (now: number) => number

/** The queues of one database: of its sessions, and of the writers that batch calls. */
export interface Queues {
  add(waitMs: WaitMs): void
  /** The longest of them. */
  waitMs(): number
}

export function createQueues(): Queues {
  const queues: WaitMs[] = []
  return {
    add: (waitMs) => void queues.push(waitMs),
    waitMs() {
      const now = performance.now()
      return queues.reduce((longest, waitMs) => Math.max(longest, waitMs(now)), 0)
    },
  }
}
