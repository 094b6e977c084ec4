import type pg from 'pg'
import { QueueFull } from './failures.ts'

/** The setting is sent after the connect, because an older server refuses a session whose start-up options contain it. */
export async function limitTransactions(client: pg.ClientBase, mostMs: number): Promise<void> {
  await client.query(
    "select set_config(name, $1, false) from pg_settings where name = 'transaction_timeout'",
    [String(mostMs)],
  )
}

/** At most so many callers wait for a session; each waits for at most five seconds. */
const MOST_WAITING = 1000

/** Without a limit, the callers of a database that hangs would accumulate in memory. */
export function boundQueue(pool: pg.Pool): void {
  type Callback = (error: Error) => void
  const connect = pool.connect.bind(pool) as (callback?: Callback) => unknown
  const bounded = (callback?: Callback): unknown => {
    if (pool.waitingCount < MOST_WAITING) return connect(callback)
    if (!callback) return Promise.reject(new QueueFull())
    callback(new QueueFull())
    return undefined
  }
  pool.connect = bounded as typeof pool.connect
}
