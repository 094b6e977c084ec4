import { RefundId } from '@muripo/contract/ids'
import { add, subtract } from '@muripo/contract/money'
import { uuidOf } from '../../../../platform/ids.ts'
import { clearing } from '../../../ledger/index.ts'
import type { PaymentCtx } from '../context.ts'
import { changedRefund, type Effects } from '../effects.ts'
import { afterMove } from '../moves.ts'
import { BY_OPERATOR } from '../outcome.ts'
import type { Refund } from '../payment.ts'
import type { RefundState } from '../state.ts'
import { toPublicRefund } from '../wire.ts'
import { newRefund } from './open-refund.ts'

/**
 * Fails a completed refund whose amount came back to the provider's account. The amount is owed to the payer again: another refund of the
 * same amount replaces the bounced one, and waits for an operator, because the provider has failed to pay it once.
 */
export function bounceRefund(
  ctx: Pick<PaymentCtx, 'ids'>,
  { payment, refund, charge, at }: RefundState,
  reason: string,
): { readonly effects: Effects; readonly replacement: Refund } {
  const change = {
    status: 'failed',
    failureReason: 'declined',
    providerStatus: BY_OPERATOR + reason,
    bouncedAt: at,
  } as const
  const { id, amount, origin } = refund
  const replacement = newRefund(payment, charge, at, {
    id: ctx.ids.next(RefundId),
    amount,
    origin,
    reason: refund.reason,
    requestedBy: null,
    isSent: false,
    replacesId: id,
  })
  const effects: Effects = {
    refund: { before: refund, change },
    openedRefund: replacement,
    transfers: [
      {
        kind: 'refund_bounced',
        debit: clearing(charge.provider),
        credit: 'refunds.payable',
        amount,
        paymentId: payment.id,
        causeId: uuidOf(replacement.id),
      },
    ],
    // The amount of a duplicate was never in the merchant's balance.
    ...(origin !== 'duplicate' && {
      change: {
        refunded: subtract(payment.refunded, amount),
        refundPending: add(payment.refundPending, amount),
        ...(payment.status === 'refunded' && { status: afterMove(payment.status, 'bounce') }),
      },
      events: [
        {
          type: 'refund.failed',
          besides: {
            refund: toPublicRefund(changedRefund(refund, change, at)),
            replacement: toPublicRefund(replacement),
          },
        },
      ],
    }),
  }
  return { effects, replacement }
}
