import type pg from 'pg'
import { QueueFull } from './failures.ts'

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

/** The number of callers that may wait for a session, each for at most five seconds. */
const MOST_WAITING = 1000

/** Without a limit, the callers of a database that hangs would accumulate in memory. */
export function boundQueue(pool: pg.Pool, queues: Queues): void {
  type Callback = (error: Error | undefined, ...session: unknown[]) => void
  // The pool serves its callers in the order of their arrival.
  const waiting = new Set<{ readonly since: number }>()
  queues.add((now) => now - (waiting.values().next().value?.since ?? now))
  const connect = pool.connect.bind(pool) as (callback: Callback) => void
  const bounded = (callback: Callback): void => {
    if (pool.waitingCount >= MOST_WAITING) {
      callback(new QueueFull())
      return
    }
    const entry = { since: performance.now() }
    waiting.add(entry)
    connect((...answer) => {
      waiting.delete(entry)
      callback(...answer)
    })
  }
  const promised = () =>
    new Promise<unknown>((resolve, reject) => {
      bounded((error, client) => (error ? reject(error) : resolve(client)))
    })
  pool.connect = ((callback?: Callback) => (callback ? bounded(callback) : promised())) as typeof pool.connect
}
