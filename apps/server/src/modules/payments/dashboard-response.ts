import type { MerchantId } from '@muripo/contract/ids'
import { answer } from '../../platform/http/route.ts'
import { findApplicationName } from '../applications/index.ts'
import type { PaymentsCtx } from './context.ts'
import type { Payment } from './payment.ts'
import { toDashboard } from './wire.ts'

/** The payment after a call of the dashboard that reaches a provider: 202 until the provider has confirmed it. */
export async function answerWithPayment(
  ctx: PaymentsCtx,
  merchantId: MerchantId,
  { payment, isDone }: { readonly payment: Payment; readonly isDone: boolean },
) {
  const name = await findApplicationName(ctx.db.kysely, merchantId, payment.applicationId)
  const shown = toDashboard(payment, name)
  return isDone ? answer(200, shown) : answer(202, shown)
}
