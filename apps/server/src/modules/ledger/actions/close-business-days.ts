import type { Ctx } from '../../../platform/ctx.ts'
import { closeDays, openDay } from '../store-days.ts'
import { aggregateLedgerBalances } from './aggregate-ledger-balances.ts'

/** A day that stays open for longer after its cut-off is an error. */
const OVERDUE_MS = 600_000

/**
 * Closes the business days whose cut-off has passed. The transfers before it are added in batches first, so that the transaction that closes
 * is short. Every worker calls it, and one statement of the database closes: a process that dies has closed nothing, and a second one finds
 * nothing to close.
 * @returns the number of closed days
 */
export async function closeBusinessDays(ctx: Pick<Ctx, 'db' | 'log' | 'config'>): Promise<number> {
  const { settlementCutOff } = ctx.config
  const { date, overdueMs } = await openDay(ctx.db.kysely, settlementCutOff)
  if (overdueMs < 0) return 0
  if (overdueMs > OVERDUE_MS)
    ctx.log.error({ date, overdueMs }, 'a business day was not closed at its cut-off')
  await aggregateLedgerBalances(ctx)
  const closed = await closeDays(ctx.db.kysely, settlementCutOff)
  if (closed > 0) ctx.log.info({ date, days: closed }, 'closed the business day')
  return closed
}
