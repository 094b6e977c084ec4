import type { DashboardPayment, DashboardPaymentQuery } from './dashboard-payments.ts'
import { withoutMarks } from './typed-text.ts'

/** The filters of the dashboard's list as text, as in an address. */
export type PaymentFilters = Readonly<
  Partial<Record<Exclude<keyof DashboardPaymentQuery, 'limit' | 'cursor'>, string>>
>

type Filtered = Pick<
  DashboardPayment,
  'paymentId' | 'applicationId' | 'applicationName' | 'amount' | 'status' | 'method' | 'createdAt'
>

interface FilterContext {
  /** The time zone in which the filter's days begin; undefined means the time zone of this machine. */
  readonly timeZone?: string | undefined
  /** The name of the filter's application: other applications with that name match, too. */
  readonly applicationName?: string | undefined
}

const isSet = (value: string | undefined): value is string => value !== undefined && value !== ''

/** Whether the list under these filters contains the payment. A property test compares it with the server's SQL. */
export function matchesFilter(
  payment: Filtered,
  filters: PaymentFilters,
  { timeZone, applicationName }: FilterContext = {},
): boolean {
  const { search, from, to, status, method, minAmount, maxAmount, applicationId } = filters
  if (isSet(search) && !payment.paymentId.includes(withoutMarks(search).toLowerCase())) return false
  if (isSet(status) && payment.status.toLowerCase() !== status.toLowerCase()) return false
  if (isSet(method) && payment.method !== method.toLowerCase()) return false
  if (isSet(minAmount) && payment.amount < Number(minAmount)) return false
  if (isSet(maxAmount) && payment.amount > Number(maxAmount)) return false
  if (isSet(applicationId) && payment.applicationId !== applicationId) {
    if (applicationName === undefined || payment.applicationName !== applicationName) return false
  }
  if (!isSet(from) && !isSet(to)) return true
  const day = dayAt(payment.createdAt, timeZone)
  return (!isSet(from) || day >= from) && (!isSet(to) || day <= to)
}

const formatters = new Map<string | undefined, Intl.DateTimeFormat>()

function dayAt(iso: string, timeZone: string | undefined): string {
  let formatter = formatters.get(timeZone)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-US', {
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      ...(timeZone !== undefined && { timeZone }),
    })
    formatters.set(timeZone, formatter)
  }
  const parts = new Map(formatter.formatToParts(new Date(iso)).map(({ type, value }) => [type, value]))
  return `${parts.get('year')?.padStart(4, '0')}-${parts.get('month')}-${parts.get('day')}`
}
