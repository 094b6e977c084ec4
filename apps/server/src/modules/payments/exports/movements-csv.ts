import { transactionOf } from '@muripo/contract/ids'
import { add, type Money, money } from '@muripo/contract/money'
import type { Movement } from '../../ledger/index.ts'
import type { NamedPayment } from '../listing/store-list.ts'
import { type Cell, decimal, headOf, lines, Plain, type Texts } from './cells.ts'
import { createZonedTimes, type ZonedTimes } from './zoned-times.ts'

export interface NamedMovement {
  readonly movement: Movement
  /** Null for an adjustment without a payment. */
  readonly of: NamedPayment | null
}

const types: Partial<Record<Movement['kind'], string>> = {
  capture: 'Payment',
  refund_reserve: 'Refund',
  refund_released: 'Refund failed',
  // A refund that the provider sent after its amount had been released.
  refund_paid: 'Refund',
  reversal: 'Reversal',
  reversal_undone: 'Reversal returned',
  adjustment: 'Adjustment',
}
const typeOf = ({ kind }: Movement): string => types[kind] ?? kind

type Column = readonly [title: string, cell: (named: NamedMovement, times: ZonedTimes) => Cell]

const columns: readonly Column[] = [
  ['Date', ({ movement }, { local }) => new Plain(local(movement.createdAt).slice(0, 10))],
  ['Time', ({ movement }, { local }) => new Plain(local(movement.createdAt).slice(11))],
  ['UTC offset', ({ movement }, { offset }) => offset(movement.createdAt)],
  ['Type', ({ movement }) => typeOf(movement)],
  ['Amount', ({ movement }) => decimal(movement.amount)],
  ['Fee', ({ movement }) => decimal(movement.fee)],
  ['Net', ({ movement: { amount, fee } }) => decimal(add(amount, fee))],
  ['Currency', ({ movement }) => movement.amount.currency],
  ['Payment ID', ({ movement }) => movement.paymentId],
  ['Transaction ID', ({ movement: { paymentId } }) => paymentId && transactionOf(paymentId)],
  ['Method', ({ of }) => of?.payment.method ?? null],
  ['Method reference', ({ of }) => of?.payment.providerReference ?? null],
  ['Purpose', ({ of }) => of?.payment.description ?? null],
  ['Reference', ({ of }) => of?.payment.reference ?? null],
  ['Application', ({ of }) => of?.applicationName ?? null],
  ['Customer name', ({ of }) => of?.payment.customer.name ?? null],
  ['Customer phone', ({ of }) => of?.payment.customer.phone ?? null],
  ['Customer email', ({ of }) => of?.payment.customer.email ?? null],
]

export const movementsHead = (): string => headOf(columns.map(([title]) => title))

/** The sums of one currency, of one type or of all. */
interface Total {
  readonly type: string
  readonly amount: Money
  readonly fee: Money
}

/**
 * Invariant: amounts of two currencies never share a sum, and the net total of a currency is the change of what the merchant is owed in it.
 */
export function createTotals() {
  const sums = new Map<string, Total>()
  const count = (type: string, { amount, fee }: Movement) => {
    const key = `${amount.currency} ${type}`
    const none = money(0n, amount.currency)
    const { amount: before, fee: fees } = sums.get(key) ?? { amount: none, fee: none }
    sums.set(key, { type, amount: add(before, amount), fee: add(fees, fee) })
  }
  return {
    add(movement: Movement): void {
      count(typeOf(movement), movement)
      count('', movement)
    },
    /** By currency, the total of all types last. */
    all: (): Total[] =>
      [...sums.values()].sort(
        (one, other) =>
          one.amount.currency.localeCompare(other.amount.currency) ||
          Number(one.type === '') - Number(other.type === ''),
      ),
  }
}

const totalCells: Record<string, (total: Total) => Cell> = {
  Type: ({ type }) => (type === '' ? 'Total' : `Total ${type.toLowerCase()}`),
  Amount: ({ amount }) => decimal(amount),
  Fee: ({ fee }) => decimal(fee),
  Net: ({ amount, fee }) => decimal(add(amount, fee)),
  Currency: ({ amount }) => amount.currency,
}

/** An empty row, and the totals in the columns of their figures. Empty for a file without movements. */
export function totalRows(totals: readonly Total[]): string {
  if (totals.length === 0) return ''
  const rows = totals.map((total) => columns.map(([title]) => totalCells[title]?.(total) ?? null))
  return `\r\n${lines(rows, 'neutral')}`
}

/** @param timeZone that of the account */
export function movementRowsIn(
  timeZone: string,
  texts: Texts,
): (movements: readonly NamedMovement[]) => string {
  const times = createZonedTimes(timeZone)
  return (movements) =>
    lines(
      movements.map((movement) => columns.map(([, cell]) => cell(movement, times))),
      texts,
    )
}
