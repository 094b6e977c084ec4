import { type MerchantId, type PaymentId, RefundId } from '@muripo/contract/ids'
import { equals, type Money, toMajor } from '@muripo/contract/money'
import type { Actor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import { AppError, invariant } from '../../../platform/errors.ts'
import type { PaymentsCtx } from '../context.ts'
import { isOpenRefund } from '../machine.ts'
import type { Payment, Refund } from '../payment.ts'
import { findPayment, lockPayment } from '../store.ts'
import { findRefund, refundsOf } from '../store-refunds.ts'
import { type OpenedRefund, openRefund, refundAmount } from './open-refund.ts'
import { sendRefund } from './send-refund.ts'

interface RefundInput {
  readonly amount: number
  readonly currency: Money['currency']
  /** In major units. */
  readonly amountRefunded?: number | undefined
}

/**
 * Gives a completed payment back, all of it or a part, for somebody at the dashboard. Whoever asks again while a refund of the same
 * amount is under way joins that one; whoever says what had been given back before is refused when that is no longer so, for then the
 * answer to the first request was lost, or somebody else was faster.
 * @returns the payment as it stands, and whether the refund is done or still open
 * @throws AppError not_found, payment_not_refundable, refund_mismatch, refund_exceeds_rest, refund_outdated, refund_declined
 */
export async function refundPayment(
  ctx: PaymentsCtx,
  actor: Actor,
  merchantId: MerchantId,
  paymentId: PaymentId,
  input: RefundInput,
): Promise<{ payment: Payment; isDone: boolean }> {
  let landed = () => {}
  // Announced before the commit shows the refund to others: whoever sees it finds something to wait for.
  const announce = (refund: Refund) => {
    // One that was announced for a transaction that was undone never flies.
    landed()
    landed = ctx.refundFlights.begin(refund.id)
  }
  let id: RefundId
  try {
    const { joined, opened } = await openOrJoin(ctx, actor, merchantId, paymentId, input, announce)
    id = joined
    if (opened) await sendRefund(ctx, opened)
    else await ctx.refundFlights.join(joined)
  } finally {
    landed()
  }
  const refund = await findRefund(ctx.db.kysely, merchantId, id)
  const payment = await findPayment(ctx.db.kysely, merchantId, paymentId)
  invariant(refund && payment, 'payments and refunds are never deleted')
  if (refund.status === 'failed') throw new AppError('refund_declined')
  return { payment, isDone: refund.status === 'completed' }
}

function openOrJoin(
  ctx: PaymentsCtx,
  actor: Actor,
  merchantId: MerchantId,
  paymentId: PaymentId,
  input: RefundInput,
  announce: (refund: Refund) => void,
): Promise<{ joined: RefundId; opened: OpenedRefund | null }> {
  return ctx.db.tx(async (tx) => {
    const payment = await lockPayment(tx, merchantId, paymentId)
    if (payment === null) throw new AppError('not_found')
    if (payment.status !== 'completed') throw new AppError('payment_not_refundable')
    const amount = refundAmount(payment, input.amount, input.currency)
    const same = (await refundsOf(tx, merchantId, paymentId)).find(
      (refund) => isOpenRefund(refund.status) && equals(refund.amount, amount),
    )
    if (same) return { joined: same.id, opened: null }
    if (input.amountRefunded !== undefined && input.amountRefunded !== toMajor(payment.refunded))
      throw new AppError('refund_outdated')

    const id = ctx.ids.next(RefundId)
    const opened = await openRefund(ctx, tx, payment, { id, amount, reason: null })
    await audit(ctx, tx, actor, {
      action: 'payment.refund_opened',
      subject: paymentId,
      merchantId,
      details: { refundId: id, amount: input.amount, currency: input.currency },
    })
    announce(opened.refund)
    return { joined: id, opened }
  })
}
