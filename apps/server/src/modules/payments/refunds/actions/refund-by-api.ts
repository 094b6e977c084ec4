import { RefundId } from '@muripo/contract/ids'
import { toMajor } from '@muripo/contract/money'
import type { CreateRefund } from '@muripo/contract/refunds'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { AppError, invariant } from '../../../../platform/errors.ts'
import { confirmKey, type KeyOwner } from '../../../applications/index.ts'
import type { PaymentsCtx } from '../../context.ts'
import { executeIdempotent } from '../../execute-idempotent.ts'
import { type IdempotentResponse, type KeyedRequest, keyedRequest } from '../../idempotency.ts'
import type { LockedPayment, Refund } from '../../payment.ts'
import { lockPayment } from '../../store.ts'
import { toPublicRefund } from '../../wire.ts'
import { remainingOf } from '../decide-refund.ts'
import { latestOf, repetitionOf, requesterOfRemaining } from '../repeated-refund.ts'
import { findRefund, refundsOf } from '../store-refunds.ts'
import { openAndSend } from './open-and-send.ts'
import { type OpenedRefund, openRefund, refundAmount } from './open-refund.ts'

/**
 * Refunds a payment, its remaining amount or a part, for a merchant's server. The response contains the provider's first reply. Under an
 * Idempotency-Key the same request is one refund, and a request that opens no refund leaves the key free; without a key, the same request of
 * the same application key within ten minutes is one refund.
 * @throws AppError not_found, payment_not_refundable, refund_mismatch, refund_exceeds_remaining, refund_conflict, idempotency_mismatch,
 * idempotency_in_flight, and the refusals of a key that may not write
 */
export async function createRefund(
  ctx: PaymentsCtx,
  caller: KeyOwner,
  input: CreateRefund,
  idempotencyKey: string | undefined,
  sent: unknown = input,
  actor: Actor | null = null,
): Promise<IdempotentResponse> {
  const keyed = keyedRequest(caller, idempotencyKey, sent)
  const response = await executeIdempotent(ctx, caller, keyed, {
    table: 'refunds',
    kind: RefundId,
    execute: (refuseKnown) =>
      openAndSend(ctx, { accountId: caller.accountId, paymentId: input.payment }, (tx, id) =>
        openOrFind(ctx, tx, caller, input, id, { keyed, actor, refuseKnown }),
      ),
    respond: async (id) => {
      await ctx.refundSingleflight.join(id)
      const refund = await findRefund(ctx.db.kysely, caller.accountId, id)
      invariant(refund, 'a refund is never deleted')
      return JSON.stringify(toPublicRefund(refund))
    },
  })
  return { status: 201, ...response }
}

interface Request {
  readonly keyed: KeyedRequest | null
  readonly actor: Actor | null
  readonly refuseKnown: (tx: Tx) => Promise<void>
}

/** Opens the refund, or finds the refund that the request repeats. */
async function openOrFind(
  ctx: PaymentsCtx,
  tx: Tx,
  caller: KeyOwner,
  input: CreateRefund,
  id: RefundId,
  { keyed, actor, refuseKnown }: Request,
): Promise<OpenedRefund | { repeated: RefundId }> {
  const requestedBy = keyed ? undefined : caller.keyId
  const payment = await lockPayment(tx, caller.accountId, input.payment)
  // The key may have been replaced while this transaction waited for the lock of the payment.
  await confirmKey(tx, caller)
  if (payment?.applicationId !== caller.applicationId) throw new AppError('not_found')
  await refuseKnown(tx)
  const refunds = requestedBy === undefined ? [] : await refundsOf(tx, caller.accountId, payment.id)
  const repeated = repetition(payment, refunds, input, requestedBy)
  if (repeated) return { repeated: repeated.id }
  const amount = input.amount === undefined ? remainingOf(payment) : refundAmount(payment, input.amount)
  const requester =
    requestedBy !== undefined && input.amount === undefined ? requesterOfRemaining(requestedBy) : requestedBy
  const requested = { id, amount, reason: input.reason ?? null, requestedBy: requester, keyed }
  const opened = await openRefund(ctx, tx, payment, requested)
  if (actor) {
    await audit(ctx, tx, actor, {
      action: 'payment.refund_opened',
      subject: payment.id,
      accountId: caller.accountId,
      details: { refundId: id, amount: toMajor(amount), currency: amount.currency },
    })
  }
  return opened
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
