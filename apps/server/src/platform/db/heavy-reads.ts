import type { AccountId } from '@muripo/contract/ids'
import { AppError } from '../errors.ts'
import type { Database, Queryable } from './database.ts'

/** Two reads of a merchant run at once; ten more wait for at most five seconds. */
const HEAVY_READS = { atOnce: 2, waiting: 10, waitMs: 5000 }

/**
 * Runs a read whose duration grows with the merchant's data: a list with filters, a count, a search, figures. `read` executes one statement
 * after another, so that a merchant occupies two sessions at most.
 * @throws AppError rate_limited
 */
export type HeavyReads = <Result>(
  accountId: AccountId,
  read: (q: Queryable) => Promise<Result>,
) => Promise<Result>

export function createHeavyReads(reads: Database): HeavyReads {
  const permits = createPermits(HEAVY_READS)
  return (accountId, read) => permits(accountId, () => read(reads.kysely))
}

export interface PermitLimits {
  /** The number of concurrent reads of one holder. */
  readonly atOnce: number
  /** The number of further reads of one holder that wait, and the longest wait. */
  readonly waiting: number
  readonly waitMs: number
}

/** Runs work of a holder, waits until less work of the same holder runs, or throws rate_limited. */
export type Permits = <Result>(holder: string, work: () => Promise<Result>) => Promise<Result>

interface Waiting {
  readonly start: () => void
  readonly timer: NodeJS.Timeout
}

interface Holder {
  running: number
  readonly waiting: Waiting[]
}

/** A semaphore for each holder, in this process: one holder's work never delays the work of another. */
export function createPermits({ atOnce, waiting: mostWaiting, waitMs }: PermitLimits): Permits {
  const holders = new Map<string, Holder>()

  function holderOf(name: string): Holder {
    const known = holders.get(name)
    if (known) return known
    const holder: Holder = { running: 0, waiting: [] }
    holders.set(name, holder)
    return holder
  }

  function turnOf({ waiting }: Holder): Promise<void> {
    if (waiting.length >= mostWaiting) throw refused(waitMs)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(entry), 1)
        reject(refused(waitMs))
      }, waitMs)
      const entry: Waiting = { start: resolve, timer }
      waiting.push(entry)
    })
  }

  /** The permit passes to the work that has waited longest. */
  function release(name: string, holder: Holder): void {
    const next = holder.waiting.shift()
    if (next) {
      clearTimeout(next.timer)
      next.start()
      return
    }
    holder.running -= 1
    if (holder.running === 0) holders.delete(name)
  }

  return async (name, work) => {
    const holder = holderOf(name)
    if (holder.running < atOnce) holder.running += 1
    else await turnOf(holder)
    try {
      return await work()
    } finally {
      release(name, holder)
    }
  }
}

const refused = (waitMs: number): AppError =>
  new AppError('rate_limited', {
    detail: 'Too many searches of this account are running. Please wait a moment and try again',
    headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) },
  })
