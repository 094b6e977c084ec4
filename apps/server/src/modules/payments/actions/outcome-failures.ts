import { isDatabaseAway, isDatabaseBusy, type Tx } from '../../../platform/db/database.ts'
import { invariant } from '../../../platform/errors.ts'
import type { PaymentsCtx } from '../context.ts'
import { isUnderway } from '../machine.ts'
import { MOST_OUTCOME_FAILURES } from '../outcome.ts'
import type { Attempt, Refund } from '../payment.ts'
import { lockPayment } from '../store.ts'
import { findAttempt, updateAttempt } from '../store-attempts.ts'
import { findRefund, updateRefund } from '../store-refunds.ts'
import { putUnderReview } from './apply-outcome.ts'

/**
 * Waits until the outcome of a call is recorded. A failure that is not the database's is counted on the call's row, and after a few of
 * them the call comes before an operator: without the count it would be looked up, and fail, for ever.
 * @throws what `recorded` rejects with
 */
export async function countingFailures(
  ctx: PaymentsCtx,
  call: Attempt | Refund,
  recorded: Promise<unknown>,
): Promise<void> {
  try {
    await recorded
  } catch (error) {
    if (!isDatabaseAway(error) && !isDatabaseBusy(error)) await countFailure(ctx, call)
    throw error
  }
}

const countFailure = (ctx: PaymentsCtx, call: Attempt | Refund): Promise<void> =>
  ctx.db.tx(async (tx) => {
    const payment = await lockPayment(tx, call.merchantId, call.paymentId)
    invariant(payment, 'a payment is never deleted')
    if (!(await countOn(tx, call, payment.lockedAt))) return
    ctx.log.error({ id: call.id }, 'the outcome of a provider call cannot be recorded; a person has to look')
    if ('method' in call) await putUnderReview(tx, payment)
  })

/** Whether no further look-up is due. */
async function countOn(tx: Tx, { merchantId, ...call }: Attempt | Refund, now: Date): Promise<boolean> {
  if ('method' in call) {
    const attempt = await findAttempt(tx, merchantId, call.id)
    if (!attempt || !isUnderway(attempt.status)) return false
    const counted = countedOn(attempt)
    await updateAttempt(tx, attempt, counted, now)
    return counted.nextCheckAt === null
  }
  const refund = await findRefund(tx, merchantId, call.id)
  if (!refund || !isUnderway(refund.status)) return false
  const counted = countedOn(refund)
  await updateRefund(tx, refund, counted, now)
  return counted.nextCheckAt === null
}

const countedOn = ({ outcomeFailures }: Attempt | Refund) => {
  const counted = outcomeFailures + 1
  return { outcomeFailures: counted, ...(counted >= MOST_OUTCOME_FAILURES && { nextCheckAt: null }) }
}
