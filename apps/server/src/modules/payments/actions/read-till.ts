import type { PaymentId } from '@muripo/contract/ids'
import type { TillPaymentDetails } from '@muripo/contract/till'
import { dayAt, startOfDay } from '../../../platform/clock.ts'
import type { Queryable } from '../../../platform/db/database.ts'
import { AppError, invariant } from '../../../platform/errors.ts'
import { merchantProfile, type SessionCaller } from '../../identity/index.ts'
import type { PaymentsCtx } from '../context.ts'
import { isUnderway } from '../payment/moves.ts'
import { dialInOf, openAttemptOf } from '../payment/open-attempt.ts'
import { type PaymentState, readState } from '../payment/state.ts'
import { terminationReasonOf } from '../payment/termination.ts'
import { paymentUrlOf, toTill } from '../payment/wire.ts'

export type TillCaller = Pick<SessionCaller, 'merchantId' | 'applications'>

/** The beginning of the present day in the time zone of the merchant, in milliseconds since 1970. */
export async function startOfToday(
  { clock }: Pick<PaymentsCtx, 'clock'>,
  db: Queryable,
  { merchantId }: TillCaller,
): Promise<number> {
  const { timeZone } = await merchantProfile(db, merchantId)
  return startOfDay(dayAt(clock.now(), timeZone), timeZone)
}

/** After midnight a till still shows the end of a prompt that it has sent. */
const AFTER_MIDNIGHT_MS = 15 * 60_000

/** @throws AppError not_found, for a payment of another day, application or merchant and for an unknown id alike */
export async function readTillPayment(
  ctx: PaymentsCtx,
  caller: TillCaller,
  paymentId: PaymentId,
  db: Queryable = ctx.reads.kysely,
): Promise<TillPaymentDetails> {
  const [state, today] = await Promise.all([
    readState(db, caller.merchantId, paymentId),
    startOfToday(ctx, db, caller),
  ])
  const since = Math.min(today, ctx.clock.now().getTime() - AFTER_MIDNIGHT_MS)
  const isAmongTheirs =
    state !== null &&
    state.payment.createdAt.getTime() >= since &&
    (caller.applications?.includes(state.payment.applicationId) ?? true)
  if (!isAmongTheirs) throw new AppError('not_found')
  return toDetails(ctx, state)
}

/** The payment after a call of the till that has changed it. */
export async function changedAtTill(
  ctx: PaymentsCtx,
  { merchantId }: TillCaller,
  paymentId: PaymentId,
): Promise<TillPaymentDetails> {
  const state = await readState(ctx.db.kysely, merchantId, paymentId)
  invariant(state, 'a payment is never deleted')
  return toDetails(ctx, state)
}

function toDetails(ctx: PaymentsCtx, { payment, attempts, at }: PaymentState): TillPaymentDetails {
  const open = attempts.find(({ status }) => isUnderway(status))
  const shown = openAttemptOf(ctx, payment, attempts, at)
  return {
    ...toTill(payment),
    paymentUrl: paymentUrlOf(ctx, payment),
    paymentQr: null,
    attempts: attempts.length,
    isCancelled: terminationReasonOf(payment, at) !== null,
    openAttempt: shown && { ...shown, dialIn: open === undefined ? null : dialInOf(ctx, open) },
  }
}
