import type { AccountId, RefundId } from '@muripo/contract/ids'
import { money, toDecimal } from '@muripo/contract/money'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import type { PaymentsCtx } from '../../context.ts'
import { BY_OPERATOR, type OperatorRefundDecision } from '../../provider-calls/outcome.ts'
import { applyRefundOutcomeIn } from '../../refunds/actions/apply-refund-outcome.ts'
import { findRefund, updateRefund } from '../../refunds/store-refunds.ts'
import { lockPayment } from '../../store.ts'
import { findOperatorRefund, findWaitingRefunds, type OperatorRefund } from '../store-in-review.ts'
import { bookDifference, type Moved } from './book-difference.ts'

/** Refunds that only an operator can send or resolve, the oldest first. */
export const waitingRefunds = (ctx: Pick<Ctx, 'db'>, limit: number): Promise<OperatorRefund[]> =>
  findWaitingRefunds(ctx.db.kysely, limit)

export const showRefund = (ctx: Pick<Ctx, 'db'>, id: RefundId): Promise<OperatorRefund | null> =>
  findOperatorRefund(ctx.db.kysely, id)

/** The operator's reason why the refund could not be sent; null where there is none. */
export const operatorsReason = ({ status, providerStatus }: OperatorRefund): string | null =>
  status === 'failed' && providerStatus?.startsWith(BY_OPERATOR)
    ? providerStatus.slice(BY_OPERATOR.length)
    : null

/** moved: the amount that the provider paid, when it differs from the requested one. */
export type RefundVerdict = OperatorRefundDecision['verdict'] & { readonly moved?: Moved }

/** payers: a refund of a duplicate is owed to the payer and cannot fail. over: already resolved. asked: look-ups are still scheduled. */
export type RefundResolved = 'done' | 'payers' | 'over' | 'withProvider' | 'none'

/** Resolves a refund that waits for an operator, through applyRefundOutcome like a provider's reply. */
export async function resolveRefund(
  ctx: PaymentsCtx,
  operator: Actor,
  id: RefundId,
  verdict: RefundVerdict,
): Promise<RefundResolved> {
  const named = await findOperatorRefund(ctx.db.kysely, id)
  if (named === null) return 'none'
  const { accountId, paymentId } = named
  return ctx.db.tx(async (tx) => {
    const payment = await lockPayment(tx, accountId, paymentId)
    const refund = (await findOperatorRefund(tx, id)) ?? named
    if (refund.status === 'completed' || refund.status === 'failed') return 'over'
    if (!refund.isWaiting) return 'withProvider'
    if (verdict.kind === 'failed' && refund.origin === 'duplicate') return 'payers'
    const { moved, ...decided } = verdict
    await applyRefundOutcomeIn(ctx, tx, accountId, id, { kind: 'decided', verdict: decided })
    if (moved) {
      const booked = verdict.kind === 'paid' ? refund.amount.minor : 0n
      const out = money(booked - moved.amount.minor, refund.amount.currency)
      await bookDifference(ctx, tx, refund, { difference: out, actor: operator, reason: moved.reason })
      // The moved amount is booked and the refund resolved, so that a late reply does not book it again.
      if (verdict.kind === 'failed' && moved.amount.minor > 0n && payment)
        await recordLatePayment(tx, accountId, id, payment.lockedAt)
    }
    await audit(ctx, tx, operator, {
      action: verdict.kind === 'paid' ? 'refund.paid_by_operator' : 'refund.failed_by_operator',
      subject: id,
      accountId,
      details: {
        ...(verdict.kind === 'paid' ? { reference: verdict.reference } : { reason: verdict.reason }),
        ...(moved && { amount: toDecimal(moved.amount), because: moved.reason }),
      },
    })
    return 'done'
  })
}

async function recordLatePayment(tx: Tx, accountId: AccountId, id: RefundId, at: Date): Promise<void> {
  const refund = await findRefund(tx, accountId, id)
  if (refund) await updateRefund(tx, refund, { paidLateAt: at, settledAt: at, nextWatchAt: null }, at)
}
