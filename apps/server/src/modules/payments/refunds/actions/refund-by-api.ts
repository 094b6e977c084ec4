import { RefundId } from '@muripo/contract/ids'
import { toMajor } from '@muripo/contract/money'
import type { CreateRefund } from '@muripo/contract/refunds'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import { AppError, invariant } from '../../../../platform/errors.ts'
import {
  confirmKey,
  executeIdempotent,
  type IdempotentResponse,
  type KeyOwner,
  keyedRequest,
} from '../../../applications/index.ts'
import { CALL_LEASE_MS } from '../../../providers/index.ts'
import type { PaymentsCtx } from '../../context.ts'
import type { LockedPayment, Refund } from '../../payment.ts'
import { resolvingCommit } from '../../provider-calls/unknown-commit.ts'
import { lockPayment } from '../../store.ts'
import { toPublicRefund } from '../../wire.ts'
import { remainingOf } from '../decide-refund.ts'
import { latestOf, repetitionOf, requesterOfRemaining } from '../repeated-refund.ts'
import { findRefund, refundsOf } from '../store-refunds.ts'
import { type OpenedRefund, openRefund, refundAmount } from './open-refund.ts'
import { sendRefund } from './send-refund.ts'

/**
 * Refunds a payment, its remaining amount or a part, for a merchant's server. The response contains the provider's first reply. Under an
 * Idempotency-Key the same request is one refund; without a key, the same request of the same application key within ten minutes is one
 * refund.
 * @throws AppError not_found, payment_not_refundable, refund_mismatch, refund_exceeds_remaining, refund_conflict, and the errors of
 * idempotency keys
 */
export async function createRefund(
  ctx: PaymentsCtx,
  caller: KeyOwner,
  input: CreateRefund,
  idempotencyKey: string | undefined,
  sent: unknown = input,
  actor: Actor | null = null,
): Promise<IdempotentResponse> {
  let opened: OpenedRefund | null = null
  let repeated: Refund | undefined
  const requestedBy = idempotencyKey === undefined ? caller.keyId : undefined
  let endSending = () => {}
  try {
    const given = await executeIdempotent(
      ctx,
      caller,
      keyedRequest(idempotencyKey, 'POST /refunds', { sent, input }),
      {
        kind: RefundId,
        responseMs: CALL_LEASE_MS,
        commit: (id, claim) =>
          resolvingCommit(
            ctx,
            { accountId: caller.accountId, paymentId: input.payment },
            () =>
              ctx.db.tx(async (tx) => {
                // A retried transaction starts here again, after the database rolled the earlier run back.
                opened = null
                endSending()
                await claim(tx)
                const payment = await lockPayment(tx, caller.accountId, input.payment)
                // The key may have been replaced while this transaction waited for the lock of the payment.
                await confirmKey(tx, caller)
                if (payment?.applicationId !== caller.applicationId) throw new AppError('not_found')
                const refunds =
                  requestedBy === undefined ? [] : await refundsOf(tx, caller.accountId, payment.id)
                repeated = repetition(payment, refunds, input, requestedBy)
                if (repeated) return
                const amount =
                  input.amount === undefined ? remainingOf(payment) : refundAmount(payment, input.amount)
                const reason = input.reason ?? null
                const requester =
                  requestedBy !== undefined && input.amount === undefined
                    ? requesterOfRemaining(requestedBy)
                    : requestedBy
                opened = await openRefund(ctx, tx, payment, { id, amount, reason, requestedBy: requester })
                if (actor) {
                  await audit(ctx, tx, actor, {
                    action: 'payment.refund_opened',
                    subject: payment.id,
                    accountId: caller.accountId,
                    details: { refundId: id, amount: toMajor(amount), currency: amount.currency },
                  })
                }
                endSending = ctx.refundSingleflight.begin(id)
              }),
            async (tx) => ((await findRefund(tx, caller.accountId, id)) ? undefined : null),
          ),
        respond: async (id) => {
          const asked = repeated?.id ?? id
          if (opened) await sendRefund(ctx, opened)
          else await ctx.refundSingleflight.join(asked)
          const refund = await findRefund(ctx.db.kysely, caller.accountId, asked)
          invariant(refund, 'a refund is never deleted')
          return { status: 201, json: JSON.stringify(toPublicRefund(refund)) }
        },
      },
    )
    return repeated ? { ...given, replayed: true } : given
  } finally {
    endSending()
  }
}

/** A request for the remaining amount is repeated when nothing remains. */
function repetition(
  payment: LockedPayment,
  refunds: readonly Refund[],
  { amount }: CreateRefund,
  requestedBy: string | undefined,
): Refund | undefined {
  if (amount !== undefined && payment.completedAt !== null)
    return repetitionOf(refunds, refundAmount(payment, amount), requestedBy, payment.lockedAt)
  return remainingOf(payment).minor === 0n ? latestOf(refunds, requestedBy, payment.lockedAt) : undefined
}
