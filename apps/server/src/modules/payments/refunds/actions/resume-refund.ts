import type { AccountId, RefundId } from '@muripo/contract/ids'
import { plusMs } from '../../../../platform/clock.ts'
import { invariant } from '../../../../platform/errors.ts'
import { findAttempt } from '../../attempts/store-attempts.ts'
import type { PaymentsCtx } from '../../context.ts'
import { SENDING_LEASE_MS, startSending } from '../../provider-calls/sending.ts'
import { lockPayment } from '../../store.ts'
import { changedRefund, findRefund, updateRefund } from '../store-refunds.ts'
import type { OpenedRefund } from './open-refund.ts'
import { sendRefund } from './send-refund.ts'

/** Sends a deferred refund. It is claimed in a commit of its own first: after a crash it is looked up like any refund. */
export async function resumeRefund(ctx: PaymentsCtx, accountId: AccountId, id: RefundId): Promise<void> {
  const claimed = await claim(ctx, accountId, id)
  if (claimed) await sendRefund(ctx, claimed)
}

async function claim(ctx: PaymentsCtx, accountId: AccountId, id: RefundId): Promise<OpenedRefund | null> {
  const sendingStart = startSending(ctx)
  const seen = await findRefund(ctx.db.kysely, accountId, id)
  if (!seen?.isDeferred) return null
  return ctx.db.tx(async (tx) => {
    const payment = await lockPayment(tx, accountId, seen.paymentId)
    const refund = await findRefund(tx, accountId, id)
    const charge = await findAttempt(tx, accountId, seen.attemptId)
    invariant(payment && refund && charge, 'payments, refunds and attempts are never deleted')
    if (!refund.isDeferred) return null
    const now = payment.lockedAt
    const change = { isDeferred: false, nextCheckAt: plusMs(now, SENDING_LEASE_MS) }
    await updateRefund(tx, refund, change, now)
    return { refund: changedRefund(refund, change, now), charge, sendingStart }
  })
}
