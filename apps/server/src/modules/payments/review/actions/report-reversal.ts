import type { AccountId, PaymentId } from '@muripo/contract/ids'
import { add, type Money, money, toDecimal } from '@muripo/contract/money'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { PaymentsCtx } from '../../context.ts'
import { paidAmountOf } from '../../payment/payment.ts'
import { lockState } from '../../payment/state.ts'
import { returnedOf, reversedOf } from '../../payment/store-anomalies.ts'
import { bookedAmount } from '../store-booked.ts'
import { reviewReturned } from './review-charge.ts'

/**
 * none: the account has no such completed payment. known: the amount was reported before. too_much: more than the charge and its refunds leave.
 */
export type ReversalReported = 'opened' | 'known' | 'none' | 'too_much'

/**
 * Reports a reversal from the provider's statement. Some protocols report none. The report is handled like a provider's reply: it opens an
 * anomaly and emits the event, and books nothing.
 * @param total the amount that the provider has reversed so far, so that a repeated report changes nothing
 */
export function reportReversal(
  ctx: PaymentsCtx,
  operator: Actor,
  { accountId, paymentId }: { readonly accountId: AccountId; readonly paymentId: PaymentId },
  total: Money,
  reason: string,
): Promise<ReversalReported> {
  return ctx.db.tx(async (tx) => {
    const state = await lockState(tx, accountId, paymentId)
    const charge = state?.attempts.find(({ status }) => status === 'completed')
    if (!state || !charge) return 'none'
    const amount = paidAmountOf(state.payment)
    const { done, open } = await returnedOf(tx, charge)
    const returned = done + open
    if (total.minor <= 0n || total.minor > amount.minor - returned) return 'too_much'
    const reversedSoFar = () => reversedOf(tx, state.payment, charge)
    const before = await reversedSoFar()
    const about = { payment: state.payment, attempt: charge }
    await reviewReturned(ctx, tx, about, {
      outcome: 'reversed',
      providerStatus: `reported by an operator: ${reason}`,
      // The operator names the amount besides the refunds on request.
      echo: add(total, money(returned, total.currency)),
      isExact: true,
      booked: await bookedAmount(tx, about),
    })
    if ((await reversedSoFar()) <= before) return 'known'
    const details = { amount: toDecimal(total), reason }
    await audit(ctx, tx, operator, {
      action: 'payment.reversal_reported',
      subject: paymentId,
      accountId,
      details,
    })
    return 'opened'
  })
}
