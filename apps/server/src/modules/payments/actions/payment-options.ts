import type { PaymentOptions } from '@muripo/contract/payment-actions'
import type { Queryable } from '../../../platform/db/database.ts'
import { listActive } from '../../applications/index.ts'
import type { SessionCaller } from '../../identity/index.ts'
import type { PaymentsCtx } from '../context.ts'
import { payableCurrencies } from './payable-methods.ts'

/** The choices of a member who creates a payment. It tells no more than the names of applications, which not every such role may read. */
export async function paymentOptions(
  { config, providers }: Pick<PaymentsCtx, 'config' | 'providers'>,
  q: Queryable,
  { merchantId, applications }: Pick<SessionCaller, 'merchantId' | 'applications'>,
): Promise<PaymentOptions> {
  const active = await listActive(q, merchantId)
  return {
    applications: active.filter(({ id }) => applications?.includes(id) ?? true),
    currencies: payableCurrencies(providers.offeredIn(config.keyMode, merchantId)),
  }
}
