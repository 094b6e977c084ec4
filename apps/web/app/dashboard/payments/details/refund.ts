import type { DashboardPayment, refundPayment } from '@muripo/contract/payments'
import { send } from '../../../lib/session/session.ts'

/** True when the money is on its way back; an answer that is still open (202) counts as "try again later". */
export async function refund({ paymentId, amount, currency }: DashboardPayment): Promise<boolean> {
  const result = await send<typeof refundPayment>('POST', '/payments/refund', {
    body: { paymentId, amount, currency },
  })
  return (result.status === 200 || result.status === 201) && result.data !== null
}
