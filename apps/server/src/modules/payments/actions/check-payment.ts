import type { AccountId, PaymentId } from '@muripo/contract/ids'
import { AppError } from '../../../platform/errors.ts'
import { refuseSpent } from '../../../platform/limits/admit.ts'
import type { PaymentsCtx } from '../context.ts'
import type { Payment } from '../payment/payment.ts'
import { findPayment } from '../payment/store-payment.ts'
import type { createRequestedLookUps } from './requested-look-ups.ts'

/**
 * Looks the open attempt of a payment up for its merchant. A payment without one is returned as it is.
 * @throws AppError not_found, rate_limited
 */
export async function checkPayment(
  ctx: PaymentsCtx,
  { countLookUp, lookUp }: ReturnType<typeof createRequestedLookUps>,
  named: { readonly accountId: AccountId; readonly id: PaymentId },
): Promise<Payment> {
  const find = () => findPayment(ctx.db.kysely, named.accountId, named.id)
  const before = await find()
  if (before === null) throw new AppError('not_found')
  refuseSpent([countLookUp(named.id)], ctx.clock.now())
  return (await lookUp(named)) === null ? before : ((await find()) ?? before)
}
