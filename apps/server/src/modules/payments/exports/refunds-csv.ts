import { maskedNumber } from '../payment/payment.ts'
import type { OperatorRefund } from '../review/store-in-review.ts'
import { type Cell, decimal, headOf, lines } from './cells.ts'

type Column = readonly [title: string, cell: (refund: OperatorRefund) => Cell]

const columns: readonly Column[] = [
  ['Refund ID', ({ id }) => id],
  ['Number', ({ msisdn }) => msisdn && `+${msisdn}`],
  ['Amount', ({ amount }) => decimal(amount)],
  ['Currency', ({ amount }) => amount.currency],
  ['Method', ({ method }) => method],
  ['Provider', ({ provider }) => provider],
  ['Charge reference', ({ chargeReference }) => chargeReference],
  ['Shop', ({ shopName }) => shopName],
  ['Payment ID', ({ paymentId }) => paymentId],
  ['Requested', ({ createdAt }) => createdAt.toISOString()],
]

const titlesOf = (of: readonly Column[]): string => headOf(of.map(([title]) => title))
const rowsOf = (of: readonly Column[], refunds: readonly OperatorRefund[]): string =>
  lines(
    refunds.map((refund) => of.map(([, cell]) => cell(refund))),
    'neutral',
  )

/** Refunds to send by hand, as a file for spreadsheets. */
export const refundsCsv = (refunds: readonly OperatorRefund[]): string =>
  titlesOf(columns) + rowsOf(columns, refunds)

/** Without whole numbers, and with what happened to each refund. */
const manualColumns: readonly Column[] = [
  ...columns.map((column): Column => (column[0] === 'Number' ? ['Number', maskedNumber] : column)),
  ['Status', ({ status }) => status],
  ['Reference', ({ reference }) => reference],
  ['Reason', ({ reason }) => reason],
  ['Came back', ({ bouncedAt }) => bouncedAt?.toISOString() ?? null],
  ['Replaced by', ({ replacedBy }) => replacedBy],
  ['Changed', ({ updatedAt }) => updatedAt.toISOString()],
]

export const manualCsvHead = (): string => titlesOf(manualColumns)
export const manualCsvRows = (refunds: readonly OperatorRefund[]): string => rowsOf(manualColumns, refunds)
