import type { AccountId } from '@muripo/contract/ids'
import type { Ctx } from '../../platform/ctx.ts'
import { isDatabaseAway } from '../../platform/db/failures.ts'
import type { PeriodicTask } from '../../platform/jobs/periodic-task.ts'
import { aggregateLedgerBalances } from './actions/aggregate-ledger-balances.ts'
import { closeBusinessDays } from './actions/close-business-days.ts'
import { discrepanciesOf } from './actions/trial-balance.ts'
import { balancesLagMs, eachEnvironment, type LongTimeout } from './store-balances.ts'
import { type Check, COMPARISON_MS, claimComparison, recordComparison } from './store-comparisons.ts'

export const ledgerTasks = (ctx: Pick<Ctx, 'db' | 'log' | 'config'>): PeriodicTask[] => [
  { name: 'aggregate-ledger-balances', pauseMs: 1000, run: () => aggregateLedgerBalances(ctx) },
  { name: 'close-business-days', pauseMs: 1000, run: async () => void (await closeBusinessDays(ctx)) },
  { name: 'report-balances-lag', pauseMs: 60_000, run: () => reportBalancesLag(ctx) },
]

const BEHIND_MS = 60_000

/** Logs the age of the oldest transfer that is not in the balances. Readers add the transfers that are missing there themselves. */
async function reportBalancesLag(ctx: Pick<Ctx, 'db' | 'log'>): Promise<void> {
  const lagMs = Math.round(await balancesLagMs(ctx.db.kysely))
  if (lagMs > BEHIND_MS) ctx.log.error({ lagMs }, 'the balances are behind the transfers')
}

export type ComparisonCtx = Pick<Ctx, 'db' | 'log'>

/**
 * Compares the ledger of all merchants, for live and for test environments: one environment after the other, each in transactions of its own,
 * so that a snapshot lasts no longer than the comparison of one environment. Several processes share the environments. A comparison that
 * fails is logged as an error and has no result, so that its last result grows old. The other environments are compared nevertheless, unless
 * the database is away.
 * @param signal aborts the comparison, also during a statement
 * @param compare returns the number of discrepancies
 */
export async function compareEnvironments(
  ctx: ComparisonCtx,
  check: Check,
  signal: AbortSignal | undefined,
  compare: (accountId: AccountId, timeout: LongTimeout) => Promise<number>,
): Promise<void> {
  const timeout = { mostMs: COMPARISON_MS, ...(signal && { signal }) }
  for (const tests of [false, true]) {
    const errors: unknown[] = []
    try {
      for await (const accountId of eachEnvironment(ctx.db.kysely, { merchantId: null, tests })) {
        if (!(await claimComparison(ctx.db.kysely, check, accountId))) continue
        try {
          await recordComparison(ctx.db.kysely, check, accountId, await compare(accountId, timeout))
        } catch (error) {
          if (signal?.aborted || isDatabaseAway(error)) throw error
          errors.push(error)
        }
      }
    } catch (error) {
      errors.push(error)
    }
    if (signal?.aborted) return
    if (errors.length > 0) {
      const [err] = errors
      ctx.log.error({ err, environments: errors.length, tests }, 'the ledger could not be compared')
    }
  }
}

/**
 * Sums all transfers and compares them with the balances. A difference is logged as an error and not repaired: its cause must be found
 * first.
 */
export const compareLedger = (ctx: ComparisonCtx, signal?: AbortSignal): Promise<void> =>
  compareEnvironments(ctx, 'balances', signal, async (accountId, timeout) => {
    const discrepancies = await discrepanciesOf(ctx, accountId, timeout)
    for (const discrepancy of discrepancies)
      ctx.log.error({ accountId, discrepancy }, 'the ledger is out of balance; an operator has to look')
    return discrepancies.length
  })
