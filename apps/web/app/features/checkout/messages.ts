import type { StatusReason } from '@muripo/contract/payments'

const NOT_THROUGH = 'The payment did not go through. Please try again, or pay another way.'

/** Why a try failed, in words that a payer understands and can act on. */
const failureTexts: Readonly<Record<StatusReason, string>> = {
  awaiting_payer: NOT_THROUGH,
  checking: NOT_THROUGH,
  under_review: NOT_THROUGH,
  insufficient_funds: 'There was not enough money in the wallet. Top it up, or pay another way.',
  wrong_pin: 'The PIN was not correct. Please try again.',
  user_cancelled: 'The payment was cancelled on the phone.',
  cancelled: NOT_THROUGH,
  expired: 'The request on the phone was not confirmed in time.',
  limit_exceeded: 'This payment is over the limit of the wallet. Please pay another way.',
  barred: 'This wallet cannot pay right now. Please pay another way, or ask your provider.',
  declined: 'The payment was declined. Please try again, or pay another way.',
  provider_unavailable: 'The provider could not be reached. Please try again, or pay another way.',
}

export const failureText = (reason: StatusReason | null): string =>
  reason === null ? NOT_THROUGH : failureTexts[reason]

export const STILL_WAITING_SECONDS = 120
