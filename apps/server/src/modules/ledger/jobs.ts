import type { Ctx } from '../../platform/ctx.ts'
import { trialBalance } from './actions/trial-balance.ts'
import { foldTransfers } from './store-balances.ts'

const FOLD_BATCH = 5000
/** A folder that is far behind lets its process stop in between. */
const MOST_FOLDS = 20

/** Adds new transfers to the balances. Each batch is a transaction, so a crash leaves all of it or nothing. */
export async function foldLedger(ctx: Pick<Ctx, 'db'>): Promise<void> {
  for (let folds = 0; folds < MOST_FOLDS; folds += 1) {
    if ((await foldTransfers(ctx.db.kysely, FOLD_BATCH)) < FOLD_BATCH) return
  }
}

/** Sums all transfers and compares. What differs is said as loudly as can be and mended by nobody: it must be understood first. */
export async function compareLedger(ctx: Pick<Ctx, 'db' | 'log'>): Promise<void> {
  for (const tests of [false, true]) {
    for (const fault of (await trialBalance(ctx, { merchantId: null, tests })).faults) {
      ctx.log.error({ fault, tests }, 'the ledger is out of balance; a person has to look')
    }
  }
}
