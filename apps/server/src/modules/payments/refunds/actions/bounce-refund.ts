import { RefundId } from '@muripo/contract/ids'
import { add, subtract } from '@muripo/contract/money'
import type { Tx } from '../../../../platform/db/database.ts'
import { uuidOf } from '../../../../platform/ids.ts'
import { clearing } from '../../../ledger/index.ts'
import type { PaymentsCtx } from '../../context.ts'
import { applyChange } from '../../payment/commit.ts'
import { afterMove } from '../../payment/moves.ts'
import { BY_OPERATOR } from '../../payment/outcome.ts'
import type { Attempt, LockedPayment, Refund } from '../../payment/payment.ts'
import { changedRefund, updateRefund } from '../../payment/store-refunds.ts'
import { toPublicRefund } from '../../payment/wire.ts'
import { newRefund } from './open-refund.ts'

/** A completed refund and its charge, behind the lock of their payment. */
interface Completed {
  readonly payment: LockedPayment
  readonly refund: Refund
  readonly charge: Attempt
}

/**
 * Fails a completed refund whose amount came back to the provider's account. The amount is owed to the payer again: another refund of the
 * same amount replaces the bounced one, and waits for an operator, because the provider has failed to pay it once.
 */
export async function bounceRefund(
  ctx: PaymentsCtx,
  tx: Tx,
  { payment, refund, charge }: Completed,
  reason: string,
): Promise<Refund> {
  const at = payment.lockedAt
  const change = {
    status: 'failed',
    failureReason: 'declined',
    providerStatus: BY_OPERATOR + reason,
    bouncedAt: at,
  } as const
  // The trigger of the next refund counts the refunds of the charge, so the bounced one ends first.
  await updateRefund(tx, refund, change, at)
  const { id, amount, origin } = refund
  const next = newRefund(payment, charge, {
    id: ctx.ids.next(RefundId),
    amount,
    origin,
    reason: refund.reason,
    requestedBy: null,
    isSent: false,
    replacesId: id,
  })
  await applyChange(ctx, tx, {
    payment,
    at,
    openedRefund: next,
    transfers: [
      {
        kind: 'refund_bounced',
        debit: clearing(charge.provider),
        credit: 'refunds.payable',
        amount,
        paymentId: payment.id,
        causeId: uuidOf(next.id),
      },
    ],
    // The amount of a duplicate was never in the merchant's balance.
    ...(origin !== 'duplicate' && {
      change: {
        refunded: subtract(payment.refunded, amount),
        refundPending: add(payment.refundPending, amount),
        ...(payment.status === 'refunded' && { status: afterMove(payment.status, 'bounce') }),
      },
      event: {
        type: 'refund.failed',
        besides: {
          refund: toPublicRefund(changedRefund(refund, change, at)),
          replacement: toPublicRefund(next),
        },
      },
    }),
  })
  return next
}
