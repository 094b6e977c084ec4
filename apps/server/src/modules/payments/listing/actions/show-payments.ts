import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import type { AccountId, PaymentId } from '@muripo/contract/ids'
import type { Ctx } from '../../../../platform/ctx.ts'
import { toDashboard } from '../../payment/wire.ts'
import { findForDashboard } from '../store-list.ts'

/** These payments of a merchant as the dashboard's list shows them. */
export async function showPayments(
  ctx: Ctx,
  accountId: AccountId,
  ids: readonly PaymentId[],
): Promise<DashboardPayment[]> {
  const found = await findForDashboard(ctx.reads.kysely, accountId, ids)
  return found.map(({ payment, applicationName }) => toDashboard(payment, applicationName))
}
