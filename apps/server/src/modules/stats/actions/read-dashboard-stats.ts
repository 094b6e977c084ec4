import type { MerchantId } from '@muripo/contract/ids'
import { type Currency, money, toMajor } from '@muripo/contract/money'
import type { DashboardStats } from '@muripo/contract/stats'
import type { Ctx } from '../../../platform/ctx.ts'
import { merchantProfile } from '../../identity/index.ts'
import { countApplications, type DayOfRevenue, methodCounts, recentPayments, revenueByDay } from '../store.ts'

/** The dashboard's figures. Revenue is what was completed less what of it was refunded, by the merchant's own days. */
export async function readDashboardStats(ctx: Ctx, merchantId: MerchantId): Promise<DashboardStats> {
  const db = ctx.db.kysely
  const now = ctx.clock.now()
  const profile = await merchantProfile(db, merchantId)
  const currency = profile.reportingCurrency as Currency
  const [days, methods, recent, applications] = await Promise.all([
    revenueByDay(db, merchantId, profile.timeZone, now),
    methodCounts(db, merchantId),
    recentPayments(db, merchantId),
    countApplications(db, merchantId, profile.timeZone, now),
  ])
  const today = days.slice(-1)
  const last7Days = days.slice(-7)
  const previous7Days = days.slice(-14, -7)
  const revenueOf = (ofCurrency: Currency) => ({
    totalRevenueToday: revenue(today, ofCurrency),
    revenueLast7Days: revenue(last7Days, ofCurrency),
  })
  const others = new Set(last7Days.flatMap(({ earned }) => earned.map((each) => each.currency)))
  others.delete(currency)
  return {
    reportingCurrency: currency,
    ...revenueOf(currency),
    totalCompleted: methods.reduce((sum, { completed }) => sum + completed, 0),
    totalApplications: applications.all,
    comparison: {
      revenueYesterday: revenue(days.slice(-2, -1), currency),
      revenuePrevious7Days: revenue(previous7Days, currency),
      completedLast7Days: completed(last7Days),
      completedPrevious7Days: completed(previous7Days),
      applicationsLast7Days: applications.last7Days,
      applicationsPrevious7Days: applications.previous7Days,
    },
    revenueByDay: days.map((day) => ({ day: day.day, revenue: revenue([day], currency) })),
    topPaymentMethods: methods.map(({ method, count }) => ({ method, count })),
    recentPayments: recent,
    byCurrency: Object.fromEntries([...others].map((other) => [other, revenueOf(other)])),
  }
}

function revenue(days: readonly DayOfRevenue[], currency: Currency): number {
  const earned = days.flatMap((day) => day.earned).filter((each) => each.currency === currency)
  return toMajor(
    money(
      earned.reduce((sum, each) => sum + each.revenue, 0n),
      currency,
    ),
  )
}

const completed = (days: readonly DayOfRevenue[]): number =>
  days.flatMap(({ earned }) => earned).reduce((sum, each) => sum + each.completed, 0)
