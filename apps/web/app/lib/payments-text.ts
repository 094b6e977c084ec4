import english from 'virtual:texts/payments/en'
import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import type { payments } from '@muripo/locales/payments'
import type { Translate } from '@muripo/locales/translator'
import { amountText } from './format.ts'
import { usePageText } from './page-text.ts'

export type PaymentsText = Translate<typeof payments>

export const usePaymentsText = (): PaymentsText => usePageText<typeof payments>(english)

const SUMMARY_LENGTH = 50

type Summarised = Pick<DashboardPayment, 'currency' | 'amount' | 'purposeDescription' | 'method'>

export function summaryOf(payment: Summarised, t: PaymentsText): string {
  const { currency, amount, purposeDescription: purpose, method } = payment
  const values = { amount: amountText(currency, amount), purpose }
  return truncate(
    method === null ? t('paymentSummary', values) : t('paymentSummaryWithMethod', { ...values, method }),
  )
}

/** Cuts between visible characters, so that no half of an emoji stays. */
function truncate(text: string): string {
  const letters = Array.from(text)
  return letters.length > SUMMARY_LENGTH ? `${letters.slice(0, SUMMARY_LENGTH).join('')}...` : text
}
