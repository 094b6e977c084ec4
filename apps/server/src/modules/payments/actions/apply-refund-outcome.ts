import type { PaymentsCtx } from '../context.ts'
import { changePayment } from '../payment/commit.ts'
import { decideRefund } from '../payment/decide/refund-reply.ts'
import type { CallOutcome, OperatorRefundDecision } from '../payment/outcome.ts'
import type { Refund } from '../payment/payment.ts'
import { refundIn, type WholeState, wholeOf } from '../payment/state.ts'
import { reviewRefundReference } from './prove-by-reference.ts'

/** isPaid: the provider has paid the refund, now or before. */
interface Applied {
  readonly isFinal: boolean
  readonly isPaid: boolean
}

/**
 * The only function that changes a refund because of an outcome of its call: a reply or a look-up. A repeated outcome changes nothing.
 * @param state of the payment as the call was made, with the present time
 * @returns isFinal: false while a repeated report about a completed refund waits
 */
export async function applyRefundOutcome(
  ctx: PaymentsCtx,
  ref: Pick<Refund, 'accountId' | 'paymentId' | 'id'>,
  outcome: CallOutcome | OperatorRefundDecision,
  state?: WholeState,
): Promise<Applied> {
  const applied = await changePayment(
    ctx,
    () => wholeOf(ctx.db.kysely, ref),
    (from) => {
      const of = refundIn(from, ref.id)
      const { effects, isFinal, isPaid = false } = decideRefund(ctx, of, outcome)
      return { effects, result: () => ({ of, isFinal, isNew: isPaid }) }
    },
    { known: state },
  )
  const { of, isFinal, isNew } = applied
  if (isNew && outcome.kind === 'reply') await reviewRefundReference(ctx, of, outcome.reply.providerReference)
  return { isFinal, isPaid: isNew || of.refund.status === 'completed' }
}
