import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { amountText, revenueText } from './format.ts'

type Refunded = Pick<DashboardPayment, 'status' | 'amountRefunded' | 'currency'>

/** The refunded amount of a payment that still counts as completed. */
export const partlyRefunded = ({ status, amountRefunded, currency }: Refunded): string | null =>
  status === 'COMPLETED' && amountRefunded > 0 ? `${revenueText(currency, amountRefunded)} refunded` : null

const SUMMARY_LENGTH = 50

type Summarised = Pick<DashboardPayment, 'currency' | 'amount' | 'purposeDescription' | 'method'>

export function summaryOf(payment: Summarised): string {
  const whole = `${amountText(payment.currency, payment.amount)} - ${payment.purposeDescription}`
  const summary = payment.method === null ? whole : `${whole} via ${payment.method}`
  return truncate(summary)
}

/** By characters that people see, so that the cut never leaves half of an emoji. */
function truncate(text: string): string {
  const letters = Array.from(text)
  return letters.length > SUMMARY_LENGTH ? `${letters.slice(0, SUMMARY_LENGTH).join('')}...` : text
}
