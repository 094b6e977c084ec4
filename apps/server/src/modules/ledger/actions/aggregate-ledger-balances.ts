import type { Ctx } from '../../../platform/ctx.ts'
import { addTransfers } from '../store-balances.ts'

const AGGREGATE_BATCH = 5000
/** The limit lets a process stop while it aggregates many transfers. */
const MOST_BATCHES = 20

/** Adds new transfers to the balances. Each batch is a transaction, so a crash leaves a whole batch or nothing. */
export async function aggregateLedgerBalances(ctx: Pick<Ctx, 'db'>): Promise<void> {
  for (let batches = 0; batches < MOST_BATCHES; batches += 1) {
    if ((await addTransfers(ctx.db.kysely, AGGREGATE_BATCH)) < AGGREGATE_BATCH) return
  }
}
