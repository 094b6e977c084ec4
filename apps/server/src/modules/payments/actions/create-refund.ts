import { RefundId } from '@muripo/contract/ids'
import type { CreateRefund } from '@muripo/contract/refunds'
import { AppError, invariant } from '../../../platform/errors.ts'
import { type KeptAnswer, type KeyOwner, keyedRequest, once } from '../../applications/index.ts'
import { CALL_LEASE_MS } from '../../providers/index.ts'
import type { PaymentsCtx } from '../context.ts'
import { lockPayment } from '../store.ts'
import { findRefund } from '../store-refunds.ts'
import { toPublicRefund } from '../wire.ts'
import { type OpenedRefund, openRefund, refundAmount, restOf } from './open-refund.ts'
import { sendRefund } from './send-refund.ts'

/**
 * Gives a payment back, all that is left of it or a part, for a merchant's server. It is answered with what the provider said first;
 * under an Idempotency-Key the same request is one refund.
 * @throws AppError not_found, payment_not_refundable, refund_mismatch, refund_exceeds_rest, and what a key may be refused with
 */
export async function createRefund(
  ctx: PaymentsCtx,
  caller: KeyOwner,
  input: CreateRefund,
  idempotencyKey: string | undefined,
): Promise<KeptAnswer> {
  let opened: OpenedRefund | null = null
  let landed = () => {}
  try {
    return await once(ctx, caller, keyedRequest(idempotencyKey, 'POST /refunds', input), {
      kind: RefundId,
      answerMs: CALL_LEASE_MS,
      commit: (id, claim) =>
        ctx.db.tx(async (tx) => {
          // What an earlier beginning of this transaction left behind was undone.
          opened = null
          landed()
          await claim(tx)
          const payment = await lockPayment(tx, caller.merchantId, input.payment)
          if (payment?.applicationId !== caller.applicationId) throw new AppError('not_found')
          const amount = input.amount === undefined ? restOf(payment) : refundAmount(payment, input.amount)
          opened = await openRefund(ctx, tx, payment, { id, amount, reason: input.reason ?? null })
          landed = ctx.refundFlights.begin(id)
        }),
      answer: async (id) => {
        if (opened) await sendRefund(ctx, opened)
        else await ctx.refundFlights.join(id)
        const refund = await findRefund(ctx.db.kysely, caller.merchantId, id)
        invariant(refund, 'a refund is never deleted')
        return { status: 201, json: JSON.stringify(toPublicRefund(refund)) }
      },
    })
  } finally {
    landed()
  }
}
