import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import type { DashboardText } from './dashboard-text.ts'
import { amountText } from './format.ts'

type Paid = Pick<DashboardPayment, 'status' | 'amount' | 'amountCaptured' | 'amountRefunded' | 'currency'>

/** The refunded amount of a payment that still counts as completed, and the captured amount after a partial capture. */
export function partialAmounts(
  { status, amount, amountCaptured, amountRefunded, currency }: Paid,
  t: DashboardText,
): readonly string[] {
  const isPartlyRefunded = status === 'COMPLETED' && amountRefunded > 0
  const isPartlyCaptured = amountCaptured !== null && amountCaptured !== amount
  return [
    ...(isPartlyRefunded ? [t('amountRefunded', { amount: amountText(currency, amountRefunded) })] : []),
    ...(isPartlyCaptured ? [t('amountCaptured', { amount: amountText(currency, amountCaptured) })] : []),
  ]
}
