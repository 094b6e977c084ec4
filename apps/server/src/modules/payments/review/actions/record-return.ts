import type { AnomalyId, PaymentId } from '@muripo/contract/ids'
import { type Money, toDecimal } from '@muripo/contract/money'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import { invariant } from '../../../../platform/errors.ts'
import type { PaymentsCtx } from '../../context.ts'
import { findReversedCharges } from '../../payment/store-anomalies.ts'
import { findAttempt } from '../../payment/store-attempts.ts'
import { lockPayment } from '../../payment/store-payment.ts'
import { bookReturn } from './book-reversal.ts'

/** none: no reversal of such a payment is booked. several: the operator must name a review. too_much: more than the booked amount. */
export type ReturnRecorded = 'done' | 'none' | 'several' | 'too_much'

/**
 * Records that the provider returned an amount of a booked reversal: the amount is the merchant's again, and can be refunded.
 * @param anomalyId the review whose charge is meant, when reversals of several charges of the payment are booked
 */
export async function recordReturn(
  ctx: PaymentsCtx,
  operator: Actor,
  paymentId: PaymentId,
  anomalyId: AnomalyId | null,
  { amount, reason }: { readonly amount: Money; readonly reason: string },
): Promise<ReturnRecorded> {
  const found = await findReversedCharges(ctx.db.kysely, paymentId)
  const meant = anomalyId === null ? found : found.filter(({ anomalyIds }) => anomalyIds.includes(anomalyId))
  const [charge] = meant
  if (!charge) return 'none'
  if (meant.length > 1) return 'several'
  const { accountId, attemptId } = charge
  return ctx.db.tx(async (tx) => {
    const payment = await lockPayment(tx, accountId, paymentId)
    const attempt = await findAttempt(tx, accountId, attemptId)
    invariant(payment && attempt, 'payments and attempts are never deleted')
    const booked = await bookReturn(ctx, tx, { payment, attempt }, amount, reason)
    if (booked === null) return 'too_much'
    await audit(ctx, tx, operator, {
      action: 'payment.reversal_returned',
      subject: paymentId,
      accountId,
      details: { amount: toDecimal(amount), reason },
    })
    return 'done'
  })
}
