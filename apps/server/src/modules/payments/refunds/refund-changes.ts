import { add, equals, subtract } from '@muripo/contract/money'
import { plusMs } from '../../../platform/clock.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { clearing, type Transfer } from '../../ledger/index.ts'
import type { PaymentsCtx } from '../context.ts'
import { afterMove } from '../machine.ts'
import { type Attempt, type LockedPayment, type Payment, paidAmountOf, type Refund } from '../payment.ts'
import { newWatch, nextCheckAt } from '../provider-calls/schedule.ts'
import type { PaymentChange } from '../store.ts'
import type { ChangeSet } from '../store-change-set.ts'
import { toPublicRefund } from '../wire.ts'
import type { RefundDecision } from './decide-refund.ts'
import { changedRefund, type RefundChange } from './store-refunds.ts'

/** Decisions whose change set depends on the payment, the refund and its charge alone. */
export type RefundOutcomeDecision = Exclude<RefundDecision, { kind: 'keep' | 'review' | 'watch' }>

/** A locked payment, one of its refunds, and the charge that the refund belongs to. */
export interface LockedRefund {
  readonly payment: LockedPayment
  readonly refund: Refund
  readonly charge: Attempt
}

/** The change set of a decision about one refund. */
export function refundOutcomeChange(
  ctx: Pick<PaymentsCtx, 'ids' | 'providers'>,
  { payment, refund, charge }: LockedRefund,
  decision: RefundOutcomeDecision,
): ChangeSet {
  const at = payment.lockedAt
  const ended = refund.isDeferred && { isDeferred: false }
  const of = (change: RefundChange, rest: Partial<ChangeSet> = {}): ChangeSet => ({
    payment,
    at,
    refund: { before: refund, change: { ...decision.facts, ...ended, ...change } },
    ...rest,
  })
  /** The change that the merchant sees: an event reports the payment and the refund after it. */
  const reported = (change: RefundChange, paymentChange: PaymentChange, transfer: Transfer): ChangeSet => {
    const set = of(change, { change: paymentChange, transfers: [transfer] })
    const after = changedRefund(refund, { ...decision.facts, ...change }, at)
    const type = after.status === 'completed' ? 'payment.refunded' : 'refund.failed'
    return { ...set, event: { type, besides: { refund: toPublicRefund(after) } } }
  }
  const transfer = { amount: refund.amount, paymentId: payment.id, causeId: uuidOf(refund.id) }
  const isReserved = { refundPending: subtract(payment.refundPending, refund.amount) }

  switch (decision.kind) {
    case 'wait':
      return of({ status: decision.status, nextCheckAt: nextCheckOf(ctx, refund, charge, at) })
    case 'defer':
      return of({ isDeferred: true, nextCheckAt: plusMs(at, decision.retryAfterMs) })
    case 'mismatch':
      return of({ status: 'unknown', nextCheckAt: null })
    case 'hand over':
      return of({ status: 'awaiting_operator', failureReason: decision.reason, nextCheckAt: null })
    case 'paid late':
      return of({ paidLateAt: refund.paidLateAt ?? at, nextWatchAt: null })
    case 'complete': {
      const paid = { ...transfer, kind: 'refund_paid', credit: clearing(charge.provider) } as const
      if (decision.isLate) {
        const late = { failureReason: null, paidLateAt: null, nextWatchAt: null }
        return reported({ status: 'completed', ...late }, refundedBy(payment, refund), {
          ...paid,
          debit: 'merchant.payable',
        })
      }
      const change: RefundChange = { status: 'completed', nextCheckAt: null }
      const fromReserve: Transfer = { ...paid, debit: 'refunds.payable' }
      // Nothing was taken from the merchant's balance.
      if (refund.origin === 'duplicate') return of(change, { transfers: [fromReserve] })
      return reported(change, { ...refundedBy(payment, refund), ...isReserved }, fromReserve)
    }
    case 'fail': {
      const isWatched = decision.wasSent && ctx.providers.canLookUpRefund(charge.provider)
      return reported(
        {
          status: 'failed',
          failureReason: decision.reason,
          nextCheckAt: null,
          ...(isWatched && newWatch(at, ctx.ids)),
        },
        isReserved,
        { ...transfer, kind: 'refund_released', debit: 'refunds.payable', credit: 'merchant.payable' },
      )
    }
  }
}

const refundedBy = (payment: Payment, refund: Refund): PaymentChange => {
  const refunded = add(payment.refunded, refund.amount)
  return {
    refunded,
    ...(equals(refunded, paidAmountOf(payment)) && { status: afterMove(payment.status, 'refund') }),
  }
}

/** A refund that an operator reviews stays there until an outcome resolves it. */
const nextCheckOf = (
  ctx: Pick<PaymentsCtx, 'ids' | 'providers'>,
  refund: Refund,
  charge: Attempt,
  at: Date,
): Date | null =>
  refund.nextCheckAt && nextCheckAt(refund.createdAt, at, ctx.providers.minPollMs(charge.provider), ctx.ids)
