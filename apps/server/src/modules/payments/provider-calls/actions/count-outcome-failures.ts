import type { Tx } from '../../../../platform/db/database.ts'
import { isDatabaseAway, isDatabaseBusy } from '../../../../platform/db/failures.ts'
import { invariant } from '../../../../platform/errors.ts'
import { underReview } from '../../attempts/outcome-changes.ts'
import type { PaymentsCtx } from '../../context.ts'
import { applyChange } from '../../payment/commit.ts'
import { isUnderway } from '../../payment/moves.ts'
import { MOST_OUTCOME_FAILURES } from '../../payment/outcome.ts'
import type { Attempt, Refund } from '../../payment/payment.ts'
import { findAttempt, updateAttempt } from '../../payment/store-attempts.ts'
import { lockPayment } from '../../payment/store-payment.ts'
import { findRefund, updateRefund } from '../../payment/store-refunds.ts'
import { openAnomaly } from '../../review/actions/open-anomaly.ts'

/**
 * Waits until the outcome of a call is recorded. A failure that is not the database's is counted on the call's row, and after a few
 * failures an operator reviews the call: without the count the look-up would be repeated, and fail, for ever.
 * @throws the rejection of `recorded`
 */
export async function countingFailures<Result>(
  ctx: PaymentsCtx,
  call: Attempt | Refund,
  recorded: Promise<Result>,
): Promise<Result> {
  try {
    return await recorded
  } catch (error) {
    if (!isDatabaseAway(error) && !isDatabaseBusy(error)) await countFailure(ctx, call)
    throw error
  }
}

const countFailure = (ctx: PaymentsCtx, call: Attempt | Refund): Promise<void> =>
  ctx.db.tx(async (tx) => {
    const payment = await lockPayment(tx, call.accountId, call.paymentId)
    invariant(payment, 'a payment is never deleted')
    const counted = await countOn(tx, call, payment.lockedAt)
    if (counted === null) return
    ctx.log.error(
      { id: call.id },
      'the outcome of a provider call cannot be recorded; an operator has to decide',
    )
    const { attempt, refund } = counted
    if ((refund ?? attempt).status === 'failed') {
      const providerStatus = 'its reply could not be recorded'
      await openAnomaly(ctx, tx, { payment, ...counted, kind: 'unanswered', providerStatus })
    } else if (!refund) {
      const { change } = underReview(payment)
      if (change) await applyChange(ctx, tx, { payment, at: payment.lockedAt, change })
    }
  })

interface Counted {
  readonly attempt: Attempt
  readonly refund?: Refund
}

/** @returns the counted call, when no further look-up is due */
async function countOn(tx: Tx, { accountId, ...call }: Attempt | Refund, now: Date): Promise<Counted | null> {
  if ('method' in call) {
    const attempt = await findAttempt(tx, accountId, call.id)
    if (!attempt || !isCounted(attempt)) return null
    const counted = countedOn(attempt)
    await updateAttempt(tx, attempt, counted, now)
    return isAtLimit(counted) ? { attempt } : null
  }
  const refund = await findRefund(tx, accountId, call.id)
  if (!refund || !isCounted(refund)) return null
  const counted = countedOn(refund)
  await updateRefund(tx, refund, counted, now)
  const attempt = await findAttempt(tx, accountId, refund.attemptId)
  invariant(attempt, 'a refund has its charge')
  return isAtLimit(counted) ? { attempt, refund } : null
}

/** Look-ups are scheduled for calls in progress, and for failed calls that are watched. */
const isCounted = ({ status }: Attempt | Refund): boolean => isUnderway(status) || status === 'failed'

const isAtLimit = ({ outcomeFailures }: { readonly outcomeFailures: number }): boolean =>
  outcomeFailures >= MOST_OUTCOME_FAILURES

const countedOn = ({ outcomeFailures, status }: Attempt | Refund) => {
  const counted = { outcomeFailures: outcomeFailures + 1 }
  if (!isAtLimit(counted)) return counted
  return { ...counted, ...(status === 'failed' ? { nextWatchAt: null } : { nextCheckAt: null }) }
}
