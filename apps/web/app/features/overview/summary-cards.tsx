import { Skeleton } from '@mantine/core'
import type { DashboardStats } from '@muripo/contract/stats'
import type { CSSProperties } from 'react'
import { IconArrowDownRight, IconArrowRight, IconArrowUpRight } from '../../components/icons.ts'
import { count, revenueText } from '../../lib/format.ts'
import styles from './summary-cards.module.css'

/** The comparison of a figure with the day or week before, as text with a direction; null when both are zero. */
export interface Comparison {
  readonly direction: 'up' | 'down' | 'level' | null
  readonly text: string
}

const directionOf = (before: number, now: number): Comparison['direction'] => {
  if (now === before) return now === 0 ? null : 'level'
  return now > before ? 'up' : 'down'
}

interface Revenues {
  readonly now: number
  readonly before: number
  readonly currency: string
}

function compareRevenue({ now, before, currency }: Revenues, than: string, lessThan = than): Comparison {
  const direction = directionOf(before, now)
  // In cents, because 0.3 - 0.1 is not 0.2.
  const difference = Math.abs(Math.round(now * 100) - Math.round(before * 100)) / 100
  if (before === 0) return { direction, text: `No revenue ${than}` }
  if (direction === 'level') return { direction, text: `Same as ${than}` }
  const text =
    direction === 'up'
      ? `${revenueText(currency, difference)} more than ${than}`
      : `${revenueText(currency, difference)} less than ${lessThan}`
  return { direction, text }
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

/** The card shows the total; this text compares the last two weeks. */
function compareCounts(now: number, before: number, what = ''): Comparison {
  const direction = directionOf(before, now)
  if (direction === null) return { direction, text: `None${what} in two weeks` }
  const inText = (value: number, none: string) => (value === 0 ? none : count(value))
  return {
    direction,
    text: `${inText(now, 'None')}${what} in 7 days, ${inText(before, 'none')} the week before`,
  }
}

export const completedByWeek = ({ comparison }: DashboardStats): Comparison =>
  compareCounts(comparison.completedLast7Days, comparison.completedPrevious7Days)

export const applicationsByWeek = ({ comparison }: DashboardStats): Comparison =>
  compareCounts(comparison.applicationsLast7Days, comparison.applicationsPrevious7Days, ' new')

interface SummaryCardsProps {
  /** Undefined while the figures are on their way. */
  readonly stats: DashboardStats | undefined
}

interface Card {
  readonly label: string
  readonly figure: (stats: DashboardStats) => string
  readonly comparison: (stats: DashboardStats) => Comparison
}

const cards: readonly Card[] = [
  {
    label: 'Total Revenue Today',
    figure: (stats) => revenueText(stats.reportingCurrency, stats.totalRevenueToday),
    comparison: todayWithYesterday,
  },
  {
    label: 'Revenue Last 7 Days',
    figure: (stats) => revenueText(stats.reportingCurrency, stats.revenueLast7Days),
    comparison: weekWithWeekBefore,
  },
  {
    label: 'Total Completed Payments',
    figure: (stats) => count(stats.totalCompleted),
    comparison: completedByWeek,
  },
  {
    label: 'Applications',
    figure: (stats) => count(stats.totalApplications),
    comparison: applicationsByWeek,
  },
]

export const SummaryCards = ({ stats }: SummaryCardsProps) => (
  <section aria-label="Summary" className={styles.cards} aria-busy={stats === undefined}>
    {cards.map(({ label, figure, comparison }) => (
      <div key={label} className={styles.card}>
        <h2 className={styles.label}>{label}</h2>
        {stats ? <Figure>{figure(stats)}</Figure> : <FigureSkeleton />}
        <p className={styles.note}>
          {stats ? <Note {...comparison(stats)} /> : <Skeleton component="span" h={12} w={164} my={4} />}
        </p>
      </div>
    ))}
  </section>
)

const Figure = ({ children }: { readonly children: string }) => (
  <p className={styles.figure} style={{ '--characters': children.length } as CSSProperties}>
    {children}
  </p>
)

const FigureSkeleton = () => (
  <p className={styles.figure}>
    <Skeleton component="span" className={styles.figureSkeleton ?? ''} />
  </p>
)

const arrows = { up: IconArrowUpRight, down: IconArrowDownRight, level: IconArrowRight }

function Note({ direction, text }: Comparison) {
  const Arrow = direction && arrows[direction]
  return (
    <>
      {Arrow && <Arrow size={16} stroke={1.75} aria-hidden />}
      <span>{text}</span>
    </>
  )
}
