import { plusMs } from '../../platform/clock.ts'
import { checkAttempt } from './actions/check-attempt.ts'
import { checkRefund } from './actions/check-refund.ts'
import type { PaymentsCtx } from './context.ts'
import { takeDueAttempts, takeDueRefunds } from './store-provider-calls.ts'

/** How long a process has a taken attempt to itself. It is longer than any call to a provider. */
const LEASE_MS = 60_000
const BATCH = 20

/**
 * Looks up what is due. The schedule stands in the rows themselves, so a start after a crash takes up every open charge, and several
 * processes share the work without knowing of one another.
 */
export async function checkDue(ctx: PaymentsCtx): Promise<void> {
  const now = ctx.clock.now()
  const leaseUntil = plusMs(now, LEASE_MS)
  const attempts = await takeDueAttempts(ctx.db.kysely, now, leaseUntil, BATCH)
  const refunds = await takeDueRefunds(ctx.db.kysely, now, leaseUntil, BATCH)
  const checks = [
    ...attempts.map(({ merchantId, id }) => checkAttempt(ctx, merchantId, id)),
    ...refunds.map(({ merchantId, id }) => checkRefund(ctx, merchantId, id)),
  ]
  for (const result of await Promise.allSettled(checks)) {
    // One that failed comes up again when its lease ends.
    if (result.status === 'rejected') ctx.log.error({ err: result.reason }, 'a look-up failed')
  }
}
