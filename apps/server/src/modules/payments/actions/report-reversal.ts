import type { AccountId, PaymentId } from '@muripo/contract/ids'
import { add, type Money, money, toDecimal } from '@muripo/contract/money'
import type { Actor } from '../../../platform/audit/actor.ts'
import type { PaymentsCtx } from '../context.ts'
import { changePayment, type Decided } from '../payment/commit.ts'
import { bookedAmount } from '../payment/decide/booked.ts'
import { returnedOf, reviewReturned } from '../payment/decide/booked-charge.ts'
import { reversedOf } from '../payment/decide/open-refund.ts'
import { both, stateAfter } from '../payment/effects.ts'
import { paidAmountOf } from '../payment/payment.ts'
import { readWhole, type WholeState, wholeOf } from '../payment/state.ts'

/**
 * none: the account has no such completed payment. known: the amount was reported before. too_much: more than the charge and its refunds leave.
 */
export type ReversalReported = 'opened' | 'known' | 'none' | 'too_much'

/**
 * Reports a reversal from the provider's statement. Some protocols report none. The report is handled like a provider's reply: it opens an
 * anomaly and emits the event, and books nothing.
 * @param total the amount that the provider has reversed so far, so that a repeated report changes nothing
 */
export async function reportReversal(
  ctx: PaymentsCtx,
  operator: Actor,
  named: { readonly accountId: AccountId; readonly paymentId: PaymentId },
  total: Money,
  reason: string,
): Promise<ReversalReported> {
  const { accountId, paymentId } = named
  const known = await readWhole(ctx.db.kysely, accountId, paymentId)
  if (known === null) return 'none'
  const entry = {
    action: 'payment.reversal_reported',
    subject: paymentId,
    accountId,
    details: { amount: toDecimal(total), reason },
  } as const
  const decide = (state: WholeState): Decided<ReversalReported> => {
    const charge = state.attempts.find(({ status }) => status === 'completed')
    if (!charge) return { effects: null, result: () => 'none' }
    const { done, open } = returnedOf(state, charge)
    const returned = done + open
    if (total.minor <= 0n || total.minor > paidAmountOf(state.payment).minor - returned)
      return { effects: null, result: () => 'too_much' }
    const { effects } = reviewReturned(ctx, state, charge, {
      outcome: 'reversed',
      providerStatus: `reported by an operator: ${reason}`,
      // The operator names the amount besides the refunds on request.
      echo: add(total, money(returned, total.currency)),
      isExact: true,
      booked: bookedAmount(state, charge),
    })
    if (reversedOf(stateAfter(state, effects), charge) <= reversedOf(state, charge))
      return { effects: null, result: () => 'known' }
    return { effects: both(effects, { audited: [{ actor: operator, entry }] }), result: () => 'opened' }
  }
  return changePayment(ctx, () => wholeOf(ctx.db.kysely, named), decide, { known })
}
