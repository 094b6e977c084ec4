import type { CSSProperties } from 'react'
import { Link } from 'react-router'
import type { Stats } from '../../api/answers.ts'
import { useMay } from '../../api/may.ts'
import { IconArrowDownRight, IconArrowRight, IconArrowUpRight } from '../../components/icons.ts'
import { coverClass, font, row, surface } from '../../components/ui/classes.ts'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { countText, revenueText } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import styles from './summary-cards.module.css'
import { type OverviewText, useOverviewText } from './text.ts'

/** The comparison of a figure with the day or week before, as text with a direction; null when both are zero. */
export interface Comparison {
  readonly direction: 'up' | 'down' | 'level' | null
  readonly text: string
}

type Compared = Stats & { readonly comparison: NonNullable<Stats['comparison']> }

const directionOf = (before: number, now: number): Comparison['direction'] => {
  if (now === before) return now === 0 ? null : 'level'
  return now > before ? 'up' : 'down'
}

type ComparisonText = 'todayCompared' | 'weekCompared'

function compareRevenue(
  now: number,
  before: number,
  { reportingCurrency }: Compared,
  t: OverviewText,
  text: ComparisonText,
): Comparison {
  const direction = directionOf(before, now)
  // In cents, because 0.3 - 0.1 is not 0.2.
  const difference = Math.abs(Math.round(now * 100) - Math.round(before * 100)) / 100
  const change = before === 0 || direction === null ? 'none' : direction
  return { direction, text: t(text, { change, amount: revenueText(reportingCurrency, difference) }) }
}

/** Compares today with yesterday until the same time of the day. */
export const todayWithYesterday = (stats: Compared, t: OverviewText): Comparison =>
  compareRevenue(stats.totalRevenueToday, stats.comparison.revenueYesterdayByNow, stats, t, 'todayCompared')

export const weekWithWeekBefore = (stats: Compared, t: OverviewText): Comparison =>
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

export const completedByWeek = ({ comparison }: Compared, t: OverviewText): Comparison =>
  compareCounts(comparison.completedLast7Days, comparison.completedPrevious7Days, t, 'completedCompared')

export const applicationsByWeek = ({ comparison }: Compared, t: OverviewText): Comparison =>
  compareCounts(
    comparison.applicationsLast7Days,
    comparison.applicationsPrevious7Days,
    t,
    'applicationsCompared',
  )

interface SummaryCardsProps {
  /** Undefined while the figures are loading. */
  readonly stats: Stats | undefined
}

interface Card {
  readonly label: 'revenueToday' | 'revenueOfWeek' | 'completedPayments' | 'applicationCount'
  readonly figure: (stats: Stats) => string
  readonly comparison: (stats: Compared, t: OverviewText) => Comparison
  readonly address: (stats: Stats) => string
}

/** The last days until today. Another host than Muripo's names no days. */
function lastDays({ revenueByDay }: Stats, count: number): string {
  const days = revenueByDay?.slice(-count) ?? []
  const [first, last] = [days[0], days.at(-1)]
  return first && last ? paths.paymentsIn(first.day, last.day) : paths.payments
}

const cards: readonly Card[] = [
  {
    label: 'revenueToday',
    figure: (stats) => revenueText(stats.reportingCurrency, stats.totalRevenueToday),
    comparison: todayWithYesterday,
    address: (stats) => lastDays(stats, 1),
  },
  {
    label: 'revenueOfWeek',
    figure: (stats) => revenueText(stats.reportingCurrency, stats.revenueLast7Days),
    comparison: weekWithWeekBefore,
    address: (stats) => lastDays(stats, 7),
  },
  {
    label: 'completedPayments',
    figure: (stats) => countText(stats.totalCompleted),
    comparison: completedByWeek,
    address: () => paths.paymentsOf('completed'),
  },
  {
    label: 'applicationCount',
    figure: (stats) => countText(stats.totalApplications),
    comparison: applicationsByWeek,
    address: () => paths.applications,
  },
]

export function SummaryCards({ stats }: SummaryCardsProps) {
  const t = useOverviewText()
  const maySeeApplications = useMay('applications.read')
  return (
    <section aria-label={t('summary')} className={styles.cards} aria-busy={stats === undefined}>
      {cards.map(({ label, figure, comparison, address }) => (
        <div key={label} className={`${styles.card} ${surface('surface')}`}>
          <h2 className={font('sm', 'medium', 'quiet')}>
            {stats && (maySeeApplications || label !== 'applicationCount') ? (
              <Link to={address(stats)} className={coverClass}>
                {t(label)}
              </Link>
            ) : (
              t(label)
            )}
          </h2>
          {stats ? <Figure>{figure(stats)}</Figure> : <FigureSkeleton />}
          <p
            className={`${styles.note} ${row('gap4', 'above2')} ${font('xs', 'quiet', 'line20', 'balance', 'numbers')}`}
          >
            {stats ? (
              stats.comparison && <Note {...comparison({ ...stats, comparison: stats.comparison }, t)} />
            ) : (
              <Skeleton h={12} w={164} my={4} />
            )}
          </p>
        </div>
      ))}
    </section>
  )
}

const Figure = ({ children }: { readonly children: string }) => (
  <p
    className={`${styles.figure} ${row('centre')} ${font('bold', 'nowrap', 'numbers')}`}
    style={{ '--characters': children.length } as CSSProperties}
  >
    {children}
  </p>
)

const FigureSkeleton = () => (
  <p className={`${styles.figure} ${row('centre')} ${font('bold', 'nowrap', 'numbers')}`}>
    <Skeleton className={styles.figureSkeleton ?? ''} />
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
