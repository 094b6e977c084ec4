import type { AccountId } from '@muripo/contract/ids'
import { createPermits } from '../limits/permits.ts'
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
