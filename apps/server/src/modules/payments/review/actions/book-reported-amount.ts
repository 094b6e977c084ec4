import { type Money, subtract } from '@muripo/contract/money'
import type { Actor } from '../../../../platform/audit/actor.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { uuidOf } from '../../../../platform/ids.ts'
import { adjust, clearing, toSuspense } from '../../../ledger/index.ts'
import type { PaymentsCtx } from '../../context.ts'
import { isBooked } from '../../payment/moves.ts'
import type { Attempt, LockedPayment, Refund } from '../../payment/payment.ts'
import type { Anomaly } from '../../payment/store-anomalies.ts'
import { bookedAmount, bookedRefund } from '../store-booked.ts'

interface About {
  readonly payment: LockedPayment
  readonly anomaly: Anomaly
  readonly attempt: Attempt
  readonly refund: Refund | null
}

/** The whole amount that the provider has charged or refunded. to: the side of the difference, the merchant's for a second capture. */
export interface ReportedAmount {
  readonly total: Money
  readonly to: 'suspense' | 'merchant'
  readonly reason: string
}

/**
 * Books the difference between the amount at the provider and the booked one, so that clearing equals the money at the provider. Only an
 * amount that was captured besides is the merchant's.
 */
export async function bookReportedAmount(
  ctx: PaymentsCtx,
  tx: Tx,
  operator: Actor,
  { payment, anomaly, attempt, refund }: About,
  { total, to, reason }: ReportedAmount,
): Promise<'done' | 'unfit'> {
  const isDone = refund ? refund.status === 'completed' : isBooked(attempt.status)
  if (anomaly.kind !== 'amount_differs' || !isDone) return 'unfit'
  const { provider } = attempt
  const difference = refund
    ? subtract(await bookedRefund(tx, refund, provider), total)
    : subtract(total, await bookedAmount(tx, { payment, attempt }))
  const isSecondCapture = refund === null && attempt.status === 'completed' && difference.minor > 0n
  if (to === 'merchant' && !isSecondCapture) return 'unfit'
  const transfer = toSuspense(clearing(provider), difference)
  if (transfer === null) return 'unfit'
  await adjust(ctx, tx, payment.accountId, operator, {
    ...transfer,
    ...(to === 'merchant' && { credit: 'merchant.payable' }),
    paymentId: payment.id,
    reason,
    causeId: uuidOf((refund ?? attempt).id),
  })
  return 'done'
}
