import english from 'virtual:texts/dashboard/en'
import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import type { Permission } from '@muripo/contract/permissions'
import type { dashboard } from '@muripo/locales/dashboard'
import type { Translate } from '@muripo/locales/translator'
import { amountText } from './format.ts'
import { usePageText } from './page-text.ts'

export type DashboardText = Translate<typeof dashboard>

export const useDashboardText = (): DashboardText => usePageText<typeof dashboard>(english)

/** The `handle` of each page of the dashboard. */
export interface DashboardHandle {
  /** The key of its title. */
  readonly title: Extract<keyof typeof dashboard, `${string}Page`>
  /** A role without this permission sees the reason in place of the page. */
  readonly needs?: Permission
  /** A page about the person's own factors: a role for the counter opens it, too. */
  readonly isOwn?: true
}

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
