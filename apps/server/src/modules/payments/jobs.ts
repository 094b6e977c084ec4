import { plusMs } from '../../platform/clock.ts'
import { checkAttempt } from './actions/check-attempt.ts'
import { checkRefund } from './actions/check-refund.ts'
import { expirePayment } from './actions/expire-payment.ts'
import type { PaymentsCtx } from './context.ts'
import { findExpired } from './store-expired.ts'
import { foldChanges } from './store-figures.ts'
import { takeDueAttempts, takeDueRefunds } from './store-provider-calls.ts'
import { indexDuePayments } from './store-search.ts'

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

const EXPIRY_BATCH = 100

/** Ends payments whose time is over. What stops half way is found again. */
export async function expireDue(ctx: PaymentsCtx): Promise<void> {
  for (;;) {
    const due = await findExpired(ctx.db.kysely, ctx.clock.now(), EXPIRY_BATCH)
    const ends = await Promise.allSettled(due.map(({ merchantId, id }) => expirePayment(ctx, merchantId, id)))
    const failures = ends.filter((end) => end.status === 'rejected')
    for (const { reason } of failures) ctx.log.error({ err: reason }, 'a payment could not be expired')
    if (due.length < EXPIRY_BATCH || failures.length > 0) return
  }
}

const FOLD_BATCH = 5000
/** A folder that is far behind lets its process stop in between. */
const MOST_FOLDS = 20

/** Brings the totals up to the payments and tells who changed. Each batch is a transaction, so a crash leaves all of it or nothing. */
export async function foldFigures(ctx: Pick<PaymentsCtx, 'db'>): Promise<void> {
  for (let folds = 0; folds < MOST_FOLDS; folds += 1) {
    if ((await foldChanges(ctx.db.kysely, FOLD_BATCH)) < FOLD_BATCH) return
  }
}

const INDEX_BATCH = 10_000

/** Makes ids searchable of merchants who have so many that looking through all of them would take long; one batch, for it is work. */
export async function indexPayments(ctx: Pick<PaymentsCtx, 'db'>): Promise<void> {
  await indexDuePayments(ctx.db.kysely, INDEX_BATCH)
}
