import type { AttemptId } from '@muripo/contract/ids'
import { equals, type Money } from '@muripo/contract/money'
import type { StatusReason } from '@muripo/contract/payments'
import type { Tx } from '../../../../platform/db/database.ts'
import { invariant } from '../../../../platform/errors.ts'
import { uuidOf } from '../../../../platform/ids.ts'
import { clearing, post } from '../../../ledger/index.ts'
import type { Reply } from '../../../providers/index.ts'
import type { PaymentsCtx } from '../../context.ts'
import { updateAndEmit } from '../../events.ts'
import { type AttemptStatus, afterMove, canMove, isOpen, isSettled, isUnderway } from '../../machine.ts'
import type { Attempt, LockedPayment } from '../../payment.ts'
import { isMoney, watchEnd, watchOn } from '../../provider-calls/actions/watch-failed.ts'
import {
  type CallOutcome,
  type Decision,
  factsOf,
  interpretOutcome,
  MOST_OUTCOME_FAILURES,
  traceOf,
} from '../../provider-calls/outcome.ts'
import { newWatch, nextCheckAt, noWatch } from '../../provider-calls/schedule.ts'
import { openDuplicateRefund } from '../../refunds/actions/open-duplicate-refund.ts'
import type { OpenedRefund } from '../../refunds/actions/open-refund.ts'
import { sendRefund } from '../../refunds/actions/send-refund.ts'
import { unbookMoved } from '../../review/actions/book-difference.ts'
import { reviewBookedCharge } from '../../review/actions/open-anomaly.ts'
import { movedOf } from '../../review/store-moved.ts'
import { lockPayment, updatePayment } from '../../store.ts'
import { terminatePayment, terminationReasonOf } from '../../termination.ts'
import { type AttemptChange, attemptsOf, findAttempt, updateAttempt } from '../store-attempts.ts'

/**
 * The only door through which a payment changes on a provider's word: the reply to the charge, a look-up after a callback, a poll and
 * a reconciliation all end here, and so does what an operator has learnt from the provider. The same outcome twice is one change.
 * Payment, ledger and event commit together.
 * @param alongside what belongs to the commit in which the attempt comes to something else
 * @returns what the attempt has come to; null when it stays what it was
 */
export async function applyOutcome(
  ctx: PaymentsCtx,
  { merchantId, paymentId, id: attemptId }: Pick<Attempt, 'merchantId' | 'paymentId' | 'id'>,
  outcome: CallOutcome | Decision,
  alongside: (tx: Tx, status: AttemptStatus) => Promise<void> = async () => {},
): Promise<AttemptStatus | null> {
  const { status, duplicate, msisdn } = await ctx.db.groupCommit(paymentId, async (tx) => {
    const payment = await lockPayment(tx, merchantId, paymentId)
    // Read behind the payment's lock: another outcome may have been applied while this one waited.
    const attempt = await findAttempt(tx, merchantId, attemptId)
    invariant(payment && attempt, 'payments and attempts are never deleted')

    const status = await apply(ctx, tx, payment, attempt, outcome)
    const { msisdn } = attempt
    if (status === attempt.status) return { status: null, duplicate: null, msisdn }
    await alongside(tx, status)
    const duplicate = status === 'duplicate' ? await refundDuplicate(ctx, tx, payment, attemptId) : null
    return { status, duplicate, msisdn }
  })
  const isProvidersFault = outcome.kind === 'failed' && outcome.reason === 'provider_unavailable'
  if (status === 'completed' || (status === 'failed' && !isProvidersFault))
    ctx.attemptLimits.noteResult(merchantId, msisdn, status)
  // Should this process die before, the refund is looked up, and ends with an operator.
  if (duplicate) await sendRefund(ctx, duplicate)
  return status
}

/** The payment was paid already: what came besides is the payer's. */
async function refundDuplicate(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  attemptId: AttemptId,
): Promise<OpenedRefund> {
  ctx.log.error({ paymentId: payment.id, attemptId }, 'a payment was paid twice; the second money goes back')
  const attempt = await findAttempt(tx, payment.merchantId, attemptId)
  invariant(attempt, 'an attempt is never deleted')
  return openDuplicateRefund(ctx, tx, payment, attempt)
}

/** @returns what the attempt has come to */
async function apply(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  attempt: Attempt,
  said: CallOutcome | Decision,
): Promise<AttemptStatus> {
  if (said.kind === 'decided') return decide(ctx, tx, payment, attempt, said)
  const outcome = interpretOutcome(payment.lockedAt, attempt, said)
  if (isSettled(attempt.status)) {
    // A provider that does not know what it has confirmed is asked again with the next callback.
    if (said.kind !== 'missing') await reviewBookedCharge(ctx, tx, payment, attempt, outcome)
    return attempt.status
  }
  if (attempt.status === 'failed' && !isMoney(outcome)) {
    await watchOn(ctx, tx, payment, attempt, said.kind === 'missing' ? said : outcome)
    return attempt.status
  }
  if (outcome.kind === 'unknown') return stillUnknown(ctx, tx, payment, attempt, traceOf(outcome))
  if (outcome.kind === 'failed') {
    const { reason, neverSent } = outcome
    return fail(ctx, tx, payment, attempt, reason, traceOf(outcome), neverSent)
  }
  const facts = factsOf(outcome.reply, attempt, outcome.keepsState)
  switch (outcome.reply.outcome) {
    case 'completed':
      return complete(ctx, tx, payment, attempt, outcome.reply, facts)
    case 'failed':
      return fail(ctx, tx, payment, attempt, outcome.reply.reason ?? 'declined', facts)
    case 'pending':
      return stillPending(ctx, tx, payment, attempt, facts)
    case 'refunded':
    case 'reversed':
      // A charge that its provider calls refunded moved money both ways outside of our refunds: a person has to look.
      return hold(
        ctx,
        tx,
        payment,
        attempt,
        facts,
        `the provider says that the charge was ${outcome.reply.outcome}`,
      )
  }
}

/** A held attempt is as open to a decision as one that is still asked for. */
async function decide(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  attempt: Attempt,
  { verdict }: Decision,
): Promise<AttemptStatus> {
  if (!isOpen(attempt.status)) return attempt.status
  const open: Attempt = { ...attempt, status: 'unknown' }
  if (attempt.status === 'held') await unbookMoved(ctx, tx, attempt)
  const providerStatus = `${verdict.outcome}, says an operator`
  if (verdict.outcome === 'failed') {
    await fail(ctx, tx, payment, open, 'declined', { providerStatus })
    // A person has seen the word that held it: a watch would hold it again by the same word.
    if (attempt.status === 'held') await updateAttempt(tx, attempt, { nextWatchAt: null }, payment.lockedAt)
    return 'failed'
  }
  const { reference } = verdict
  const facts = { providerStatus, providerReference: reference, notFoundChecks: 0 }
  return complete(ctx, tx, payment, open, { echo: attempt.amount, providerReference: reference }, facts)
}

async function complete(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  attempt: Attempt,
  reply: Pick<Reply, 'echo' | 'providerReference'>,
  facts: AttemptChange,
): Promise<AttemptStatus> {
  if (isSettled(attempt.status) || attempt.status === 'held') return attempt.status
  // A success that does not say what was paid is no success yet: the next look may say it.
  if (reply.echo === null) return stillUnknown(ctx, tx, payment, attempt, facts)
  if (attempt.status === 'failed') {
    // A person has booked this amount.
    if ((await movedOf(tx, attempt)) === reply.echo.minor) return attempt.status
    await unbookMoved(ctx, tx, attempt)
  }
  if (!equals(reply.echo, attempt.amount)) {
    return hold(ctx, tx, payment, attempt, facts, 'the provider moved another amount than asked')
  }
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
      providerReference: reply.providerReference ?? attempt.providerReference,
      fee,
      completedAt: now,
    },
    'payment.completed',
  )
  return status
}

/** The merchant is owed the whole amount, and owes the fee of it. */
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
    payment.merchantId,
    { kind: 'capture', debit: clearing(attempt.provider), credit: payable, amount: payment.amount, ...cause },
    { kind: 'fee', debit: payable, credit: 'fee.revenue', amount: fee, ...cause },
  )
}

async function fail(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  attempt: Attempt,
  reason: StatusReason,
  facts: AttemptChange,
  neverSent = false,
): Promise<AttemptStatus> {
  if (!isUnderway(attempt.status)) return attempt.status
  const now = payment.lockedAt
  const watch = neverSent ? noWatch(now) : newWatch(now, ctx.ids)
  const change = { ...facts, status: 'failed', failureReason: reason, nextCheckAt: null, ...watch } as const
  await updateAttempt(tx, attempt, change, now)
  await afterFailedAttempt(ctx, tx, payment, reason)
  return 'failed'
}

/** The payer may try again, unless the payment takes no more attempts. */
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
  // Money of another attempt is in doubt: until a person has looked, that is what the payment says.
  const attempts = await attemptsOf(tx, payment.merchantId, payment.id)
  if (attempts.some(({ status }) => isOpen(status))) return
  await updatePayment(tx, payment, { statusReason: reasonToEnd ?? reason }, now)
}

async function stillPending(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  attempt: Attempt,
  facts: AttemptChange,
): Promise<AttemptStatus> {
  if (!isUnderway(attempt.status)) return attempt.status
  const next = await schedule(ctx, tx, payment, attempt)
  await updateAttempt(tx, attempt, { ...facts, status: 'pending', nextCheckAt: next }, payment.lockedAt)
  if (next !== null && payment.status === 'pending' && payment.statusReason === 'checking') {
    await updatePayment(tx, payment, { statusReason: 'awaiting_payer' }, payment.lockedAt)
  }
  return 'pending'
}

async function stillUnknown(
  ctx: PaymentsCtx,
  tx: Tx,
  payment: LockedPayment,
  attempt: Attempt,
  facts: AttemptChange,
): Promise<AttemptStatus> {
  if (!isUnderway(attempt.status)) return attempt.status
  const next = await schedule(ctx, tx, payment, attempt)
  // A provider that had the charge and cannot be asked now still has it.
  const status = attempt.status === 'pending' ? 'pending' : 'unknown'
  await updateAttempt(tx, attempt, { ...facts, status, nextCheckAt: next }, payment.lockedAt)
  if (next !== null && payment.status === 'pending' && payment.statusReason !== 'under_review') {
    await updatePayment(tx, payment, { statusReason: 'checking' }, payment.lockedAt)
  }
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
  facts: AttemptChange,
  why: string,
): Promise<AttemptStatus> {
  if (attempt.status === 'held' || isSettled(attempt.status)) return attempt.status
  ctx.log.error({ paymentId: payment.id, attemptId: attempt.id, why }, 'an attempt is held for review')
  const now = payment.lockedAt
  await updateAttempt(
    tx,
    attempt,
    {
      ...facts,
      status: 'held',
      heldBecause: why,
      failureReason: null,
      nextCheckAt: null,
      ...watchEnd(attempt),
    },
    now,
  )
  await putUnderReview(tx, payment)
  return 'held'
}

/** A payment that is paid stays as it is, whatever a further attempt of its payer comes to. */
export async function putUnderReview(tx: Tx, payment: LockedPayment): Promise<void> {
  if (!canMove(payment.status, 'complete') || payment.statusReason === 'under_review') return
  await updatePayment(tx, payment, { statusReason: 'under_review' }, payment.lockedAt)
}
