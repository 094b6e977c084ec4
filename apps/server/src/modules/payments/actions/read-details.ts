import type { PaymentDetails } from '@muripo/contract/dashboard-payments'
import type { AccountId, PaymentId, RefundId } from '@muripo/contract/ids'
import type { Queryable } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { answer } from '../../../platform/http/route.ts'
import { findApplicationName } from '../../applications/index.ts'
import { openAttemptOf } from '../attempts/open-attempt.ts'
import type { PaymentsCtx } from '../context.ts'
import type { Payment, Refund } from '../payment/payment.ts'
import { anomaliesOf } from '../payment/store-anomalies.ts'
import { attemptsOf } from '../payment/store-attempts.ts'
import { instructionOf } from '../payment/store-instructions.ts'
import { findPayment } from '../payment/store-payment.ts'
import { refundsOf } from '../payment/store-refunds.ts'
import { timelineOf } from '../payment/timeline.ts'
import { paymentUrlOf, toDashboard, toShownAttempt } from '../payment/wire.ts'
import { operatorsReason } from '../review/actions/resolve-refund.ts'
import { findOperatorRefund } from '../review/store-in-review.ts'

/** @throws AppError not_found, for another merchant's payment and for an unknown id alike */
export async function readDetails(
  ctx: PaymentsCtx,
  accountId: AccountId,
  paymentId: PaymentId,
  db: Queryable = ctx.reads.kysely,
): Promise<PaymentDetails> {
  const payment = await findPayment(db, accountId, paymentId)
  if (payment === null) throw new AppError('not_found')
  const applicationName = await findApplicationName(db, accountId, payment.applicationId)
  const attempts = await attemptsOf(db, accountId, paymentId)
  const refunds = await refundsOf(db, accountId, paymentId)
  const explained = await explanations(db, refunds)
  const instruction = await instructionOf(db, payment)
  const anomalies = await anomaliesOf(db, accountId, paymentId)
  const now = ctx.clock.now()
  return {
    ...toDashboard(payment, applicationName),
    customer: payment.customer,
    timeline: timelineOf({ payment, attempts, refunds, instruction, anomalies, explained }, now),
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
async function explanations(db: Queryable, refunds: readonly Refund[]): Promise<Map<RefundId, string>> {
  const explained = new Map<RefundId, string>()
  for (const { id, status } of refunds) {
    const operatorRefunds = status === 'failed' ? await findOperatorRefund(db, id) : null
    const reason = operatorRefunds && operatorsReason(operatorRefunds)
    if (reason) explained.set(id, reason)
  }
  return explained
}
