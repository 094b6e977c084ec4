import type { PaymentDetails } from '@muripo/contract/dashboard-payments'
import type { AccountId, PaymentId, RefundId } from '@muripo/contract/ids'
import type { Queryable } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { answer } from '../../../platform/http/route.ts'
import { findApplicationName } from '../../applications/index.ts'
import type { PaymentsCtx } from '../context.ts'
import { openAttemptOf } from '../payment/open-attempt.ts'
import type { Payment, Refund } from '../payment/payment.ts'
import { readWhole } from '../payment/state.ts'
import { timelineOf } from '../payment/timeline.ts'
import { paymentUrlOf, toDashboard, toShownAttempt } from '../payment/wire.ts'
import { operatorsReason } from './resolve-refund.ts'

/** @throws AppError not_found, for another merchant's payment and for an unknown id alike */
export async function readDetails(
  ctx: PaymentsCtx,
  accountId: AccountId,
  paymentId: PaymentId,
  db: Queryable = ctx.reads.kysely,
): Promise<PaymentDetails> {
  const state = await readWhole(db, accountId, paymentId)
  if (state === null) throw new AppError('not_found')
  const { payment, attempts } = state
  const applicationName = await findApplicationName(db, accountId, payment.applicationId)
  const refunds = state.refunds.filter(({ origin }) => origin === 'merchant')
  const now = ctx.clock.now()
  return {
    ...toDashboard(payment, applicationName),
    customer: payment.customer,
    timeline: timelineOf({ ...state, refunds, explained: explanations(refunds) }, now),
    attempts: attempts.toReversed().map((attempt) => toShownAttempt(attempt, payment)),
    paymentUrl: paymentUrlOf(ctx, payment),
    openAttempt: openAttemptOf(ctx, payment, attempts, now),
  }
}

/** The details after a call that may have changed the payment. They are a part of its response, so that the dashboard does not read them again. */
export const changedDetails = (ctx: PaymentsCtx, { accountId, id }: Pick<Payment, 'accountId' | 'id'>) =>
  readDetails(ctx, accountId, id, ctx.db.kysely)

/** The payment after a call of the dashboard that reaches a provider: 202 until the provider has confirmed it. */
export async function answerWithDetails(
  ctx: PaymentsCtx,
  { payment, isDone }: { readonly payment: Payment; readonly isDone: boolean },
) {
  const details = await changedDetails(ctx, payment)
  return isDone ? answer(200, details) : answer(202, details)
}

/** The operators' reasons for refunds that could not be sent by hand. */
function explanations(refunds: readonly Refund[]): Map<RefundId, string> {
  const explained = new Map<RefundId, string>()
  for (const refund of refunds) {
    const reason = operatorsReason(refund)
    if (reason !== null) explained.set(refund.id, reason)
  }
  return explained
}
