import type { StatusReason } from '@muripo/contract/payments'
import type { payer } from '@muripo/locales/payer'

type PlainKey = Extract<keyof typeof payer, `failed${string}`>

/** The texts about a failed attempt that a payer understands and can act on. */
const texts = {
  awaiting_payer: 'failed',
  awaiting_capture: 'failed',
  checking: 'failed',
  under_review: 'failed',
  insufficient_funds: 'failedFunds',
  wrong_pin: 'failedPin',
  user_cancelled: 'failedByPayer',
  cancelled: 'failed',
  expired: 'failedTime',
  limit_exceeded: 'failedLimit',
  barred: 'failedBarred',
  declined: 'failedDeclined',
  provider_unavailable: 'failedProvider',
} as const satisfies Record<StatusReason, PlainKey>

/** The texts for a code or a card, where no request was sent to a phone. */
const textsWithoutPhone = {
  ...texts,
  insufficient_funds: 'failedFundsWithoutPhone',
  wrong_pin: 'failed',
  user_cancelled: 'failedByPayerWithoutPhone',
  expired: 'failedTimeWithoutPhone',
  limit_exceeded: 'failedLimitWithoutPhone',
  barred: 'failedBarredWithoutPhone',
} as const satisfies Record<StatusReason, PlainKey>

export function failureKey(reason: StatusReason | null, hadPhone: boolean): PlainKey {
  if (reason === null) return 'failed'
  return (hadPhone ? texts : textsWithoutPhone)[reason]
}
