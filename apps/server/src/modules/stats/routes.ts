import type { MerchantId } from '@muripo/contract/ids'
import { getDashboardStats } from '@muripo/contract/stats'
import type { Ctx } from '../../platform/ctx.ts'
import { answer, type Binding, bind } from '../../platform/http/route.ts'
import { readDashboardStats } from './actions/read-dashboard-stats.ts'

export function statsRoutes(ctx: Ctx): Binding<{ merchantId: MerchantId }>[] {
  return [
    bind(getDashboardStats, async ({ caller }) =>
      answer(200, { data: await readDashboardStats(ctx, caller.merchantId) }),
    ),
  ]
}
