import { type Money, money } from '@muripo/contract/money'
import type { Queryable } from '../../../platform/db/database.ts'
import { uuidOf } from '../../../platform/ids.ts'
import { clearing, differencesOf } from '../../ledger/index.ts'
import { type Attempt, type Payment, paidAmountOf, type Refund } from '../payment/payment.ts'

/** The charged amount as booked: the captured amount, and the differences that operators have booked for the charge. */
export async function bookedAmount(
  db: Queryable,
  { payment, attempt }: { readonly payment: Payment; readonly attempt: Attempt },
): Promise<Money> {
  // Only the completed attempt may have been captured in part; a duplicate was not.
  const { minor, currency } = attempt.status === 'completed' ? paidAmountOf(payment) : attempt.amount
  return money(minor + (await differencesFor(db, attempt, attempt.provider)), currency)
}

/** The amount that the provider has refunded, as booked, with the differences that operators have booked for the refund. */
export async function bookedRefund(db: Queryable, refund: Refund, provider: string): Promise<Money> {
  const { minor, currency } = refund.amount
  return money(minor - (await differencesFor(db, refund, provider)), currency)
}

const differencesFor = (db: Queryable, call: Attempt | Refund, provider: string): Promise<bigint> =>
  differencesOf(db, call.accountId, uuidOf(call.id), clearing(provider))
