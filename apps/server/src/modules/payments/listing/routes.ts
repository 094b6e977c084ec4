import { listPayments } from '@muripo/contract/dashboard-payments'
import * as contract from '@muripo/contract/payments'
import { pageOf, publicPage } from '../../../platform/http/page.ts'
import { answer, type Binding, bind } from '../../../platform/http/route.ts'
import type { KeyOwner } from '../../applications/index.ts'
import type { SessionCaller } from '../../identity/index.ts'
import type { PaymentsCtx } from '../context.ts'
import { toDashboard, toPublic } from '../payment/wire.ts'
import { dashboardFilter } from './selection.ts'
import { countForDashboard } from './store-count.ts'
import { findHits } from './store-hits.ts'
import { listForApplication, listForDashboard, withinSearchLimit } from './store-list.ts'

export function publicListRoutes(ctx: PaymentsCtx): Binding<KeyOwner>[] {
  return [
    bind(contract.listPublicPayments, async ({ caller, query }) => {
      const found = await withinSearchLimit(
        ctx.heavyReads(caller.accountId, (q) => listForApplication(q, caller, query)),
      )
      return answer(
        200,
        publicPage(found, query.limit, (payment) => toPublic(ctx, payment)),
      )
    }),
  ]
}

export function dashboardListRoutes(ctx: PaymentsCtx): Binding<SessionCaller>[] {
  return [
    bind(listPayments, async ({ caller, query }) => {
      const { found, counts, hits } = await withinSearchLimit(
        ctx.heavyReads(caller.merchantId, async (q) => {
          const filter = await dashboardFilter(q, caller, query)
          const found = await listForDashboard(q, filter)
          const counts = await countForDashboard(q, filter, found)
          const ids = found.slice(0, query.limit).map(({ payment }) => payment.id)
          return { found, counts, hits: await findHits(q, caller.merchantId, query.search, ids) }
        }),
      )
      const { page, last } = pageOf(found, query.limit)
      return answer(200, {
        payments: page.map(({ payment, applicationName }) => toDashboard(payment, applicationName)),
        ...counts,
        hits,
        nextCursor: last?.payment.id ?? null,
      })
    }),
  ]
}
