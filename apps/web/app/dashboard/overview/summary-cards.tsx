import { Skeleton } from '@mantine/core'
import type { DashboardStats } from '@muripo/contract/stats'
import { count, dollars } from '../../lib/format.ts'
import styles from './overview.module.css'

interface SummaryCardsProps {
  /** Undefined while the figures are on their way. */
  readonly stats: DashboardStats | undefined
}

const cards: readonly { label: string; note: string; figure: (stats: DashboardStats) => string }[] = [
  { label: 'Total Revenue Today', note: 'Since midnight', figure: (s) => dollars(s.totalRevenueToday) },
  { label: 'Revenue Last 7 Days', note: 'Less refunds', figure: (s) => dollars(s.revenueLast7Days) },
  { label: 'Total Completed Payments', note: 'Since you joined', figure: (s) => count(s.totalCompleted) },
  { label: 'Applications', note: 'With a key of their own', figure: (s) => count(s.totalApplications) },
]

export const SummaryCards = ({ stats }: SummaryCardsProps) => (
  <section aria-label="Summary" className={styles.cards} aria-busy={stats === undefined}>
    {cards.map(({ label, note, figure }) => (
      <div key={label} className={styles.card}>
        <h2 className={styles.label}>{label}</h2>
        <p className={styles.figure}>
          {stats ? figure(stats) : <Skeleton component="span" h={28} w={120} />}
        </p>
        <p className={styles.note}>{note}</p>
      </div>
    ))}
  </section>
)
