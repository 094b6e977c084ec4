import type { MerchantId } from '@muripo/contract/ids'
import { type Currency, money, toMajor } from '@muripo/contract/money'
import type { DashboardStats } from '@muripo/contract/stats'
import type { Ctx } from '../../../platform/ctx.ts'
import { merchantProfile } from '../../identity/index.ts'
import { countApplications, methodCounts, recentPayments, revenues } from '../store.ts'

/** The dashboard's figures. Revenue is what was completed less what of it was refunded, by the merchant's own days. */
export async function readDashboardStats(ctx: Ctx, merchantId: MerchantId): Promise<DashboardStats> {
  const db = ctx.db.kysely
  const { timeZone, reportingCurrency } = await merchantProfile(db, merchantId)
  const [byCurrency, methods, recent, totalApplications] = await Promise.all([
    revenues(db, merchantId, timeZone, ctx.clock.now()),
    methodCounts(db, merchantId),
    recentPayments(db, merchantId),
    countApplications(db, merchantId),
  ])
  const zero = { totalRevenueToday: 0, revenueLast7Days: 0 }
  const inMajor = Object.fromEntries(
    byCurrency.map(({ currency, today, last7Days }) => [
      currency,
      { totalRevenueToday: major(today, currency), revenueLast7Days: major(last7Days, currency) },
    ]),
  ) as DashboardStats['byCurrency']
  const { [reportingCurrency as Currency]: reported = zero, ...others } = inMajor
  return {
    ...reported,
    totalCompleted: methods.reduce((sum, { completed }) => sum + completed, 0),
    totalApplications,
    topPaymentMethods: methods.map(({ method, count }) => ({ method, count })),
    recentPayments: recent,
    byCurrency: others,
  }
}

const major = (minor: bigint, currency: Currency): number => toMajor(money(minor, currency))
