import type pg from 'pg'
import { QueueFull } from './failures.ts'

interface Queue {
  /** The number of callers that wait now. */
  length(): number
  /** The time in milliseconds that they wait, measured or expected. */
  waitMs(now: number): number
}

/** The queues of one database: of its sessions, and of the writers that batch calls. */
export interface Queues {
  add(queue: Queue): void
  /** The longest wait in a queue of more than a few callers. */
  waitMs(): number
}

/** Fewer callers wait for a pause of the machine or of the database, which ends no sooner when others are refused. */
const CALLERS_OF_A_QUEUE = 20

export function createQueues(): Queues {
  const queues: Queue[] = []
  return {
    add: (queue) => void queues.push(queue),
    waitMs() {
      const now = performance.now()
      const full = queues.filter((queue) => queue.length() >= CALLERS_OF_A_QUEUE)
      return full.reduce((longest, queue) => Math.max(longest, queue.waitMs(now)), 0)
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
  queues.add({
    length: () => waiting.size,
    waitMs: (now) => now - (waiting.values().next().value?.since ?? now),
  })
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
