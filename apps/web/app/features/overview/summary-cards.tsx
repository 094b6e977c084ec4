import { Skeleton } from '@mantine/core'
import type { DashboardStats } from '@muripo/contract/stats'
import type { CSSProperties } from 'react'
import { IconArrowDownRight, IconArrowRight, IconArrowUpRight } from '../../components/icons.ts'
import { count, revenueText } from '../../lib/format.ts'
import {
  applicationsByWeek,
  type Comparison,
  completedByWeek,
  todayWithYesterday,
  weekWithWeekBefore,
} from './comparison.ts'
import styles from './summary-cards.module.css'

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
