import { isDatabaseAway, isDatabaseBusy } from '../../../platform/db/failures.ts'
import type { PaymentsCtx } from '../context.ts'
import { changePayment } from '../payment/commit.ts'
import { underReview } from '../payment/decide/charge-decision.ts'
import { openAnomaly } from '../payment/decide/open-anomaly.ts'
import { alarm, both, type Effects } from '../payment/effects.ts'
import { isUnderway } from '../payment/moves.ts'
import { MOST_OUTCOME_FAILURES } from '../payment/outcome.ts'
import type { Attempt, Refund } from '../payment/payment.ts'
import { attemptIn, refundIn, type WholeState, wholeOf } from '../payment/state.ts'

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
  changePayment(
    ctx,
    () => wholeOf(ctx.db.kysely, call),
    (state) => ({ effects: counted(ctx, state, call), result: () => undefined }),
  )

/** Look-ups are scheduled for calls in progress, and for failed calls that are watched. Other calls are not counted. */
function counted(ctx: PaymentsCtx, state: WholeState, call: Attempt | Refund): Effects | null {
  const now = 'method' in call ? { attempt: attemptIn(state, call.id) } : refundWithCharge(state, call.id)
  const { status, outcomeFailures } = now.refund ?? now.attempt
  if (!isUnderway(status) && status !== 'failed') return null
  const isAtLimit = outcomeFailures + 1 >= MOST_OUTCOME_FAILURES
  const end = status === 'failed' ? { nextWatchAt: null } : { nextCheckAt: null }
  const change = { outcomeFailures: outcomeFailures + 1, ...(isAtLimit && end) }
  const effects: Effects = now.refund
    ? { refund: { before: now.refund, change } }
    : { attempt: { before: now.attempt, change } }
  if (!isAtLimit) return effects
  const reviewed = both(
    effects,
    alarm({ id: call.id }, 'the outcome of a provider call cannot be recorded; an operator has to decide'),
  )
  if (status === 'failed') {
    const providerStatus = 'its reply could not be recorded'
    return both(reviewed, openAnomaly(ctx, state, { ...now, kind: 'unanswered', providerStatus }).effects)
  }
  return now.refund ? reviewed : both(reviewed, underReview(state.payment))
}

function refundWithCharge(state: WholeState, id: Refund['id']): { attempt: Attempt; refund?: Refund } {
  const { refund, charge: attempt } = refundIn(state, id)
  return { attempt, refund }
}
