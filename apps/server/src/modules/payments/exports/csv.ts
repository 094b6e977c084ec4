import { transactionOf } from '@muripo/contract/ids'
import { type Money, toDecimal } from '@muripo/contract/money'
import { stringify } from 'csv-stringify/sync'
import type { NamedPayment } from '../listing/store-list.ts'
import { netOf, paidAmountOf } from '../payment.ts'

type Cell = string | null

const decimalOrNull = (amount: Money | null): Cell => amount && toDecimal(amount)

const columns: readonly (readonly [title: string, cell: (named: NamedPayment) => Cell])[] = [
  ['Date', ({ payment }) => payment.createdAt.toISOString()],
  ['Payment ID', ({ payment }) => payment.id],
  ['Transaction ID', ({ payment }) => transactionOf(payment.id)],
  ['Status', ({ payment }) => payment.status.toUpperCase()],
  ['Reason', ({ payment }) => payment.statusReason],
  ['Method', ({ payment }) => payment.method],
  ['Method reference', ({ payment }) => payment.providerReference],
  ['Amount', ({ payment }) => toDecimal(payment.amount)],
  ['Captured', ({ payment }) => payment.completedAt && toDecimal(paidAmountOf(payment))],
  ['Fee', ({ payment: { fee } }) => decimalOrNull(fee)],
  ['Net', ({ payment }) => decimalOrNull(netOf(payment))],
  ['Refunded', ({ payment }) => toDecimal(payment.refunded)],
  ['Currency', ({ payment }) => payment.amount.currency],
  ['Purpose', ({ payment }) => payment.description],
  ['Reference', ({ payment }) => payment.reference],
  ['Application', ({ applicationName }) => applicationName],
  ['Customer name', ({ payment }) => payment.customer.name],
  ['Customer phone', ({ payment }) => payment.customer.phone],
  ['Customer email', ({ payment }) => payment.customer.email],
  ['Updated', ({ payment }) => payment.updatedAt.toISOString()],
]

const format = {
  record_delimiter: 'windows',
  // An unquoted line break in a text would begin a row with content of its author's choice.
  quote_record_delimiter: true,
  // A customer's text may begin like a formula, which a spreadsheet would run: such a cell gets an apostrophe.
  escape_formulas: true,
} as const

const lines = (rows: readonly (readonly Cell[])[]): string => stringify([...rows], format)

/** Without this mark Excel reads the file in a legacy code page. */
const BYTE_ORDER_MARK = '\ufeff'

export const csvHead = (): string => BYTE_ORDER_MARK + lines([columns.map(([title]) => title)])

export const csvRows = (payments: readonly NamedPayment[]): string =>
  lines(payments.map((payment) => columns.map(([, cell]) => cell(payment))))
