import { priceText } from '@muripo/contract/amounts'
import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import type { Currency } from '@muripo/contract/money'
import type { PaymentList } from '../../api/payment-list.ts'
import { takenAmount } from '../../api/payments.ts'
import { font, row } from '../../components/ui/classes.ts'
import { plainAmount } from '../../lib/format.ts'
import { usePaymentsText } from '../../lib/payments-text.ts'
import { cents } from './details/amount-input.ts'

interface Total {
  readonly currency: Currency
  readonly paid: number
  readonly refunded: number
  readonly reversed: number
}

/** The sums of each currency in whole cents, of the payments that were ever completed. */
export function totalsOf(payments: readonly DashboardPayment[]): readonly Total[] {
  const totals = new Map<Currency, Total>()
  for (const payment of payments) {
    const { currency, status, amountRefunded, amountReversed = 0 } = payment
    if (status !== 'COMPLETED' && status !== 'REFUNDED') continue
    const { paid = 0, refunded = 0, reversed = 0 } = totals.get(currency) ?? {}
    totals.set(currency, {
      currency,
      paid: paid + cents(takenAmount(payment)),
      refunded: refunded + cents(amountRefunded),
      reversed: reversed + cents(amountReversed),
    })
  }
  return [...totals.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1))
}

/** The totals of a list that is loaded to its end. A part of a list would look like the whole. */
export function Totals({ list }: { readonly list: PaymentList }) {
  const t = usePaymentsText()
  if (list.nextCursor !== null) return null
  const figure = (name: string, currency: Currency, sum: number) =>
    sum > 0 && (
      <span>
        {name} <b className={font('strong', 'nowrap')}>{priceText(currency, plainAmount(sum / 100))}</b>
      </span>
    )
  return totalsOf(list.payments).map(({ currency, paid, refunded, reversed }) => (
    <p key={currency} className={row('wrap', 'gap16', 'rows0')}>
      {figure(t('totalPaid'), currency, paid)}
      {figure(t('refunded'), currency, refunded)}
      {figure(t('reversed'), currency, reversed)}
    </p>
  ))
}
