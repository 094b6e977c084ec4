import type { DashboardPayment } from '@muripo/contract/dashboard-payments'
import { revenueText } from '../../lib/format.ts'

type Refunded = Pick<DashboardPayment, 'status' | 'amountRefunded' | 'currency'>

/** What was given back of a payment that still counts as completed. */
export const partlyRefunded = ({ status, amountRefunded, currency }: Refunded): string | null =>
  status === 'COMPLETED' && amountRefunded > 0 ? `${revenueText(currency, amountRefunded)} refunded` : null
