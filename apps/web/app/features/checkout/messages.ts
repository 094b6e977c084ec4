import type { StatusReason } from '@muripo/contract/payments'

const NOT_THROUGH = 'The payment did not go through. Please try again, or pay another way.'

/** Sentences about a failed attempt that a payer understands and can act on. */
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

/** The sentences for a code or a card, where no request was sent to a phone. */
const textsWithoutPhone: Partial<Readonly<Record<StatusReason, string>>> = {
  insufficient_funds: 'There was not enough money. Please pay another way.',
  wrong_pin: NOT_THROUGH,
  user_cancelled: 'The payment was cancelled.',
  expired: 'The payment was not made in time.',
  limit_exceeded: 'This payment is over your limit. Please pay another way.',
  barred: 'You cannot pay this way right now. Please pay another way, or ask your provider.',
}

export function failureText(reason: StatusReason | null, hadPhone: boolean): string {
  if (reason === null) return NOT_THROUGH
  return (hadPhone ? undefined : textsWithoutPhone[reason]) ?? failureTexts[reason]
}

const MINUTE_SECONDS = 60

/** The time that is left, in the words of a sentence: "9 minutes". */
export function timeText(seconds: number): string {
  const minutes = Math.floor(seconds / MINUTE_SECONDS)
  if (minutes < 1) return 'less than a minute'
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}

const GROUP = 3

/** A code in groups that can be read and typed one after the other. */
export const codeGroups = (code: string): string[] => {
  const size = code.length % GROUP === 1 && code.length > GROUP ? GROUP + 1 : GROUP
  return code.match(new RegExp(`.{1,${size}}`, 'gu')) ?? []
}
