import type { DashboardStats } from '@muripo/contract/stats'
import { count, revenueText } from '../../lib/format.ts'

/** How a figure stands beside the one of the day or week before, in words, and which way it went; null from nothing to nothing. */
export interface Comparison {
  readonly way: 'up' | 'down' | 'level' | null
  readonly words: string
}

const wayFrom = (before: number, now: number): Comparison['way'] => {
  if (now === before) return now === 0 ? null : 'level'
  return now > before ? 'up' : 'down'
}

interface Revenues {
  readonly now: number
  readonly before: number
  readonly currency: string
}

function compareRevenue({ now, before, currency }: Revenues, than: string, lessThan = than): Comparison {
  const way = wayFrom(before, now)
  // In cents, because 0.3 - 0.1 is not 0.2.
  const difference = Math.abs(Math.round(now * 100) - Math.round(before * 100)) / 100
  if (before === 0) return { way, words: `No revenue ${than}` }
  if (way === 'level') return { way, words: `Same as ${than}` }
  const words =
    way === 'up'
      ? `${revenueText(currency, difference)} more than ${than}`
      : `${revenueText(currency, difference)} less than ${lessThan}`
  return { way, words }
}

/** Today has not ended yet, so it is no verdict that yesterday was better. */
export const todayWithYesterday = (stats: DashboardStats): Comparison =>
  compareRevenue(
    {
      now: stats.totalRevenueToday,
      before: stats.comparison.revenueYesterday,
      currency: stats.reportingCurrency,
    },
    'yesterday',
    'yesterday so far',
  )

export const weekWithWeekBefore = (stats: DashboardStats): Comparison =>
  compareRevenue(
    {
      now: stats.revenueLast7Days,
      before: stats.comparison.revenuePrevious7Days,
      currency: stats.reportingCurrency,
    },
    'the week before',
  )

/** The card itself shows all there ever were; this says what the last two weeks brought. */
function compareCounts(now: number, before: number, what = ''): Comparison {
  const way = wayFrom(before, now)
  if (way === null) return { way, words: `None${what} in two weeks` }
  const inWords = (value: number, none: string) => (value === 0 ? none : count(value))
  return {
    way,
    words: `${inWords(now, 'None')}${what} in 7 days, ${inWords(before, 'none')} the week before`,
  }
}

export const completedByWeek = ({ comparison }: DashboardStats): Comparison =>
  compareCounts(comparison.completedLast7Days, comparison.completedPrevious7Days)

export const applicationsByWeek = ({ comparison }: DashboardStats): Comparison =>
  compareCounts(comparison.applicationsLast7Days, comparison.applicationsPrevious7Days, ' new')
