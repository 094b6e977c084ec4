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

/** Refunds to send by hand, as a file for spreadsheets. */
export const refundsCsv = (refunds: readonly OperatorRefund[]): string =>
  headOf(columns.map(([title]) => title)) +
  lines(
    refunds.map((refund) => columns.map(([, cell]) => cell(refund))),
    'neutral',
  )
