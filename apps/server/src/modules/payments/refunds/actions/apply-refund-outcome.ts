import type { AccountId, RefundId } from '@muripo/contract/ids'
import type { Tx } from '../../../../platform/db/database.ts'
import { invariant } from '../../../../platform/errors.ts'
import { findAttempt } from '../../attempts/store-attempts.ts'
import type { PaymentsCtx } from '../../context.ts'
import { nextWatch, openUnresolved } from '../../provider-calls/actions/watch-failed.ts'
import {
  type CallOutcome,
  factsOf,
  type LookedUp,
  type OperatorRefundDecision,
} from '../../provider-calls/outcome.ts'
import { findWatch } from '../../provider-calls/store-watched.ts'
import { openAnomaly } from '../../review/actions/open-anomaly.ts'
import { lockPayment } from '../../store.ts'
import { applyChange, type ChangeSet } from '../../store-change-set.ts'
import { decideRefund } from '../decide-refund.ts'
import { type LockedRefund, type RefundOutcomeDecision, refundOutcomeChange } from '../refund-changes.ts'
import { findRefund, updateRefund } from '../store-refunds.ts'

/** As applyOutcome, for a refund: reply, callback and look-up all end here, and a repeated outcome changes nothing. */
export function applyRefundOutcome(
  ctx: PaymentsCtx,
  accountId: AccountId,
  refundId: RefundId,
  outcome: CallOutcome | OperatorRefundDecision,
): Promise<void> {
  return ctx.db.tx((tx) => applyRefundOutcomeIn(ctx, tx, accountId, refundId, outcome))
}

/** As applyRefundOutcome, in the caller's transaction. */
export async function applyRefundOutcomeIn(
  ctx: PaymentsCtx,
  tx: Tx,
  accountId: AccountId,
  refundId: RefundId,
  outcome: CallOutcome | OperatorRefundDecision,
): Promise<void> {
  const state = await lockRefund(tx, accountId, refundId)
  const { payment, refund, charge } = state
  const decision = decideRefund(state, outcome, payment.lockedAt)
  switch (decision.kind) {
    case 'keep':
      return
    case 'review': {
      const { providerStatus } = decision
      await openAnomaly(ctx, tx, { payment, attempt: charge, refund, kind: 'contradicted', providerStatus })
      return
    }
    case 'watch':
      return watchOn(ctx, tx, state, decision.outcome)
    default: {
      const set = refundOutcomeChange(ctx, state, decision)
      await applyChange(ctx, tx, set)
      warn(ctx, state, decision, set)
    }
  }
}

/** Locks the payment of a refund, and reads the refund and its charge behind the lock. */
async function lockRefund(tx: Tx, accountId: AccountId, id: RefundId): Promise<LockedRefund> {
  const seen = await findRefund(tx, accountId, id)
  invariant(seen, 'a refund is recorded before its provider is called')
  const payment = await lockPayment(tx, accountId, seen.paymentId)
  const refund = await findRefund(tx, accountId, id)
  const charge = await findAttempt(tx, accountId, seen.attemptId)
  invariant(payment && refund && charge, 'payments, refunds and attempts are never deleted')
  return { payment, refund, charge }
}

/** Records a look-up of a failed refund that its provider has not paid. */
async function watchOn(
  ctx: PaymentsCtx,
  tx: Tx,
  { payment, refund, charge }: LockedRefund,
  outcome: LookedUp,
): Promise<void> {
  const next = nextWatch(ctx, await findWatch(tx, 'refunds', refund), outcome, payment.lockedAt)
  if (next === null) return
  const { isUnresolved, ...change } = next
  const isPending = outcome.kind === 'reply' && outcome.reply.outcome === 'pending'
  const facts = isPending ? factsOf(outcome.reply, refund, true) : {}
  await updateRefund(tx, refund, { ...facts, ...change }, payment.lockedAt)
  if (isUnresolved) await openUnresolved(ctx, tx, { payment, attempt: charge, refund }, outcome)
}

/** Decisions that leave a refund to an operator, or that contradict the provider's earlier answer, are logged as errors. */
function warn(
  ctx: PaymentsCtx,
  { payment, refund }: LockedRefund,
  decision: RefundOutcomeDecision,
  set: ChangeSet,
): void {
  const ids = { refundId: refund.id, paymentId: payment.id }
  if (decision.kind === 'mismatch')
    ctx.log.error(ids, 'the provider refunded another amount than requested; an operator has to decide')
  if (decision.kind === 'paid late' || (decision.kind === 'complete' && decision.isLate))
    ctx.log.error(
      { ...ids, booked: decision.kind === 'complete' },
      'a provider paid a refund that it had refused',
    )
  if (decision.kind === 'hand over')
    ctx.log.error(
      { ...ids, reason: decision.reason },
      'the provider did not refund a duplicate charge; an operator has to send the refund',
    )
  if (decision.kind === 'wait' && refund.nextCheckAt !== null && set.refund?.change.nextCheckAt === null)
    ctx.log.error({ refundId: refund.id }, 'a refund is still open after a day; an operator has to decide')
}
