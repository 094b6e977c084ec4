import type { PaymentCtx } from '../context.ts'
import { alarm, type Effects, nothing } from '../effects.ts'
import { type AttemptStatus, canMove } from '../moves.ts'
import type { Attempt, Payment } from '../payment.ts'
import type { PaymentState } from '../state.ts'
import type { AttemptChange } from '../written-rows.ts'
import type { OpeningRefund } from './open-refund.ts'

export type Ctx = Pick<PaymentCtx, 'feeFor' | 'ids' | 'clock' | 'providers'>

/** The change that an outcome makes to a charge. */
export interface ChargeDecision {
  /** Null when nothing changes. */
  readonly effects: Effects | null
  /** The status of the charge afterwards. */
  readonly status: AttemptStatus
  /** False: the provider has to be asked again, after the refunds of the charge have ended. */
  readonly isFinal: boolean
  /** The refund of a second success, which is sent after the commit. */
  readonly duplicate?: OpeningRefund
}

export const keep = ({ status }: Attempt): ChargeDecision => ({ effects: null, status, isFinal: true })

/** The change of a charge that moves or stays open. A deferred charge that ends before it was sent again is deferred no longer. */
export const changed = (
  attempt: Attempt,
  change: AttemptChange & { readonly status: AttemptStatus },
  others: Effects = nothing,
): ChargeDecision => ({
  effects: {
    ...others,
    attempt: { before: attempt, change: attempt.isDeferred ? { isDeferred: false, ...change } : change },
  },
  status: change.status,
  isFinal: true,
})

/** An amount may have moved that does not fit: an operator decides. */
export function hold(
  { payment }: PaymentState,
  attempt: Attempt,
  why: string,
  facts: AttemptChange,
): ChargeDecision {
  if (attempt.status === 'held') return keep(attempt)
  const held = { status: 'held', heldBecause: why, failureReason: null, nextCheckAt: null } as const
  return changed(
    attempt,
    { ...facts, ...held, ...watchEnd(attempt) },
    {
      ...(canMove(payment.status, 'complete') && { change: {} }),
      ...underReview(payment),
      ...alarm({ paymentId: payment.id, attemptId: attempt.id, why }, 'an attempt is held for review'),
    },
  )
}

/** The end of the watch of a failed charge that becomes something else. */
export const watchEnd = ({ status }: Attempt): { readonly nextWatchAt?: null } =>
  status === 'failed' ? { nextWatchAt: null } : {}

/** A completed payment does not change, whatever the result of a further attempt. */
export function underReview({ status, statusReason }: Payment): Pick<Effects, 'change'> {
  if (!canMove(status, 'complete') || statusReason === 'under_review') return {}
  return { change: { statusReason: 'under_review' } }
}
