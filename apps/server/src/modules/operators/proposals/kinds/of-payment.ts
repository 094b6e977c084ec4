import { type Money, toDecimal } from '@muripo/contract/money'
import type { Line } from '@muripo/contract/proposal-lines'
import type { Queryable } from '../../../../platform/db/database.ts'
import { findPayment, type Payment } from '../../../payments/index.ts'
import { type AttemptPayload, moneyOf, type OfPayment, type RefundPayload } from '../payloads.ts'
import { line, missing } from './kind.ts'

export const amountText = (amount: Money): string => `${amount.currency} ${toDecimal(amount)}`

/** @throws AppError not_found */
export async function presentPayment(q: Queryable, { accountId, paymentId }: OfPayment): Promise<Payment> {
  const payment = await findPayment(q, accountId, paymentId)
  if (payment === null) throw missing('There is no payment with this id')
  return payment
}

/** Every change of a payment, of its attempts and of its refunds counts its version up. */
export const paymentVersion = async (q: Queryable, { accountId, paymentId }: OfPayment): Promise<string> =>
  String((await findPayment(q, accountId, paymentId))?.version ?? 'none')

/** A change of a payment is one statement, which writes no row when another change came before it. */
export const hasWritten = (result: unknown): boolean => !Array.isArray(result) || result.length > 0

export const movedOf = ({ moved }: AttemptPayload | RefundPayload) =>
  moved && { moved: { amount: moneyOf(moved.amount), reason: moved.reason } }

export function movedLine(payload: AttemptPayload | RefundPayload): Line[] {
  const moved = movedOf(payload)?.moved
  return moved ? [line('Moved amount', `${amountText(moved.amount)}, ${moved.reason}`)] : []
}
