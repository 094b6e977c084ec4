import { Skeleton } from '@mantine/core'
import type { DashboardStats } from '@muripo/contract/stats'
import type { CSSProperties } from 'react'
import { IconArrowDownRight, IconArrowRight, IconArrowUpRight } from '../../components/icons.ts'
import { countText, revenueText } from '../../lib/format.ts'
import styles from './summary-cards.module.css'
import { type OverviewText, useOverviewText } from './text.ts'

/** The comparison of a figure with the day or week before, as text with a direction; null when both are zero. */
export interface Comparison {
  readonly direction: 'up' | 'down' | 'level' | null
  readonly text: string
}

const directionOf = (before: number, now: number): Comparison['direction'] => {
  if (now === before) return now === 0 ? null : 'level'
  return now > before ? 'up' : 'down'
}

type ComparisonText = 'todayCompared' | 'weekCompared'

function compareRevenue(
  now: number,
  before: number,
  { reportingCurrency }: DashboardStats,
  t: OverviewText,
  text: ComparisonText,
): Comparison {
  const direction = directionOf(before, now)
  // In cents, because 0.3 - 0.1 is not 0.2.
  const difference = Math.abs(Math.round(now * 100) - Math.round(before * 100)) / 100
  const change = before === 0 || direction === null ? 'none' : direction
  return { direction, text: t(text, { change, amount: revenueText(reportingCurrency, difference) }) }
}

/** Compares today with all of yesterday, although today has not ended yet. */
export const todayWithYesterday = (stats: DashboardStats, t: OverviewText): Comparison =>
  compareRevenue(stats.totalRevenueToday, stats.comparison.revenueYesterday, stats, t, 'todayCompared')

export const weekWithWeekBefore = (stats: DashboardStats, t: OverviewText): Comparison =>
  compareRevenue(stats.revenueLast7Days, stats.comparison.revenuePrevious7Days, stats, t, 'weekCompared')

/** The card shows the total; this text compares the last two weeks. */
const compareCounts = (
  now: number,
  before: number,
  t: OverviewText,
  text: 'completedCompared' | 'applicationsCompared',
): Comparison => ({
  direction: directionOf(before, now),
  text: t(text, { now: countText(now), before: countText(before) }),
})

export const completedByWeek = ({ comparison }: DashboardStats, t: OverviewText): Comparison =>
  compareCounts(comparison.completedLast7Days, comparison.completedPrevious7Days, t, 'completedCompared')

export const applicationsByWeek = ({ comparison }: DashboardStats, t: OverviewText): Comparison =>
  compareCounts(
    comparison.applicationsLast7Days,
    comparison.applicationsPrevious7Days,
    t,
    'applicationsCompared',
  )

interface SummaryCardsProps {
  /** Undefined while the figures are loading. */
  readonly stats: DashboardStats | undefined
}

interface Card {
  readonly label: 'revenueToday' | 'revenueOfWeek' | 'completedPayments' | 'applicationCount'
  readonly figure: (stats: DashboardStats) => string
  readonly comparison: (stats: DashboardStats, t: OverviewText) => Comparison
}

const cards: readonly Card[] = [
  {
    label: 'revenueToday',
    figure: (stats) => revenueText(stats.reportingCurrency, stats.totalRevenueToday),
    comparison: todayWithYesterday,
  },
  {
    label: 'revenueOfWeek',
    figure: (stats) => revenueText(stats.reportingCurrency, stats.revenueLast7Days),
    comparison: weekWithWeekBefore,
  },
  {
    label: 'completedPayments',
    figure: (stats) => countText(stats.totalCompleted),
    comparison: completedByWeek,
  },
  {
    label: 'applicationCount',
    figure: (stats) => countText(stats.totalApplications),
    comparison: applicationsByWeek,
  },
]

export function SummaryCards({ stats }: SummaryCardsProps) {
  const t = useOverviewText()
  return (
    <section aria-label={t('summary')} className={styles.cards} aria-busy={stats === undefined}>
      {cards.map(({ label, figure, comparison }) => (
        <div key={label} className={styles.card}>
          <h2 className={styles.label}>{t(label)}</h2>
          {stats ? <Figure>{figure(stats)}</Figure> : <FigureSkeleton />}
          <p className={styles.note}>
            {stats ? <Note {...comparison(stats, t)} /> : <Skeleton component="span" h={12} w={164} my={4} />}
          </p>
        </div>
      ))}
    </section>
  )
}

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
