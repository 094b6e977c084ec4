import { RefundId } from '@muripo/contract/ids'
import type { Tx } from '../../../../platform/db/database.ts'
import { uuidOf } from '../../../../platform/ids.ts'
import { clearing } from '../../../ledger/index.ts'
import type { PaymentsCtx } from '../../context.ts'
import type { Attempt, LockedPayment } from '../../payment.ts'
import { startSending } from '../../provider-calls/sending.ts'
import { applyChange } from '../../store-change-set.ts'
import { newRefund, type OpenedRefund } from './open-refund.ts'

/**
 * Opens the refund of a second success on a locked, completed payment. The second amount is owed to the payer and was never the merchant's:
 * it is booked as such, and its refund is opened in the same commit. The caller passes the refund to sendRefund after its commit; after a
 * crash in between, the refund is looked up and ends with an operator.
 * @param attempt with the provider's present reference
 */
export async function openDuplicateRefund(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  attempt: Attempt,
): Promise<OpenedRefund> {
  const sendingStart = startSending(ctx)
  const refund = newRefund(ctx, payment, attempt, {
    id: ctx.ids.next(RefundId),
    amount: attempt.amount,
    reason: 'Paid twice',
    requestedBy: null,
    origin: 'duplicate',
    isWhole: true,
  })
  await applyChange(ctx, tx, {
    payment,
    at: payment.lockedAt,
    openedRefund: refund,
    transfers: [
      {
        kind: 'duplicate_capture',
        debit: clearing(attempt.provider),
        credit: 'refunds.payable',
        amount: refund.amount,
        paymentId: payment.id,
        causeId: uuidOf(refund.id),
      },
    ],
  })
  return { refund, charge: attempt, sendingStart }
}
