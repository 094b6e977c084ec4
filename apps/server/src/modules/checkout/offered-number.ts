import type { Attempt, Payment } from '../payments/index.ts'
import { displayNumber, toMsisdn } from '../providers/index.ts'

/** The number that the form offers: that of the latest attempt, or the customer's as the shop has named it. */
export function offeredNumber(payment: Payment, attempts: readonly Attempt[]): string | null {
  const used = attempts.find(({ msisdn }) => msisdn !== null)?.msisdn
  return toMsisdn(used ?? payment.customer.phone ?? '')
}

/** The same as the page shows it: everybody who has the link sees its last digits only. */
export function offeredText(payment: Payment, attempts: readonly Attempt[]): string | null {
  const number = offeredNumber(payment, attempts)
  return number && displayNumber(number)
}
