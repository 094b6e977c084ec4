import type { RefundId } from '@muripo/contract/ids'
import { type Money, money, toDecimal } from '@muripo/contract/money'
import type { Actor } from '../../../platform/audit/actor.ts'
import type { PaymentsCtx } from '../context.ts'
import { changePayment, type Decided } from '../payment/commit.ts'
import { bookDifference } from '../payment/decide/booked.ts'
import type { Effects } from '../payment/effects.ts'
import { refundIn, wholeOf } from '../payment/state.ts'
import { findOperatorRefund } from '../review/store-in-review.ts'

/** unpaid: the provider has not paid the refund after its failure. over: already resolved. */
export type LateRefundClosed = 'done' | 'unpaid' | 'over' | 'none'

/**
 * Resolves a failed refund that its provider paid late, after its amount had been refunded otherwise. The provider's payment is booked
 * against suspense, so that clearing equals the provider's balance; the operator moves it from suspense.
 * @param how the operator's reason
 * @param paid the amount that the provider paid and has not reversed; null for the refund's own amount
 */
export async function closeLateRefund(
  ctx: PaymentsCtx,
  operator: Actor,
  id: RefundId,
  how: string,
  paid: Money | null = null,
): Promise<LateRefundClosed> {
  const named = await findOperatorRefund(ctx.db.kysely, id)
  if (named === null) return 'none'
  return changePayment(
    ctx,
    () => wholeOf(ctx.db.kysely, named),
    (state): Decided<LateRefundClosed> => {
      const { refund, charge, at } = refundIn(state, id)
      if (refund.paidLateAt === null) return { effects: null, result: () => 'unpaid' }
      if (refund.settledAt !== null) return { effects: null, result: () => 'over' }
      const { minor, currency } = paid ?? refund.amount
      const out = { difference: money(-minor, currency), actor: operator, reason: how }
      const entry = {
        action: 'refund.settled_by_operator',
        subject: id,
        accountId: refund.accountId,
        details: { how, reference: refund.providerReference, amount: toDecimal(money(minor, currency)) },
      } as const
      const effects: Effects = {
        refund: { before: refund, change: { settledAt: at } },
        ...bookDifference(ctx, state, { call: refund, provider: charge.provider, ...out }),
        audited: [{ actor: operator, entry }],
      }
      return { effects, result: () => 'done' }
    },
  )
}
