import type { AnomalyId, PaymentId } from '@muripo/contract/ids'
import { type Money, toDecimal } from '@muripo/contract/money'
import type { Actor } from '../../../platform/audit/actor.ts'
import type { PaymentsCtx } from '../context.ts'
import { changePayment, type Decided } from '../payment/commit.ts'
import { bookReturn } from '../payment/decide/reversal.ts'
import { attemptIn, wholeOf } from '../payment/state.ts'
import { findReversedCharges, type ReversedCharge } from '../payment/store-anomalies.ts'

/** none: no reversal of such a payment is booked. several: the operator must name a review. too_much: more than the booked amount. */
export type ReturnRecorded = 'done' | 'none' | 'several' | 'too_much'

/** The reversed charges of a payment, or the one of a review. */
export const reversedCharges = async (
  { db }: Pick<PaymentsCtx, 'db'>,
  paymentId: PaymentId,
  anomalyId: AnomalyId | null = null,
): Promise<ReversedCharge[]> =>
  (await findReversedCharges(db.kysely, paymentId)).filter(
    ({ anomalyIds }) => anomalyId === null || anomalyIds.includes(anomalyId),
  )

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
  const meant = await reversedCharges(ctx, paymentId, anomalyId)
  const [charge] = meant
  if (!charge) return 'none'
  if (meant.length > 1) return 'several'
  const { accountId, attemptId } = charge
  const entry = {
    action: 'payment.reversal_returned',
    subject: paymentId,
    accountId,
    details: { amount: toDecimal(amount), reason },
  } as const
  return changePayment(
    ctx,
    () => wholeOf(ctx.db.kysely, { accountId, paymentId }),
    (state): Decided<ReturnRecorded> => {
      const booked = bookReturn(ctx, state, attemptIn(state, attemptId), amount, reason)
      if (booked === null) return { effects: null, result: () => 'too_much' }
      return { effects: { ...booked, audited: [{ actor: operator, entry }] }, result: () => 'done' }
    },
  )
}
