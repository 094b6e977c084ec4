import { REVENUE_DAYS } from '@muripo/contract/constants'
import type { Stats } from '../../api/answers.ts'
import { font, row, stack } from '../../components/ui/classes.ts'
import { Panel } from '../../components/ui/panel.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { VisuallyHidden } from '../../components/ui/visually-hidden.tsx'
import { revenueText } from '../../lib/format.ts'
import { useFormats } from '../../lib/use-formats.ts'
import { DailyBars, SkeletonBars } from './daily-bars.tsx'
import styles from './revenue-chart.module.css'
import { useOverviewText } from './text.ts'

interface RevenueChartProps {
  readonly stats: Stats | undefined
}

type Days = NonNullable<Stats['revenueByDay']>

export function RevenueChart({ stats }: RevenueChartProps) {
  const t = useOverviewText()
  const days = stats?.revenueByDay
  // Another host than Muripo's sends no revenue by day.
  if (days === null) return null
  return (
    <Panel title={t('revenueTitle', { days: REVENUE_DAYS })} busy={stats === undefined}>
      <div className={`${styles.body} ${stack()}`}>
        {stats && days ? <Revenue stats={stats} days={days} /> : <SkeletonRevenue />}
      </div>
    </Panel>
  )
}

const totalOf = (days: Days): number =>
  days.reduce((cents, { revenue }) => cents + Math.round(revenue * 100), 0) / 100

function Revenue({ stats, days }: { readonly stats: Stats; readonly days: Days }) {
  const { reportingCurrency: currency } = stats
  const t = useOverviewText()
  const { shortDayText } = useFormats()
  const [best] = [...days].sort((a, b) => b.revenue - a.revenue)
  return (
    <>
      <p className={`${styles.total} ${row('centre')} ${font('xl', 'bold', 'tight', 'numbers')}`}>
        {revenueText(currency, totalOf(days))}
      </p>
      <DailyBars days={days} currency={currency} />
      <VisuallyHidden>
        <table>
          <caption>{t('revenueByDay')}</caption>
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
      <div className={`${styles.foot} ${row('wrap')} ${font('xs', 'quiet', 'numbers', 'line20')}`}>
        {best && best.revenue > 0 && (
          <p>
            {t('bestDay', {
              day: shortDayText(best.day, 'weekday'),
              amount: revenueText(currency, best.revenue),
            })}
          </p>
        )}
        <OtherCurrencies byCurrency={stats.byCurrency} />
      </div>
    </>
  )
}

const SkeletonRevenue = () => (
  <>
    <p className={`${styles.total} ${row('centre')} ${font('xl', 'bold', 'tight', 'numbers')}`}>
      <Skeleton h={20} w={128} />
    </p>
    <SkeletonBars count={REVENUE_DAYS} />
    <div className={`${styles.foot} ${row('wrap')} ${font('xs', 'quiet', 'numbers', 'line20')}`}>
      <Skeleton h={12} w={200} my={4} />
    </div>
  </>
)

/** The revenue that the cards leave out, because amounts in two currencies have no sum. */
function OtherCurrencies({ byCurrency }: Pick<Stats, 'byCurrency'>) {
  const t = useOverviewText()
  const others = Object.entries(byCurrency)
    .filter(([, { revenueLast7Days }]) => revenueLast7Days > 0)
    .sort(([one], [other]) => one.localeCompare(other))
  if (others.length === 0) return null
  return (
    <div className={row('wrap', 'gap12', 'rows0')}>
      <p id="other-currencies">{t('otherCurrencies')}</p>
      <ul aria-labelledby="other-currencies" className={row('wrap', 'gap12', 'rows0', 'list')}>
        {others.map(([currency, { revenueLast7Days, totalRevenueToday }]) => {
          const amount = revenueText(currency, revenueLast7Days)
          const today = revenueText(currency, totalRevenueToday)
          return (
            <li key={currency}>
              {totalRevenueToday > 0 ? t('otherCurrencyToday', { amount, today }) : amount}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
