import type { TimelineEntry } from '@muripo/contract/dashboard-payments'
import type { StatusReason } from '@muripo/contract/payments'
import { amountText, methodLabel } from '../../../lib/format.ts'

/** Why a payment stands where it stands, for the owner of the shop. */
export const reasonTexts: Readonly<Record<StatusReason, string>> = {
  awaiting_payer: 'The customer has not confirmed it yet.',
  checking: 'The provider gave no clear answer. We keep asking, and nothing is charged twice.',
  under_review: 'Something about this payment does not fit. A person is looking into it.',
  insufficient_funds: 'The customer did not have enough money.',
  wrong_pin: 'The customer entered a wrong PIN.',
  user_cancelled: 'The customer cancelled it.',
  cancelled: 'It was cancelled before it was paid.',
  expired: 'The customer did not confirm it in time.',
  limit_exceeded: 'The amount is over the limit of the customer.',
  barred: 'The customer’s account is blocked. They can ask their provider about it.',
  declined: 'The provider declined it and gave no reason.',
  provider_unavailable: 'The provider could not be reached, so nothing was charged.',
}

const REFUSED = 'The provider refused the refund and gave no reason.'

/** Why a refund did not go through. */
export const refundReasonTexts: Readonly<Record<StatusReason, string>> = {
  awaiting_payer: REFUSED,
  checking: REFUSED,
  under_review: REFUSED,
  insufficient_funds: 'The provider does not hold enough money to pay it back right now.',
  wrong_pin: REFUSED,
  user_cancelled: 'The refund was cancelled at the provider.',
  cancelled: REFUSED,
  expired: 'The refund never reached the provider.',
  limit_exceeded: 'The amount is over what the customer may receive.',
  barred: 'The customer’s account cannot receive money right now.',
  declined: REFUSED,
  provider_unavailable: 'The provider could not be reached.',
}

export interface TimelineText {
  readonly title: string
  readonly text: string | null
  readonly tone: 'grey' | 'yellow' | 'green' | 'red' | 'purple'
}

export function timelineText(entry: TimelineEntry, currency: string): TimelineText {
  switch (entry.kind) {
    case 'created':
      return { title: 'Payment created', text: null, tone: 'grey' }
    case 'prompt_sent':
      return {
        title: entry.phone === null ? 'Payment started' : 'Payment request sent',
        text: triedBy(entry),
        tone: 'grey',
      }
    case 'waiting':
      return {
        title: 'Waiting for the customer',
        text: referring(reasonTexts.awaiting_payer, entry),
        tone: 'yellow',
      }
    case 'checking':
      return { title: 'Not certain yet', text: referring(reasonTexts.checking, entry), tone: 'yellow' }
    case 'under_review':
      return { title: 'Under review', text: referring(reasonTexts.under_review, entry), tone: 'yellow' }
    case 'attempt_failed':
      return { title: 'Not paid', text: referring(reasonTexts[entry.reason], entry), tone: 'red' }
    case 'paid_twice':
      return {
        title: 'Paid a second time',
        text: `${withReference(triedBy(entry), entry)}. What came besides is not yours. It goes back to the customer, and there is nothing for you to do.`,
        tone: 'yellow',
      }
    case 'cancel_requested':
      return {
        title: 'Cancellation requested',
        text: 'A payment request was under way. It is waited for, and no other is sent.',
        tone: 'grey',
      }
    case 'cancelled':
      return { title: 'Payment cancelled', text: 'It can no longer be paid.', tone: 'red' }
    case 'expired':
      return {
        title: 'Payment link expired',
        text: 'It can no longer be paid. Create a new payment if the customer still wants to pay.',
        tone: 'grey',
      }
    case 'completed':
      return {
        title: 'Payment completed',
        text: withReference(methodLabel(entry.method), entry),
        tone: 'green',
      }
    case 'refund_requested':
      return { title: 'Refund requested', text: amountText(currency, entry.amount), tone: 'grey' }
    case 'refund_checking':
      return {
        title: 'Refund on its way',
        text: `${amountText(currency, entry.amount)}. The provider has not confirmed it yet. We keep asking, and it is never paid twice.`,
        tone: 'yellow',
      }
    case 'refund_with_operator':
      return {
        title: 'Refund with the operator',
        text: `${amountText(currency, entry.amount)}. A person sends it by hand and confirms it here. It is never paid twice.`,
        tone: 'yellow',
      }
    case 'refund_failed':
      return {
        title: 'Refund failed',
        text: `${amountText(currency, entry.amount)}. ${whyNotRefunded(entry)} The money is still yours.`,
        tone: 'red',
      }
    case 'refunded':
      return {
        title: 'Refunded',
        text: withReference(amountText(currency, entry.amount), entry),
        tone: 'purple',
      }
  }
}

const whyNotRefunded = ({
  reason,
  explanation,
}: Extract<TimelineEntry, { kind: 'refund_failed' }>): string =>
  explanation === null
    ? refundReasonTexts[reason]
    : `It could not be sent by hand: “${explanation.replace(/\.$/, '')}”.`

type Referred = { readonly reference: string | null }

interface Tried {
  readonly method: string
  readonly phone: string | null
}

const triedBy = ({ method, phone }: Tried): string =>
  phone === null ? methodLabel(method) : `${methodLabel(method)}, ${phone}`

const withReference = (what: string, { reference }: Referred): string =>
  reference === null ? what : `${what}, reference ${reference}`

const referring = (sentence: string, { reference }: Referred): string =>
  reference === null ? sentence : `${sentence} Reference ${reference}.`
