import type { Ctx } from '../../platform/ctx.ts'
import type { PeriodicTask } from '../../platform/jobs/periodic-task.ts'
import { trialBalance } from './actions/trial-balance.ts'
import type { LedgerComparison } from './comparison.ts'
import { addTransfers, balancesLagMs, type LedgerScope, type LongTimeout } from './store-balances.ts'

export const ledgerTasks = (ctx: Pick<Ctx, 'db' | 'log'>): PeriodicTask[] => [
  { name: 'aggregate-ledger-balances', pauseMs: 1000, run: () => aggregateLedgerBalances(ctx) },
  { name: 'report-balances-lag', pauseMs: 60_000, run: () => reportBalancesLag(ctx) },
]

const AGGREGATE_BATCH = 5000
/** The limit lets a process stop while it aggregates many transfers. */
const MOST_BATCHES = 20

/** Adds new transfers to the balances. Each batch is a transaction, so a crash leaves a whole batch or nothing. */
export async function aggregateLedgerBalances(ctx: Pick<Ctx, 'db'>): Promise<void> {
  for (let batches = 0; batches < MOST_BATCHES; batches += 1) {
    if ((await addTransfers(ctx.db.kysely, AGGREGATE_BATCH)) < AGGREGATE_BATCH) return
  }
}

const BEHIND_MS = 60_000

/** Logs the age of the oldest transfer that is not in the balances. Readers add the transfers that are missing there themselves. */
async function reportBalancesLag(ctx: Pick<Ctx, 'db' | 'log'>): Promise<void> {
  const lagMs = Math.round(await balancesLagMs(ctx.db.kysely))
  if (lagMs > BEHIND_MS) ctx.log.error({ lagMs }, 'the balances are behind the transfers')
}

export interface ComparisonCtx extends Pick<Ctx, 'db' | 'log' | 'clock'> {
  readonly ledgerComparison: LedgerComparison
}

const WHOLE_LEDGER_MS = 900_000

/**
 * Compares the ledger of all merchants, for live and for test environments. A comparison that fails is logged as an error too: silence
 * would be taken for balance.
 * @param signal aborts the comparison, also during a statement
 */
export async function eachLedgerScope(
  ctx: Pick<Ctx, 'log'>,
  signal: AbortSignal | undefined,
  checkLedger: (scope: LedgerScope, timeout: LongTimeout) => Promise<void>,
): Promise<void> {
  for (const tests of [false, true]) {
    try {
      await checkLedger({ merchantId: null, tests }, { mostMs: WHOLE_LEDGER_MS, ...(signal && { signal }) })
    } catch (error) {
      if (signal?.aborted) return
      ctx.log.error({ err: error, tests }, 'the ledger could not be compared')
    }
  }
}

/**
 * Sums all transfers and compares them with the balances. A difference is logged as an error and not repaired: its cause must be found
 * first.
 */
export const compareLedger = (ctx: ComparisonCtx, signal?: AbortSignal): Promise<void> =>
  eachLedgerScope(ctx, signal, async (scope, timeout) => {
    const { faults } = await trialBalance(ctx, scope, timeout)
    ctx.ledgerComparison.record('balances', scope.tests, faults.length, ctx.clock.now())
    for (const fault of faults) {
      ctx.log.error({ fault, tests: scope.tests }, 'the ledger is out of balance; an operator has to look')
    }
  })
