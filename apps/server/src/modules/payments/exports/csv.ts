import { transactionOf } from '@muripo/contract/ids'
import { type Money, subtract } from '@muripo/contract/money'
import type { NamedPayment } from '../listing/store-list.ts'
import { netOf, paidAmountOf } from '../payment/payment.ts'
import { type Cell, decimal, headOf, lines, Plain, type Texts } from './cells.ts'
import { createZonedTimes, type ZonedTimes } from './zoned-times.ts'

/** The amount that the payment adds to the balance: what was taken, less the fee, refunds and reversals. Their sum is the account's. */
function remainder({ payment }: NamedPayment): Money | null {
  const net = netOf(payment)
  return net && subtract(subtract(net, payment.refunded), payment.reversed)
}

type Column = readonly [title: string, cell: (named: NamedPayment, times: ZonedTimes) => Cell]

const columns: readonly Column[] = [
  ['Date', ({ payment }, { local }) => new Plain(local(payment.createdAt))],
  ['UTC offset', ({ payment }, { offset }) => offset(payment.createdAt)],
  ['Payment ID', ({ payment }) => payment.id],
  ['Transaction ID', ({ payment }) => transactionOf(payment.id)],
  ['Status', ({ payment }) => payment.status.toUpperCase()],
  ['Reason', ({ payment }) => payment.statusReason],
  ['Method', ({ payment }) => payment.method],
  ['Method reference', ({ payment }) => payment.providerReference],
  ['Amount', ({ payment }) => decimal(payment.amount)],
  ['Captured', ({ payment }) => payment.completedAt && decimal(paidAmountOf(payment))],
  ['Fee', ({ payment: { fee } }) => decimal(fee)],
  ['Refunded', ({ payment }) => decimal(payment.refunded)],
  ['Reversed', ({ payment }) => decimal(payment.reversed)],
  ['Net', (named) => decimal(remainder(named))],
  ['Currency', ({ payment }) => payment.amount.currency],
  ['Purpose', ({ payment }) => payment.description],
  ['Reference', ({ payment }) => payment.reference],
  ['Application', ({ applicationName }) => applicationName],
  ['Customer name', ({ payment }) => payment.customer.name],
  ['Customer phone', ({ payment }) => payment.customer.phone],
  ['Customer email', ({ payment }) => payment.customer.email],
  ['Updated', ({ payment }, { local }) => new Plain(local(payment.updatedAt))],
  ['Updated UTC offset', ({ payment }, { offset }) => offset(payment.updatedAt)],
]

export const csvHead = (): string => headOf(columns.map(([title]) => title))

/** @param timeZone that of the account */
export function csvRowsIn(
  timeZone: string,
  texts: Texts = 'neutral',
): (payments: readonly NamedPayment[]) => string {
  const times = createZonedTimes(timeZone)
  return (payments) =>
    lines(
      payments.map((payment) => columns.map(([, cell]) => cell(payment, times))),
      texts,
    )
}
