import { REVENUE_DAYS } from '@muripo/contract/constants'
import type { AccountId } from '@muripo/contract/ids'
import { type Currency, money, toMajor } from '@muripo/contract/money'
import type { DashboardStats } from '@muripo/contract/stats'
import { dayAt, plusDays, startOfDay } from '../../../platform/clock.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Queryable } from '../../../platform/db/database.ts'
import { merchantProfile } from '../../identity/index.ts'
import {
  applicationsByDay,
  methodCounts,
  type PeriodOfRevenue,
  recentPayments,
  revenueOfPeriods,
} from '../store-figures.ts'

/** The dashboard's figures. Revenue is completed payments less refunds, by days of the merchant's time zone. */
export async function readDashboardStats(ctx: Ctx, accountId: AccountId): Promise<DashboardStats> {
  const { profile, days, earned, yesterdayByNow, made, methods, recent } = await ctx.heavyReads(
    accountId,
    (q) => readFigures(q, accountId, ctx.clock.now()),
  )
  const reporting = profile.reportingCurrency as Currency
  const last7Days = { from: REVENUE_DAYS - 7, to: REVENUE_DAYS - 1 }
  const previous7Days = { from: REVENUE_DAYS - 14, to: REVENUE_DAYS - 8 }
  const only = (nth: number): Days => ({ from: nth, to: nth })
  const revenueOf = (currency: Currency) => ({
    totalRevenueToday: revenue(earned, currency, only(REVENUE_DAYS - 1)),
    revenueLast7Days: revenue(earned, currency, last7Days),
  })
  const others = new Set(within(earned, last7Days).map(({ currency }) => currency))
  others.delete(reporting)
  return {
    reportingCurrency: reporting,
    ...revenueOf(reporting),
    totalCompleted: sum(methods.map(({ completed }) => completed)),
    totalApplications: sum(made.map(({ applications }) => applications)),
    comparison: {
      revenueYesterdayByNow: revenue(yesterdayByNow, reporting, only(YESTERDAY)),
      revenuePrevious7Days: revenue(earned, reporting, previous7Days),
      completedLast7Days: sum(within(earned, last7Days).map(({ completed }) => completed)),
      completedPrevious7Days: sum(within(earned, previous7Days).map(({ completed }) => completed)),
      applicationsLast7Days: sum(within(made, last7Days).map(({ applications }) => applications)),
      applicationsPrevious7Days: sum(within(made, previous7Days).map(({ applications }) => applications)),
    },
    revenueByDay: days.map((day, nth) => ({ day, revenue: revenue(earned, reporting, only(nth)) })),
    topPaymentMethods: methods.map(({ method, count }) => ({ method, count })),
    recentPayments: recent,
    byCurrency: Object.fromEntries([...others].map((other) => [other, revenueOf(other)])),
  }
}

async function readFigures(q: Queryable, accountId: AccountId, now: Date) {
  const profile = await merchantProfile(q, accountId)
  const today = dayAt(now, profile.timeZone)
  const days = Array.from({ length: REVENUE_DAYS }, (_, nth) => plusDays(today, nth + 1 - REVENUE_DAYS))
  const midnights = days.map((day) => new Date(startOfDay(day, profile.timeZone)))
  // Yesterday has two parts, before and after this time of the day.
  const [yesterday, midnight] = midnights.slice(-2).map(Number) as [number, number]
  const sameTime = new Date(Math.min(yesterday + endOfQuarter(now.getTime() - midnight), midnight))
  const parts = await revenueOfPeriods(q, accountId, midnights.toSpliced(-1, 0, sameTime))
  return {
    profile,
    days,
    earned: parts.map((part) => (part.nth > YESTERDAY ? { ...part, nth: part.nth - 1 } : part)),
    yesterdayByNow: parts.filter(({ nth }) => nth === YESTERDAY),
    made: await applicationsByDay(q, accountId, midnights),
    methods: await methodCounts(q, accountId),
    recent: await recentPayments(q, accountId),
  }
}

const YESTERDAY = REVENUE_DAYS - 2

/** The totals are of quarters of an hour. */
const endOfQuarter = (ms: number): number => Math.ceil(ms / 900_000) * 900_000

/** Both ends included, counted from the oldest of the days. */
interface Days {
  readonly from: number
  readonly to: number
}

const within = <Figure extends { nth: number }>(figures: readonly Figure[], { from, to }: Days): Figure[] =>
  figures.filter(({ nth }) => from <= nth && nth <= to)

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

function revenue(earned: readonly PeriodOfRevenue[], currency: Currency, days: Days): number {
  const ofCurrency = within(earned, days).filter((each) => each.currency === currency)
  const minor = ofCurrency.reduce((total, each) => total + each.revenue, 0n)
  return toMajor(money(minor, currency))
}
