import type { Money } from '@muripo/contract/money'
import type { PaymentMethod, StatusReason } from '@muripo/contract/payments'
import { uuidOf } from '../../../../platform/ids.ts'
import { clearing, type Transfer } from '../../../ledger/index.ts'
import { changedAttempt, type Effects, nothing } from '../effects.ts'
import { afterMove, canMove, isOpen } from '../moves.ts'
import type { Attempt, Payment } from '../payment.ts'
import { newWatch, noWatch } from '../schedule.ts'
import type { PaymentState, WholeState } from '../state.ts'
import { terminationChange, terminationReasonOf } from '../termination.ts'
import type { AttemptChange } from '../written-rows.ts'
import { type ChargeDecision, type Ctx, changed, hold, watchEnd } from './charge-decision.ts'
import { openDuplicateRefund } from './open-refund.ts'

/**
 * Books a success. The second success of a payment is owed to the payer.
 * @param method that the payer has chosen at a page of the provider
 */
export function book(
  ctx: Ctx,
  state: WholeState,
  attempt: Attempt,
  facts: AttemptChange,
  method: PaymentMethod = attempt.method,
): ChargeDecision {
  const { payment, at } = state
  const end = { failureReason: null, nextCheckAt: null, ...watchEnd(attempt) } as const
  if (!canMove(payment.status, 'complete')) {
    // Only the whole amount of an attempt is refunded as a duplicate.
    if (payment.captureMode === 'manual')
      return hold(state, attempt, 'captured beside another success', facts)
    const change = { ...facts, status: 'duplicate', ...end } as const
    const duplicate = openDuplicateRefund(ctx, state, changedAttempt(attempt, change, at))
    return { ...changed(attempt, change, duplicate.effects), duplicate }
  }
  const captured = capturedBy(state, attempt)
  const amount = captured ?? payment.amount
  const fee = ctx.feeFor(method, amount)
  return changed(
    attempt,
    { ...facts, status: 'completed', ...end },
    {
      change: {
        status: afterMove(payment.status, 'complete'),
        statusReason: null,
        method,
        providerReference: facts.providerReference ?? attempt.providerReference,
        fee,
        ...(captured && { captured }),
        completedAt: at,
      },
      transfers: captureOf(payment, attempt, amount, fee),
      events: [{ type: 'payment.completed' }],
    },
  )
}

/** The captured amount; null for a payment that is captured automatically. Without an instruction an operator has confirmed the whole. */
function capturedBy({ payment, instruction }: PaymentState, { id }: Attempt): Money | null {
  if (payment.captureMode === 'automatic') return null
  return (instruction?.attemptId === id ? instruction.amount : null) ?? payment.amount
}

/** The merchant is owed the captured amount, less the fee. */
function captureOf(payment: Payment, attempt: Attempt, amount: Money, fee: Money): Transfer[] {
  const cause = { paymentId: payment.id, causeId: uuidOf(attempt.id) }
  const payable = 'merchant.payable'
  return [
    { kind: 'capture', debit: clearing(attempt.provider), credit: payable, amount, ...cause },
    { kind: 'fee', debit: payable, credit: 'fee.revenue', amount: fee, ...cause },
  ]
}

export interface Failure {
  readonly reason: StatusReason
  readonly facts: AttemptChange
  /** never sent: the call provably never reached the provider. seen by an operator: the reply that held the attempt. */
  readonly end: 'never sent' | 'seen by an operator' | 'watched'
}

/** Fails a charge that may still have succeeded. */
export function failOpen(
  ctx: Ctx,
  state: WholeState,
  attempt: Attempt,
  { reason, facts, end }: Failure,
): ChargeDecision {
  const watch = {
    ...(end === 'never sent' ? noWatch(state.at) : newWatch(state.at, ctx.ids)),
    ...(end !== 'watched' && { nextWatchAt: null }),
  }
  const failureReason = voidedFor(state, attempt) ?? reason
  return changed(
    attempt,
    { ...facts, status: 'failed', failureReason, nextCheckAt: null, ...watch },
    afterFailedAttempt(state, attempt, failureReason),
  )
}

/** The reason of the instruction that has voided the attempt; null when there is none. */
const voidedFor = ({ payment, instruction }: PaymentState, { id }: Attempt): StatusReason | null =>
  instruction?.kind === 'void' && instruction.attemptId === id ? (payment.termination?.reason ?? null) : null

/**
 * The payer may start another attempt, unless the payment accepts no more. The end of each attempt raises the version of a payment that can
 * still be completed, because the decision about another attempt depends on all of them. A payment whose authorisation has ended fails: it
 * was voided, refused for its capture, or released by the provider.
 */
function afterFailedAttempt(
  { payment, attempts, at }: PaymentState,
  failed: Attempt,
  reason: StatusReason,
): Effects {
  if (!canMove(payment.status, 'complete')) return nothing
  // While another attempt is held for an operator, the payment keeps the status reason `under_review`.
  const isOtherOpen = attempts.some(({ id, status }) => id !== failed.id && isOpen(status))
  if (payment.status === 'authorized') {
    if (isOtherOpen) return { change: {} }
    const ended = terminationChange(payment, payment.termination?.reason ?? 'expired', at, false)
    return { ...ended, change: { ...ended.change, statusReason: reason } }
  }
  const reasonToEnd = terminationReasonOf(payment, at)
  if (payment.status === 'pending' && reasonToEnd !== null)
    return terminationChange(payment, reasonToEnd, at, isOtherOpen)
  return { change: isOtherOpen ? {} : { statusReason: reasonToEnd ?? reason } }
}
