import { isDeepStrictEqual } from 'node:util'
import type { Money } from '@muripo/contract/money'
import type { StatusReason } from '@muripo/contract/payments'
import { plusMs } from '../../../platform/clock.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { clearing, type Transfer } from '../../ledger/index.ts'
import type { PaymentsCtx } from '../context.ts'
import type { ChangeSet } from '../payment/commit.ts'
import type { AttemptDecision } from '../payment/decide/charge-reply.ts'
import { type AttemptStatus, afterMove, canMove, isOpen } from '../payment/moves.ts'
import { MOST_OUTCOME_FAILURES } from '../payment/outcome.ts'
import type { Attempt, Payment } from '../payment/payment.ts'
import { newWatch, nextCheckAt, noWatch } from '../payment/schedule.ts'
import type { PaymentState } from '../payment/state.ts'
import type { AttemptChange } from '../payment/store-attempts.ts'
import { terminationChange, terminationReasonOf } from '../payment/termination.ts'

/** The change of the attempt always has its new status and the time of its next look-up. */
export interface OutcomeChange extends ChangeSet {
  readonly attempt: {
    readonly before: Attempt
    readonly change: AttemptChange & { readonly status: AttemptStatus; readonly nextCheckAt: Date | null }
  }
}

type DecisionOf<Kind extends AttemptDecision['kind']> = Extract<AttemptDecision, { kind: Kind }>
/** Decisions whose change set depends on the payment and its attempts alone. */
export type OutcomeDecision = DecisionOf<'wait' | 'authorise' | 'complete' | 'fail' | 'hold' | 'defer'>
type Changes = Pick<PaymentsCtx, 'feeFor' | 'ids' | 'providers'>

/** The change set of a decision about one attempt; null when a look-up has found nothing new. The next one is scheduled already. */
export function outcomeChange(
  ctx: Changes,
  state: PaymentState,
  attempt: Attempt,
  decision: OutcomeDecision,
): OutcomeChange | null {
  const { payment, at } = state
  const parts = changesOf(ctx, state, attempt, decision)
  if (parts === null) return null
  if (!attempt.isDeferred || decision.kind === 'defer') return { payment, at, ...parts }
  // The deferred charge has ended before it was sent again.
  const change = { ...parts.attempt.change, isDeferred: false }
  return { payment, at, ...parts, attempt: { before: attempt, change } }
}

type Parts = Omit<OutcomeChange, 'payment' | 'at'>
type PaymentParts = Pick<ChangeSet, 'change' | 'event'>

function changesOf(
  ctx: Changes,
  state: PaymentState,
  attempt: Attempt,
  decision: OutcomeDecision,
): Parts | null {
  switch (decision.kind) {
    case 'wait':
      return wait(ctx, state, attempt, decision)
    case 'authorise':
      return authorise(ctx, state, attempt, decision)
    case 'complete':
      return complete(ctx, state, attempt, decision)
    case 'fail':
      return fail(ctx, state, attempt, decision)
    case 'hold':
      return hold(state, attempt, decision)
    case 'defer':
      return defer(state, attempt, decision)
  }
}

/**
 * The merchant has the period of the provider to capture, from the time at which the attempt was sent. A payment that was cancelled while its
 * payer authorised it is voided next. The authorisation of a payment that has ended fails its attempt, and the watch of the attempt voids it.
 */
function authorise(
  ctx: Changes,
  state: PaymentState,
  attempt: Attempt,
  { facts, providerReference }: DecisionOf<'authorise'>,
): Parts {
  const { payment, at } = state
  if (!canMove(payment.status, 'authorise'))
    return fail(ctx, state, attempt, {
      kind: 'fail',
      reason: 'expired',
      isFinal: false,
      unbooks: false,
      facts,
    })
  const end = plusMs(attempt.createdAt, ctx.providers.captureWithinMs(attempt.provider))
  const captureBefore = payment.termination?.reason === 'cancelled' || end < at ? at : end
  return {
    attempt: {
      before: attempt,
      change: { ...facts, status: 'authorized', authorizedAt: at, nextCheckAt: captureBefore },
    },
    change: {
      status: afterMove(payment.status, 'authorise'),
      statusReason: 'awaiting_capture',
      method: attempt.method,
      providerReference: providerReference ?? attempt.providerReference,
      captureBefore,
    },
    event: { type: 'payment.authorized' },
  }
}

function complete(
  ctx: Changes,
  state: PaymentState,
  attempt: Attempt,
  { facts, providerReference, method = attempt.method }: DecisionOf<'complete'>,
): Parts {
  const { payment, at } = state
  const status = canMove(payment.status, 'complete') ? 'completed' : 'duplicate'
  // Only the whole amount of an attempt is refunded as a duplicate.
  if (status === 'duplicate' && payment.captureMode === 'manual')
    return hold(state, attempt, {
      kind: 'hold',
      why: 'captured beside another success',
      unbooks: false,
      facts,
    })
  const change = { ...facts, status, failureReason: null, nextCheckAt: null, ...watchEnd(attempt) } as const
  if (status === 'duplicate') return { attempt: { before: attempt, change } }
  const captured = capturedBy(state, attempt)
  const amount = captured ?? payment.amount
  const fee = ctx.feeFor(method, amount)
  return {
    attempt: { before: attempt, change },
    change: {
      status: afterMove(payment.status, 'complete'),
      statusReason: null,
      method,
      providerReference: providerReference ?? attempt.providerReference,
      fee,
      ...(captured && { captured }),
      completedAt: at,
    },
    transfers: captureOf(payment, attempt, amount, fee),
    event: { type: 'payment.completed' },
  }
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

function fail(
  ctx: Changes,
  state: PaymentState,
  attempt: Attempt,
  { reason, isFinal, facts }: DecisionOf<'fail'>,
): Parts {
  const watch = {
    ...(isFinal === 'never sent' ? noWatch(state.at) : newWatch(state.at, ctx.ids)),
    ...(isFinal && { nextWatchAt: null }),
  }
  const failureReason = voidedFor(state, attempt) ?? reason
  const change = { ...facts, status: 'failed', failureReason, nextCheckAt: null, ...watch } as const
  return { attempt: { before: attempt, change }, ...afterFailedAttempt(state, attempt, failureReason) }
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
): PaymentParts {
  if (!canMove(payment.status, 'complete')) return {}
  // While another attempt is held for an operator, the payment keeps the status reason `under_review`.
  const isOtherOpen = attempts.some(({ id, status }) => id !== failed.id && isOpen(status))
  if (payment.status === 'authorized') {
    if (isOtherOpen) return { change: {} }
    const { change, event } = terminationChange(payment, payment.termination?.reason ?? 'expired', at, false)
    return { change: { ...change, statusReason: reason }, ...(event && { event }) }
  }
  const reasonToEnd = terminationReasonOf(payment, at)
  if (payment.status === 'pending' && reasonToEnd !== null)
    return terminationChange(payment, reasonToEnd, at, isOtherOpen)
  return { change: isOtherOpen ? {} : { statusReason: reasonToEnd ?? reason } }
}

function wait(
  ctx: Changes,
  { payment, instruction, at }: PaymentState,
  attempt: Attempt,
  { status, isPending, facts }: DecisionOf<'wait'>,
): Parts | null {
  const next = nextCheckOf(ctx, attempt, instruction?.createdAt ?? attempt.createdAt, at)
  const waiting = { attempt: { before: attempt, change: { ...facts, status, nextCheckAt: next } } }
  if (next === null) return isCountedOut(attempt) ? waiting : { ...waiting, ...underReview(payment) }
  const { statusReason } = payment
  const isChanged = isPending
    ? statusReason === 'checking'
    : statusReason !== 'checking' && statusReason !== 'under_review'
  if (payment.status !== 'pending' || !isChanged)
    return status === attempt.status && hasFacts(attempt, facts) ? null : waiting
  return { ...waiting, change: { statusReason: isPending ? 'awaiting_payer' : 'checking' } }
}

/** Whether the row already has what the provider has reported. */
const hasFacts = (attempt: Attempt, facts: AttemptChange): boolean =>
  Object.entries(facts).every(([name, value]) => isDeepStrictEqual(attempt[name as keyof Attempt], value))

/** Whether an operator reviews the attempt because its outcome could not be recorded: a further look-up would fail again. */
export const isCountedOut = ({ outcomeFailures }: Attempt): boolean =>
  outcomeFailures >= MOST_OUTCOME_FAILURES

/** Null when an operator has to decide. */
const nextCheckOf = (ctx: Changes, attempt: Attempt, since: Date, at: Date): Date | null =>
  isCountedOut(attempt) ? null : nextCheckAt(since, at, ctx.providers.minPollMs(attempt.provider), ctx.ids)

/** The payment stays as it is: for its payer and its merchant the charge is still being sent. */
function defer({ at }: PaymentState, attempt: Attempt, { facts, retryAfterMs }: DecisionOf<'defer'>): Parts {
  const change = { ...facts, isDeferred: true, nextCheckAt: plusMs(at, retryAfterMs) }
  return { attempt: { before: attempt, change: { ...change, status: attempt.status } } }
}

function hold({ payment }: PaymentState, attempt: Attempt, { why, facts }: DecisionOf<'hold'>): Parts {
  const held = { status: 'held', heldBecause: why, failureReason: null, nextCheckAt: null } as const
  return {
    attempt: { before: attempt, change: { ...facts, ...held, ...watchEnd(attempt) } },
    ...(canMove(payment.status, 'complete') && { change: {} }),
    ...underReview(payment),
  }
}

/** The end of the watch of a failed charge that becomes something else. */
const watchEnd = ({ status }: Attempt): { readonly nextWatchAt?: null } =>
  status === 'failed' ? { nextWatchAt: null } : {}

/** A completed payment does not change, whatever the result of a further attempt. */
export function underReview({ status, statusReason }: Payment): PaymentParts {
  if (!canMove(status, 'complete') || statusReason === 'under_review') return {}
  return { change: { statusReason: 'under_review' } }
}
