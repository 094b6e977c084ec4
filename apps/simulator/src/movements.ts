import type { PaymentCode } from './innbucks/codes.ts'
import { isPaid } from './innbucks/codes.ts'
import type { Transaction } from './ledger.ts'
import type { Order } from './mastercard/orders.ts'
import type { PesepayPayment } from './pesepay/payments.ts'
import type { Movement } from './statements.ts'

/** The movements of the wallet's records: charges, refunds on request, and refunds and reversals made in a portal. */
export const walletMovements = (transactions: readonly Transaction[]): Movement[] =>
  transactions.flatMap(({ kind, correlator, currency, minor, reference, referenceCode, ...transaction }) => {
    const { status, endedAt, paidAt, portalRefunds = [], refundedMinor } = transaction
    const movement = (part: string, what: Movement['what'], at: number, moved = minor): Movement => ({
      ...{ id: `${correlator} ${part}`, at, what, currency, reference, minor: moved },
      ours: transaction.paynow?.reference ?? referenceCode,
    })
    if (kind === 'refund') return status === 'completed' ? [movement('refund', 'Refund', endedAt ?? 0)] : []
    return [
      ...(paidAt === undefined ? [] : [movement('sale', 'Sale', paidAt)]),
      ...portalRefunds.map((refund, n) => movement(`portal ${n}`, 'Refund', refund.at, refund.minor)),
      ...(status === 'reversed'
        ? [movement('reversal', 'Reversal', endedAt ?? 0, minor - refundedMinor)]
        : []),
    ]
  })

export const codeMovements = (codes: readonly PaymentCode[]): Movement[] =>
  codes.filter(isPaid).map(({ code, closedAt, currency, minor, authNumber, reference }) => ({
    ...{ id: code, at: closedAt ?? 0, what: 'Sale', currency, minor, reference: authNumber },
    ours: reference,
  }))

/** A void undoes its transaction on the same statement or a later one. */
export const cardMovements = (orders: readonly Order[]): Movement[] =>
  orders.flatMap(({ id: order, currency, transactions }) =>
    transactions.flatMap(({ id, type, result, minor, at, receipt }) => {
      const what = cardWords[type]
      if (what === undefined || result !== 'SUCCESS') return []
      return [{ id: `${order} ${id}`, at, what, currency, minor, reference: receipt, ours: order }]
    }),
  )

const cardWords: Readonly<Partial<Record<string, Movement['what']>>> = {
  PAYMENT: 'Sale',
  CAPTURE: 'Sale',
  VOID_REFUND: 'Sale',
  REFUND: 'Refund',
  VOID_PAYMENT: 'Reversal',
  VOID_CAPTURE: 'Reversal',
  CHARGEBACK: 'Chargeback',
}

export const pesepayMovements = (payments: readonly PesepayPayment[]): Movement[] =>
  payments.flatMap(({ reference, merchantReference, currency, minor, paidAt, reversedAt }) => {
    const movement = (what: Movement['what'], at: number | undefined): Movement[] =>
      at === undefined
        ? []
        : [
            {
              id: `${reference} ${what}`,
              at,
              what,
              currency,
              minor,
              reference,
              ours: merchantReference ?? '',
            },
          ]
    return paidAt === undefined ? [] : [...movement('Sale', paidAt), ...movement('Reversal', reversedAt)]
  })
