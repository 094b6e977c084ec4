import { Skeleton, VisuallyHidden } from '@mantine/core'
import { REVENUE_DAYS } from '@muripo/contract/constants'
import type { DashboardStats } from '@muripo/contract/stats'
import { revenueText, shortDayText } from '../../lib/format.ts'
import { DailyBars, SkeletonBars } from './daily-bars.tsx'
import { Panel } from './panel.tsx'
import styles from './revenue-chart.module.css'

interface RevenueChartProps {
  readonly stats: DashboardStats | undefined
}

export const RevenueChart = ({ stats }: RevenueChartProps) => (
  <Panel title={`Revenue, last ${REVENUE_DAYS} days`} busy={stats === undefined}>
    <div className={styles.body}>{stats ? <Revenue stats={stats} /> : <SkeletonRevenue />}</div>
  </Panel>
)

const totalOf = ({ revenueByDay }: DashboardStats): number =>
  revenueByDay.reduce((cents, { revenue }) => cents + Math.round(revenue * 100), 0) / 100

function Revenue({ stats }: { readonly stats: DashboardStats }) {
  const { revenueByDay: days, reportingCurrency: currency } = stats
  const [best] = days.toSorted((a, b) => b.revenue - a.revenue)
  return (
    <>
      <p className={styles.total}>{revenueText(currency, totalOf(stats))}</p>
      <DailyBars days={days} currency={currency} />
      <VisuallyHidden>
        <table>
          <caption>Revenue by day</caption>
          <tbody>
            {days.map(({ day, revenue }) => (
              <tr key={day}>
                <th scope="row">{shortDayText(day, 'weekday')}</th>
                <td>{revenueText(currency, revenue)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
      <div className={styles.foot}>
        {best && best.revenue > 0 && (
          <p>
            Best day: {shortDayText(best.day, 'weekday')} with {revenueText(currency, best.revenue)}
          </p>
        )}
        <OtherCurrencies byCurrency={stats.byCurrency} />
      </div>
    </>
  )
}

const SkeletonRevenue = () => (
  <>
    <p className={styles.total}>
      <Skeleton component="span" h={20} w={128} />
    </p>
    <SkeletonBars count={REVENUE_DAYS} />
    <div className={styles.foot}>
      <Skeleton component="span" h={12} w={200} my={4} />
    </div>
  </>
)

/** The revenue that the cards leave out, because amounts in two currencies have no sum. */
function OtherCurrencies({ byCurrency }: Pick<DashboardStats, 'byCurrency'>) {
  const others = Object.entries(byCurrency)
    .filter(([, { revenueLast7Days }]) => revenueLast7Days > 0)
    .toSorted(([one], [other]) => one.localeCompare(other))
  if (others.length === 0) return null
  return (
    <div className={styles.others}>
      <p id="other-currencies">In other currencies, last 7 days:</p>
      <ul aria-labelledby="other-currencies">
        {others.map(([currency, { revenueLast7Days, totalRevenueToday }]) => (
          <li key={currency}>
            {revenueText(currency, revenueLast7Days)}
            {totalRevenueToday > 0 && ` (${revenueText(currency, totalRevenueToday)} today)`}
          </li>
        ))}
      </ul>
    </div>
  )
}
