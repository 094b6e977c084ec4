import { PaymentId } from '@muripo/contract/ids'
import { AppError } from '../../platform/errors.ts'
import { requestedId } from '../../platform/ids.ts'
import type { SessionCaller } from '../identity/index.ts'
import type { PaymentsCtx } from './context.ts'
import { findPayment } from './payment/store-payment.ts'

/**
 * The id of a payment that a member named. Only a member who is limited to some applications costs a reading.
 * @throws AppError not_found for a payment of another application
 */
export async function memberPaymentId(
  { db }: Pick<PaymentsCtx, 'db'>,
  { merchantId, applications }: Pick<SessionCaller, 'merchantId' | 'applications'>,
  requested: string,
): Promise<PaymentId> {
  const id = requestedId(PaymentId, requested)
  if (applications === null) return id
  const payment = await findPayment(db.kysely, merchantId, id)
  if (payment === null || !applications.includes(payment.applicationId)) throw new AppError('not_found')
  return id
}
