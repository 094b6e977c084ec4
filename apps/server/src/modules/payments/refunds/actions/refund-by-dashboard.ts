import type { AccountId, PaymentId, RefundId } from '@muripo/contract/ids'
import { equals, type Money, toMajor } from '@muripo/contract/money'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { AppError, invariant } from '../../../../platform/errors.ts'
import type { PaymentsCtx } from '../../context.ts'
import { type Payment, paidAmountOf } from '../../payment.ts'
import { findPayment, lockPayment } from '../../store.ts'
import { openRefundOf, repetitionOf, wholeRefundOf } from '../repeated-refund.ts'
import { findRefund, refundsOf } from '../store-refunds.ts'
import { openAndSend } from './open-and-send.ts'
import { type OpenedRefund, openRefund, refundAmount } from './open-refund.ts'

interface RefundInput {
  readonly amount: number
  readonly currency: Money['currency']
  /** In major units. */
  readonly amountRefunded?: number | undefined
  /** The session: a request that it repeats within ten minutes, and that does not state amountRefunded, joins the first. */
  readonly requestedBy?: string
  /** The reason, when the requester gives one. */
  readonly reason?: string
}

/**
 * Refunds a completed payment, all of it or a part, for a user of the dashboard or an operator. A request joins an earlier refund instead
 * of opening another when that one is of the same amount and not finished, when the same session requested the same amount within ten
 * minutes, and when it returned the whole payment. A request that states amountRefunded joins no finished part: it is refused when that
 * amount is no longer right.
 * @returns the payment as it stands, and whether the refund is done or still open
 * @throws AppError not_found, payment_not_refundable, refund_mismatch, refund_exceeds_remaining, refund_conflict, refund_declined
 */
export async function refundPayment(
  ctx: PaymentsCtx,
  actor: Actor,
  accountId: AccountId,
  paymentId: PaymentId,
  input: RefundInput,
  confirm: (tx: Tx) => Promise<void> = async () => undefined,
): Promise<{ payment: Payment; isDone: boolean }> {
  const { id, isRepetition } = await openAndSend(ctx, { accountId, paymentId }, (tx, id) =>
    openOrJoin(ctx, tx, actor, { accountId, paymentId, id, ...input }, confirm),
  )
  if (isRepetition) await ctx.refundSingleflight.join(id)
  const refund = await findRefund(ctx.db.kysely, accountId, id)
  const payment = await findPayment(ctx.db.kysely, accountId, paymentId)
  invariant(refund && payment, 'payments and refunds are never deleted')
  if (refund.status === 'failed') throw new AppError('refund_declined')
  return { payment, isDone: refund.status === 'completed' }
}

async function openOrJoin(
  ctx: PaymentsCtx,
  tx: Tx,
  actor: Actor,
  requested: RefundInput & { accountId: AccountId; paymentId: PaymentId; id: RefundId },
  confirm: (tx: Tx) => Promise<void>,
): Promise<OpenedRefund | { repeated: RefundId }> {
  const { accountId, paymentId, id, currency, amountRefunded, reason } = requested
  const payment = await lockPayment(tx, accountId, paymentId)
  await confirm(tx)
  if (payment === null) throw new AppError('not_found')
  if (payment.completedAt === null) throw new AppError('payment_not_refundable')
  const amount = refundAmount(payment, requested.amount, currency)
  const refunds = await refundsOf(tx, accountId, paymentId)
  // amountRefunded already protects the request against repetition.
  const requestedBy = amountRefunded === undefined ? requested.requestedBy : undefined
  const same =
    openRefundOf(refunds, amount) ??
    repetitionOf(refunds, amount, requestedBy, payment.lockedAt) ??
    (equals(amount, paidAmountOf(payment)) ? wholeRefundOf(refunds, payment) : undefined)
  if (same) return { repeated: same.id }
  if (payment.status !== 'completed') throw new AppError('payment_not_refundable')
  if (amountRefunded !== undefined && amountRefunded !== toMajor(payment.refunded))
    throw new AppError('refund_conflict')

  const opened = await openRefund(ctx, tx, payment, { id, amount, reason: reason ?? null, requestedBy })
  await audit(ctx, tx, actor, {
    action: 'payment.refund_opened',
    subject: paymentId,
    accountId,
    details: {
      refundId: id,
      amount: requested.amount,
      currency,
      ...(reason !== undefined && { reason }),
    },
  })
  return opened
}
