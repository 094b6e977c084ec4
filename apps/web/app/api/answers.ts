import type { Application } from '@muripo/contract/applications'
import type { DashboardPayment, PaymentDetails } from '@muripo/contract/dashboard-payments'
import type { DashboardStats } from '@muripo/contract/stats'

// Another host than Muripo's answers with the specified fields only. A field that is absent has the value of "nothing there", so that a page
// leaves its part out. An item without an id is left out of its list; the page has the other items.

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null

const text = (value: unknown): string => textOrNull(value) ?? ''
const textOrNull = (value: unknown): string | null => {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : null
}
/** Infinity for a missing number, in place of which a page has a dash: unlike NaN it is equal to itself, so that an unchanged row stays. */
const number = (value: unknown): number => numberOrNull(value) ?? Number.POSITIVE_INFINITY
const numberOrNull = (value: unknown): number | null => {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof read === 'number' && Number.isFinite(read) ? read : null
}

/** The array itself, or the one in the field of this name; null without one. */
function listIn(body: unknown, name: string): readonly unknown[] | null {
  const list = Array.isArray(body) ? body : fieldsOf(body)?.[name]
  return Array.isArray(list) ? list : null
}

const present = <T>(value: T | null): value is T => value !== null

interface Dated {
  readonly createdAt: string
}

/** Dates that cannot be read compare as equal, so that those rows keep their order. */
const byAge = (a: Dated, b: Dated): number => {
  const difference = Date.parse(b.createdAt) - Date.parse(a.createdAt)
  return Number.isNaN(difference) ? 0 : difference
}

export const newestFirst = <T extends Dated>(items: readonly T[]): T[] => [...items].sort(byAge)

const money = (fields: Fields) => ({
  createdAt: text(fields.createdAt),
  method: textOrNull(fields.method),
  applicationName: text(fields.applicationName),
  amount: number(fields.amount),
  currency: text(fields.currency),
  status: text(fields.status),
  amountCaptured: numberOrNull(fields.amountCaptured),
  amountRefunded: numberOrNull(fields.amountRefunded) ?? 0,
  amountReversed: numberOrNull(fields.amountReversed) ?? 0,
})

/** Null for a value that is no payment. */
export function paymentIn(value: unknown): DashboardPayment | null {
  const fields = fieldsOf(value)
  const paymentId = fields && (textOrNull(fields.paymentId) ?? textOrNull(fields._id))
  if (!fields || !paymentId) return null
  const createdAt = text(fields.createdAt)
  return {
    ...fields,
    ...money(fields),
    _id: text(fields._id) || paymentId,
    paymentId,
    applicationId: text(fields.applicationId),
    statusReason: textOrNull(fields.statusReason),
    paymentMethodReference: textOrNull(fields.paymentMethodReference),
    purposeDescription: text(fields.purposeDescription),
    customerPhoneNumber: textOrNull(fields.customerPhoneNumber),
    fee: numberOrNull(fields.fee),
    net: numberOrNull(fields.net),
    updatedAt: textOrNull(fields.updatedAt) ?? createdAt,
    expiresAt: text(fields.expiresAt),
    capture: fields.capture === 'manual' ? 'manual' : 'automatic',
    captureBefore: textOrNull(fields.captureBefore),
  } as DashboardPayment
}

/** The payments in a list, or in an object with the list; null for a body without one. */
export const paymentsIn = (body: unknown): DashboardPayment[] | null =>
  listIn(body, 'payments')?.map(paymentIn).filter(present) ?? null

/** A payment with its timeline. Null for a value that is no payment. */
export function paymentDetailsIn(value: unknown): PaymentDetails | null {
  const payment = paymentIn(value)
  const { customer, timeline, attempts, paymentUrl, openAttempt } = fieldsOf(value) ?? {}
  if (payment === null) return null
  const entries = (list: unknown) => (Array.isArray(list) ? list.filter(fieldsOf) : [])
  return {
    ...payment,
    customer: fieldsOf(customer) as PaymentDetails['customer'],
    timeline: entries(timeline),
    attempts: entries(attempts),
    paymentUrl: text(paymentUrl),
    openAttempt: fieldsOf(openAttempt) as PaymentDetails['openAttempt'],
  }
}

/** The same for the response to a change; null without a timeline too. */
export const changedPaymentIn = (value: unknown): PaymentDetails | null =>
  Array.isArray(fieldsOf(value)?.timeline) ? paymentDetailsIn(value) : null

/** Null for a value without an _id. */
export function applicationIn(value: unknown): Application | null {
  const fields = fieldsOf(value)
  const _id = fields && textOrNull(fields._id)
  if (!fields || !_id) return null
  return {
    ...fields,
    _id,
    applicationName: text(fields.applicationName),
    description: text(fields.description),
    category: text(fields.category),
    status: text(fields.status),
    applicationKey: textOrNull(fields.applicationKey),
    testKey: textOrNull(fields.testKey),
    createdAt: text(fields.createdAt),
    updatedAt: text(fields.updatedAt),
    bankName: textOrNull(fields.bankName),
    bankAccountNumber: textOrNull(fields.bankAccountNumber),
    bankAccountName: textOrNull(fields.bankAccountName),
    bankAccountType: textOrNull(fields.bankAccountType),
    nameApproved: fields.nameApproved === true,
    stopReason: textOrNull(fields.stopReason),
    bankRejection: textOrNull(fields.bankRejection),
    brandColour: textOrNull(fields.brandColour),
    logoPath: textOrNull(fields.logoPath),
  } as Application
}

/** The applications in a list, or in an object with the list; null for a body without one. */
export const applicationsIn = (body: unknown): Application[] | null =>
  listIn(body, 'applications')?.map(applicationIn).filter(present) ?? null

/** The figures of the dashboard. Without a comparison or the revenue of each day, their parts of the page are left out. */
export interface Stats extends Omit<DashboardStats, 'comparison' | 'revenueByDay'> {
  readonly comparison: DashboardStats['comparison'] | null
  readonly revenueByDay: DashboardStats['revenueByDay'] | null
}

const figures = ['totalRevenueToday', 'revenueLast7Days', 'totalCompleted', 'totalApplications'] as const

/** Null for a body without any figure. */
export function statsIn(body: unknown): Stats | null {
  const fields = fieldsOf(fieldsOf(body)?.data)
  if (!fields || figures.every((name) => numberOrNull(fields[name]) === null)) return null
  const comparison = fieldsOf(fields.comparison)
  const days = (listIn(fields, 'revenueByDay') ?? []).flatMap((item) => {
    const day = text(fieldsOf(item)?.day)
    const revenue = numberOrNull(fieldsOf(item)?.revenue)
    return day !== '' && revenue !== null ? [{ day, revenue }] : []
  })
  return {
    ...fields,
    totalRevenueToday: number(fields.totalRevenueToday),
    revenueLast7Days: number(fields.revenueLast7Days),
    totalCompleted: number(fields.totalCompleted),
    totalApplications: number(fields.totalApplications),
    reportingCurrency: textOrNull(fields.reportingCurrency) ?? 'USD',
    comparison: comparison && Object.values(comparison).every(Number.isFinite) ? comparison : null,
    revenueByDay: days.length > 0 ? days : null,
    topPaymentMethods: (listIn(fields, 'topPaymentMethods') ?? []).flatMap((item) => {
      const method = text(fieldsOf(item)?.method)
      const count = numberOrNull(fieldsOf(item)?.count)
      return method !== '' && count !== null && count > 0 ? [{ method, count }] : []
    }),
    recentPayments: (listIn(fields, 'recentPayments') ?? []).map(paymentIn).filter(present),
    byCurrency: fieldsOf(fields.byCurrency) ?? {},
  } as Stats
}
