import type { AttemptId } from '@muripo/contract/ids'
import type { Money } from '@muripo/contract/money'
import type { StatusReason } from '@muripo/contract/payments'
import type { Tx } from '../../../../platform/db/database.ts'
import { invariant } from '../../../../platform/errors.ts'
import { uuidOf } from '../../../../platform/ids.ts'
import { clearing, post } from '../../../ledger/index.ts'
import type { PaymentsCtx } from '../../context.ts'
import { updateAndEmit } from '../../events.ts'
import { type AttemptStatus, afterMove, canMove, isOpen } from '../../machine.ts'
import type { Attempt, LockedPayment } from '../../payment.ts'
import { watchEnd, watchOn } from '../../provider-calls/actions/watch-failed.ts'
import { type CallOutcome, type Decision, MOST_OUTCOME_FAILURES } from '../../provider-calls/outcome.ts'
import { newWatch, nextCheckAt, noWatch } from '../../provider-calls/schedule.ts'
import { openDuplicateRefund } from '../../refunds/actions/open-duplicate-refund.ts'
import type { OpenedRefund } from '../../refunds/actions/open-refund.ts'
import { sendRefund } from '../../refunds/actions/send-refund.ts'
import { unbookMoved } from '../../review/actions/book-difference.ts'
import { reviewBookedCharge } from '../../review/actions/open-anomaly.ts'
import { movedOf } from '../../review/store-moved.ts'
import { lockPayment, updatePayment } from '../../store.ts'
import { terminatePayment, terminationReasonOf } from '../../termination.ts'
import { type AttemptDecision, decideAttempt } from '../decide-attempt.ts'
import { attemptsOf, findAttempt, updateAttempt } from '../store-attempts.ts'

/**
 * The only function that changes a payment because of a provider's answer: the reply to the charge, look-ups, callbacks, and an operator's
 * decision all end here. A repeated outcome changes nothing. Payment, ledger transfers and event commit together.
 * @param alongside writes in the commit that changes the attempt's status
 * @returns the attempt's new status; null when it did not change
 */
export async function applyOutcome(
  ctx: PaymentsCtx,
  { accountId, paymentId, id: attemptId }: Pick<Attempt, 'accountId' | 'paymentId' | 'id'>,
  outcome: CallOutcome | Decision,
  alongside: (tx: Tx, status: AttemptStatus) => Promise<void> = async () => {},
): Promise<AttemptStatus | null> {
  const { status, duplicate, msisdn } = await ctx.db.groupCommit(paymentId, async (tx) => {
    const payment = await lockPayment(tx, accountId, paymentId)
    // The attempt is read behind the payment's lock: another outcome may have been applied while this one waited.
    const attempt = await findAttempt(tx, accountId, attemptId)
    invariant(payment && attempt, 'payments and attempts are never deleted')

    const movedMinor = attempt.status === 'failed' ? await movedOf(tx, attempt) : null
    const decision = decideAttempt({ attempt, movedMinor }, outcome, payment.lockedAt)
    const status = await applyDecision(ctx, tx, payment, attempt, decision)
    const { msisdn } = attempt
    if (status === attempt.status) return { status: null, duplicate: null, msisdn }
    await alongside(tx, status)
    const duplicate = status === 'duplicate' ? await refundDuplicate(ctx, tx, payment, attemptId) : null
    return { status, duplicate, msisdn }
  })
  const isProvidersFault = outcome.kind === 'failed' && outcome.reason === 'provider_unavailable'
  if (status === 'completed' || (status === 'failed' && !isProvidersFault))
    ctx.attemptLimits.noteResult(accountId, msisdn, status)
  // The refund is looked up if this process dies here, and ends with an operator.
  if (duplicate) await sendRefund(ctx, duplicate)
  return status
}

type DecisionOf<Kind extends AttemptDecision['kind']> = Extract<AttemptDecision, { kind: Kind }>

/** The payment is already paid, so the second amount is owed to the payer. */
async function refundDuplicate(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  attemptId: AttemptId,
): Promise<OpenedRefund> {
  ctx.log.error({ paymentId: payment.id, attemptId }, 'a payment was paid twice; the second money goes back')
  const attempt = await findAttempt(tx, payment.accountId, attemptId)
  invariant(attempt, 'an attempt is never deleted')
  return openDuplicateRefund(ctx, tx, payment, attempt)
}

/** @returns the status of the attempt after the decision */
async function applyDecision(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  attempt: Attempt,
  decision: AttemptDecision,
): Promise<AttemptStatus> {
  if ('unbooks' in decision && decision.unbooks) await unbookMoved(ctx, tx, attempt)
  switch (decision.kind) {
    case 'keep':
      return attempt.status
    case 'review':
      await reviewBookedCharge(ctx, tx, payment, attempt, decision.outcome)
      return attempt.status
    case 'watch':
      await watchOn(ctx, tx, payment, attempt, decision.outcome)
      return attempt.status
    case 'wait':
      return wait(ctx, tx, payment, attempt, decision)
    case 'complete':
      return complete(ctx, tx, payment, attempt, decision)
    case 'fail':
      return fail(ctx, tx, payment, attempt, decision)
    case 'hold':
      return hold(ctx, tx, payment, attempt, decision)
  }
}

async function complete(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  attempt: Attempt,
  { facts, providerReference }: DecisionOf<'complete'>,
): Promise<AttemptStatus> {
  const now = payment.lockedAt
  const status = canMove(payment.status, 'complete') ? 'completed' : 'duplicate'
  const change = { ...facts, status, failureReason: null, nextCheckAt: null, ...watchEnd(attempt) } as const
  await updateAttempt(tx, attempt, change, now)
  if (status === 'duplicate') return status
  const fee = ctx.feeFor(attempt.method, payment.amount)
  await postCapture(ctx, tx, payment, attempt, fee)
  await updateAndEmit(
    ctx,
    tx,
    payment,
    {
      status: afterMove(payment.status, 'complete'),
      statusReason: null,
      method: attempt.method,
      providerReference: providerReference ?? attempt.providerReference,
      fee,
      completedAt: now,
    },
    'payment.completed',
  )
  return status
}

/** The merchant is owed the whole amount, less the fee. */
async function postCapture(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  attempt: Attempt,
  fee: Money,
): Promise<void> {
  const cause = { paymentId: payment.id, causeId: uuidOf(attempt.id) }
  const payable = 'merchant.payable'
  await post(
    ctx,
    tx,
    payment.accountId,
    { kind: 'capture', debit: clearing(attempt.provider), credit: payable, amount: payment.amount, ...cause },
    { kind: 'fee', debit: payable, credit: 'fee.revenue', amount: fee, ...cause },
  )
}

async function fail(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  attempt: Attempt,
  { reason, isFinal, facts }: DecisionOf<'fail'>,
): Promise<AttemptStatus> {
  const now = payment.lockedAt
  const watch = {
    ...(isFinal === 'never sent' ? noWatch(now) : newWatch(now, ctx.ids)),
    ...(isFinal && { nextWatchAt: null }),
  }
  const change = { ...facts, status: 'failed', failureReason: reason, nextCheckAt: null, ...watch } as const
  await updateAttempt(tx, attempt, change, now)
  await afterFailedAttempt(ctx, tx, payment, reason)
  return 'failed'
}

/** The payer may start another attempt, unless the payment accepts no more. */
async function afterFailedAttempt(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  reason: StatusReason,
): Promise<void> {
  if (payment.status !== 'pending' && payment.status !== 'failed') return
  const now = payment.lockedAt
  const reasonToEnd = terminationReasonOf(payment)
  if (payment.status === 'pending' && reasonToEnd !== null) {
    await terminatePayment(ctx, tx, payment, reasonToEnd)
    return
  }
  // Another attempt is held for an operator: until the decision, the payment's status reason says so.
  const attempts = await attemptsOf(tx, payment.accountId, payment.id)
  if (attempts.some(({ status }) => isOpen(status))) return
  await updatePayment(tx, payment, { statusReason: reasonToEnd ?? reason }, now)
}

async function wait(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  attempt: Attempt,
  { status, isPending, facts }: DecisionOf<'wait'>,
): Promise<AttemptStatus> {
  const next = await schedule(ctx, tx, payment, attempt)
  await updateAttempt(tx, attempt, { ...facts, status, nextCheckAt: next }, payment.lockedAt)
  if (next === null || payment.status !== 'pending') return status
  const { statusReason } = payment
  if (isPending ? statusReason === 'checking' : statusReason !== 'under_review')
    await updatePayment(
      tx,
      payment,
      { statusReason: isPending ? 'awaiting_payer' : 'checking' },
      payment.lockedAt,
    )
  return status
}

async function schedule(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  attempt: Attempt,
): Promise<Date | null> {
  const now = payment.lockedAt
  // An operator already has it: further look-ups would fail again.
  if (attempt.outcomeFailures >= MOST_OUTCOME_FAILURES) return null
  const next = nextCheckAt(attempt.createdAt, now, ctx.providers.minPollMs(attempt.provider), ctx.ids)
  if (next === null) {
    ctx.log.error({ attemptId: attempt.id }, 'an attempt is still open after a day; a person has to look')
    await putUnderReview(tx, payment)
  }
  return next
}

async function hold(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  attempt: Attempt,
  { why, facts }: DecisionOf<'hold'>,
): Promise<AttemptStatus> {
  ctx.log.error({ paymentId: payment.id, attemptId: attempt.id, why }, 'an attempt is held for review')
  const change = {
    ...facts,
    status: 'held',
    heldBecause: why,
    failureReason: null,
    nextCheckAt: null,
  } as const
  await updateAttempt(tx, attempt, { ...change, ...watchEnd(attempt) }, payment.lockedAt)
  await putUnderReview(tx, payment)
  return 'held'
}

/** A completed payment does not change, whatever the result of a further attempt. */
export async function putUnderReview(tx: Tx, payment: LockedPayment): Promise<void> {
  if (!canMove(payment.status, 'complete') || payment.statusReason === 'under_review') return
  await updatePayment(tx, payment, { statusReason: 'under_review' }, payment.lockedAt)
}
