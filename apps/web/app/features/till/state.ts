import type { TillPayment } from '@muripo/contract/till'
import type { TillText } from './text.ts'

type Shown = Pick<TillPayment, 'status' | 'statusReason'>

/** The states that a cashier distinguishes. */
export type TillState = 'paid' | 'waiting' | 'checking' | 'declined' | 'cancelled' | 'expired' | 'refunded'

/** The reasons of a pending payment that was not refused. */
const awaited = [null, 'awaiting_payer', 'checking', 'awaiting_capture'] as const

export function stateOf({ status, statusReason }: Shown): TillState {
  if (status === 'COMPLETED') return 'paid'
  if (status === 'REFUNDED') return 'refunded'
  if (statusReason === 'under_review') return 'checking'
  if (status === 'FAILED')
    return statusReason === 'cancelled' || statusReason === 'expired' ? statusReason : 'declined'
  return awaited.some((reason) => reason === statusReason) ? 'waiting' : 'declined'
}

const tones = {
  paid: 'green',
  waiting: 'yellow',
  checking: 'yellow',
  declined: 'red',
  cancelled: 'grey',
  expired: 'grey',
  refunded: 'purple',
} as const satisfies Readonly<Record<TillState, string>>

const words = {
  paid: 'tillPaid',
  waiting: 'tillWaiting',
  checking: 'tillChecking',
  declined: 'tillDeclined',
  cancelled: 'tillCancelled',
  expired: 'tillExpired',
  refunded: 'tillRefunded',
} as const

export const toneOf = (state: TillState) => tones[state]
export const wordOf = (state: TillState, t: TillText): string => t(words[state])

/** The end of the number as a cashier may see it. */
export const numberText = ({ lastDigits }: Pick<TillPayment, 'lastDigits'>): string | null =>
  lastDigits && `*** ${lastDigits}`
