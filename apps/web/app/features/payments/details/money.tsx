import { priceText } from '@muripo/contract/amounts'
import type { DashboardPayment, TimelineEntry } from '@muripo/contract/dashboard-payments'
import { takenAmount } from '../../../api/payments.ts'
import { dayOf, plainAmount } from '../../../lib/format.ts'
import { usePaymentsText } from '../../../lib/payments-text.ts'
import { useFormats, useTimeZone } from '../../../lib/use-formats.ts'
import { cents } from './amount-input.ts'
import styles from './details.module.css'
import { Fact, Lines } from './lines.tsx'
import { refundable } from './refund.ts'

interface MoneyProps {
  readonly payment: DashboardPayment
  /** Undefined while it is loading. */
  readonly timeline: readonly TimelineEntry[] | undefined
}

/** The merchant's share of the payment. Empty before the payment is completed. */
export function Money({ payment, timeline = [] }: MoneyProps) {
  const t = usePaymentsText()
  const { currency, amountRefunded, amountReversed = 0, fee, net } = payment
  const { shortDayText } = useFormats()
  const timeZone = useTimeZone()
  if (typeof fee !== 'number' || typeof net !== 'number') return null
  const price = (amount: number) => priceText(currency, plainAmount(amount))
  const less = (amount: number) => price(amount).replace(/\d/, '\u2212$&')
  const nameOf = (kind: MoneyChange['kind'], at: string | null) =>
    at === null
      ? t(changeTexts[kind].name)
      : t(changeTexts[kind].dated, { date: shortDayText(dayOf(at, timeZone)) })
  const changes = [
    ...changesOf(timeline, 'refunded', amountRefunded),
    ...changesOf(timeline, 'reversal_booked', amountReversed),
  ]
  const gone = cents(amountRefunded) + cents(amountReversed)
  const { left } = refundable(payment, timeline)
  return (
    <Lines
      title={t('amounts')}
      className={styles.amounts}
      note={
        gone > 0 && left > 0 && payment.status === 'COMPLETED' && t('refundableUpTo', { amount: price(left) })
      }
    >
      <Fact name={t('gross')}>{price(takenAmount(payment))}</Fact>
      <Fact name={t('fee')}>{less(fee)}</Fact>
      {changes.map(({ kind, at, amount }) => (
        <Fact key={`${kind} ${at} ${amount}`} name={nameOf(kind, at)}>
          {less(amount)}
        </Fact>
      ))}
      <Fact name={t('youKeep')} isTotal>
        {price((cents(net) - gone) / 100)}
      </Fact>
    </Lines>
  )
}

const changeTexts = {
  refunded: { name: 'refunded', dated: 'refundedOn' },
  reversal_booked: { name: 'reversed', dated: 'reversedOn' },
} as const

interface MoneyChange {
  readonly kind: keyof typeof changeTexts
  /** Null where the timeline does not have the sum, such as while it is loading. */
  readonly at: string | null
  readonly amount: number
}

/** The changes of this kind, which together are the sum. */
function changesOf(
  timeline: readonly TimelineEntry[],
  kind: MoneyChange['kind'],
  sum: number,
): readonly MoneyChange[] {
  if (sum === 0) return []
  const changes = timeline.flatMap((entry) =>
    (entry.kind === 'refunded' || entry.kind === 'reversal_booked') && entry.kind === kind ? [entry] : [],
  )
  const listed = changes.reduce((total, { amount }) => total + cents(amount), 0)
  return listed === cents(sum) ? changes : [{ kind, at: null, amount: sum }]
}
