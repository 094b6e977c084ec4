import type { PaymentDetails } from '@muripo/contract/dashboard-payments'
import type { AccountId, PaymentId, RefundId } from '@muripo/contract/ids'
import type { Queryable } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { findApplicationName } from '../../applications/index.ts'
import { attemptsOf } from '../attempts/store-attempts.ts'
import { instructionOf } from '../captures/store-instructions.ts'
import type { PaymentsCtx } from '../context.ts'
import type { Refund } from '../payment.ts'
import { refundsOf } from '../refunds/store-refunds.ts'
import { operatorsReason } from '../review/actions/resolve-refund.ts'
import { findOperatorRefund } from '../review/store-in-review.ts'
import { findPayment } from '../store.ts'
import { timelineOf } from '../timeline.ts'
import { toDashboard, toShownAttempt } from '../wire.ts'

/** @throws AppError not_found, for another merchant's payment and for an unknown id alike */
export async function readDetails(
  ctx: PaymentsCtx,
  accountId: AccountId,
  paymentId: PaymentId,
): Promise<PaymentDetails> {
  const db = ctx.reads.kysely
  const payment = await findPayment(db, accountId, paymentId)
  if (payment === null) throw new AppError('not_found')
  const applicationName = await findApplicationName(db, accountId, payment.applicationId)
  const attempts = await attemptsOf(db, accountId, paymentId)
  const refunds = await refundsOf(db, accountId, paymentId)
  const explained = await explanations(db, refunds)
  const instruction = await instructionOf(db, payment)
  return {
    ...toDashboard(payment, applicationName),
    customer: payment.customer,
    timeline: timelineOf({ payment, attempts, refunds, instruction, explained }, ctx.clock.now()),
    attempts: attempts.toReversed().map((attempt) => toShownAttempt(attempt, payment)),
  }
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
