import type { Tx } from '../../../../platform/db/database.ts'
import { invariant } from '../../../../platform/errors.ts'
import type { PaymentsCtx } from '../../context.ts'
import { applyChange, commitChange } from '../../payment/commit.ts'
import { type AttemptDecision, decideAttempt } from '../../payment/decide/charge-reply.ts'
import { captureOrderOf } from '../../payment/instruction.ts'
import { type AttemptStatus, canMove, isBooked, isUnderway } from '../../payment/moves.ts'
import type { CallOutcome, Decision } from '../../payment/outcome.ts'
import type { Attempt } from '../../payment/payment.ts'
import { type LockedState, lockState, type PaymentState, readState } from '../../payment/state.ts'
import { findAttempt } from '../../payment/store-attempts.ts'
import { watchOn } from '../../provider-calls/actions/watch-failed.ts'
import type { OpenedRefund } from '../../refunds/actions/open-refund.ts'
import { openDuplicateRefund, sendRefund } from '../../refunds/actions/open-refund.ts'
import { unbookMoved } from '../../review/actions/book-difference.ts'
import { reviewReference } from '../../review/actions/prove-by-reference.ts'
import { confirmsBooking, reviewBookedCharge } from '../../review/actions/review-charge.ts'
import { movedOf } from '../../review/store-moved.ts'
import { isCountedOut, type OutcomeDecision, outcomeChange } from '../outcome-changes.ts'

/** The status of the attempt after an outcome. */
interface Applied {
  readonly status: AttemptStatus
  readonly isNew: boolean
  readonly provider: string
  /** False: the provider has to be asked again, after the refunds of the charge have ended. */
  readonly isFinal: boolean
}

interface Effect extends Applied {
  readonly duplicate: OpenedRefund | null
  /** The payer had authorised the charge before: the outcome is that of the merchant's instruction. */
  readonly wasAuthorised: boolean
}

interface Options {
  /** The state that the call was made from, with the present time, so that its outcome is written without another reading. */
  readonly state?: PaymentState
  /** Writes in the commit that changes the attempt's status. */
  readonly alongside?: (tx: Tx, status: AttemptStatus) => Promise<void>
}

/**
 * The only function that changes a payment because of a provider's answer: the reply to the charge, look-ups, callbacks, and an operator's
 * decision all end here. A repeated outcome changes nothing. Payment, ledger transfers and event commit together.
 */
export async function applyOutcome(
  ctx: PaymentsCtx,
  ref: Pick<Attempt, 'accountId' | 'paymentId' | 'id' | 'msisdn'>,
  outcome: CallOutcome | Decision,
  { state, alongside }: Options = {},
): Promise<Applied> {
  const direct = alongside ? null : await applyUnlocked(ctx, ref, outcome, state)
  const effect = direct ?? (await applyLocked(ctx, ref, outcome, alongside))
  const { status, isNew, isFinal, duplicate } = effect
  const isProviderDown = outcome.kind === 'failed' && outcome.reason === 'provider_unavailable'
  if (isNew && !effect.wasAuthorised) {
    if (status === 'completed' || status === 'authorized')
      ctx.attemptLimits.noteResult(ref.accountId, ref, 'completed')
    else if (status === 'failed' && !isProviderDown) ctx.attemptLimits.noteResult(ref.accountId, ref, status)
  }
  const isBooking = isNew && (status === 'completed' || status === 'duplicate')
  if (isBooking && ctx.providers.references(effect.provider) === 'unique') await reviewReference(ctx, ref)
  // The refund is looked up if this process dies here, and ends with an operator.
  if (duplicate) await sendRefund(ctx, duplicate)
  return { status, isNew, isFinal, provider: effect.provider }
}

/** Of copies of an outcome that arrive together one is written, and the others then find it booked. */
async function applyUnlocked(...given: Parameters<typeof applyDirectly>): Promise<Effect | null> {
  const [ctx, ref, outcome] = given
  const first = await applyDirectly(...given)
  if (first !== 'outdated') return first
  const second = await applyDirectly(ctx, ref, outcome)
  return second === 'outdated' ? null : second
}

/**
 * Applies an outcome to an open attempt of a payment that can be completed, in one statement and without reading behind a lock. An outcome
 * that repeats the booked one locks nothing.
 * @returns null when the outcome has to be decided behind the payment's lock; outdated when another change came before it
 */
async function applyDirectly(
  ctx: PaymentsCtx,
  { accountId, paymentId, id }: Pick<Attempt, 'accountId' | 'paymentId' | 'id'>,
  outcome: CallOutcome | Decision,
  known?: PaymentState,
): Promise<Effect | 'outdated' | null> {
  const state = known ?? (await readState(ctx.db.kysely, accountId, paymentId))
  const attempt = state?.attempts.find((each) => each.id === id)
  if (!state || !attempt) return null
  const none = { duplicate: null, wasAuthorised: isAuthorised(state) }
  const { payment } = state
  if (isBooked(attempt.status) && (await confirmsBooking(ctx.db.kysely, { payment, attempt }, outcome)))
    return { ...effectOn(attempt, attempt.status), ...none }
  if (!isUnderway(attempt.status) || !canMove(payment.status, 'complete')) return null
  const decision = decideAttempt(
    { attempt, movedMinor: null, capture: captureOrderOf(state, attempt) },
    outcome,
    state.at,
  )
  if (!isOutcome(decision)) return null
  const set = outcomeChange(ctx, state, attempt, decision)
  if (set === null) return { ...effectOn(attempt, attempt.status), ...none }
  if ((await commitChange(ctx, set)) === null) return 'outdated'
  warn(ctx, attempt, decision, set.attempt.change.nextCheckAt)
  return { ...effectOn(attempt, set.attempt.change.status), ...none }
}

const isOutcome = (decision: AttemptDecision): decision is OutcomeDecision =>
  ['wait', 'authorise', 'complete', 'fail', 'hold', 'defer'].includes(decision.kind)

const isAuthorised = ({ payment }: PaymentState): boolean => payment.status === 'authorized'

const effectOn = (attempt: Attempt, status: AttemptStatus, isFinal = true): Applied => ({
  status,
  isNew: status !== attempt.status,
  provider: attempt.provider,
  isFinal,
})

const applyLocked = (
  ctx: PaymentsCtx,
  { accountId, paymentId, id }: Pick<Attempt, 'accountId' | 'paymentId' | 'id'>,
  outcome: CallOutcome | Decision,
  alongside: Options['alongside'],
): Promise<Effect> =>
  ctx.db.tx(async (tx) => {
    const state = await lockState(tx, accountId, paymentId)
    const attempt = state?.attempts.find((each) => each.id === id)
    invariant(state && attempt, 'payments and attempts are never deleted')
    const movedMinor = attempt.status === 'failed' ? await movedOf(tx, attempt) : null
    const decision = decideAttempt(
      { attempt, movedMinor, capture: captureOrderOf(state, attempt) },
      outcome,
      state.at,
    )
    const isFinal =
      decision.kind !== 'review' ||
      (await reviewBookedCharge(ctx, tx, { payment: state.payment, attempt }, decision.outcome))
    const applied = effectOn(attempt, await applyDecision(ctx, tx, state, attempt, decision), isFinal)
    const { status, isNew } = applied
    if (isNew) await alongside?.(tx, status)
    const duplicate = isNew && status === 'duplicate' ? await refundDuplicate(ctx, tx, state, attempt) : null
    return { ...applied, duplicate, wasAuthorised: isAuthorised(state) }
  })

/** @returns the status of the attempt after the decision */
async function applyDecision(
  ctx: PaymentsCtx,
  tx: Tx,
  state: LockedState,
  attempt: Attempt,
  decision: AttemptDecision,
): Promise<AttemptStatus> {
  const { payment } = state
  switch (decision.kind) {
    case 'keep':
    case 'review':
      return attempt.status
    case 'watch':
      await watchOn(ctx, tx, payment, attempt, decision.outcome)
      return attempt.status
    default: {
      if ('unbooks' in decision && decision.unbooks) await unbookMoved(ctx, tx, attempt)
      const set = outcomeChange(ctx, state, attempt, decision)
      if (set === null) return attempt.status
      await applyChange(ctx, tx, set)
      warn(ctx, attempt, decision, set.attempt.change.nextCheckAt)
      return set.attempt.change.status
    }
  }
}

/** Decisions that leave an attempt to an operator are logged as errors. */
function warn(ctx: PaymentsCtx, attempt: Attempt, decision: OutcomeDecision, nextCheckAt: Date | null): void {
  const { paymentId, id } = attempt
  if (decision.kind === 'hold')
    ctx.log.error({ paymentId, attemptId: id, why: decision.why }, 'an attempt is held for review')
  if (decision.kind === 'wait' && nextCheckAt === null && !isCountedOut(attempt))
    ctx.log.error({ attemptId: id }, 'an attempt is still open after a day; an operator has to decide')
}

/** The payment is already paid, so the second amount is owed to the payer. */
async function refundDuplicate(
  ctx: PaymentsCtx,
  tx: Tx,
  { payment }: LockedState,
  { id }: Attempt,
): Promise<OpenedRefund> {
  ctx.log.error(
    { paymentId: payment.id, attemptId: id },
    'a payment was paid twice; the second amount is refunded',
  )
  // The outcome may have added the provider's reference.
  const attempt = await findAttempt(tx, payment.accountId, id)
  invariant(attempt, 'an attempt is never deleted')
  return openDuplicateRefund(ctx, tx, payment, attempt)
}
