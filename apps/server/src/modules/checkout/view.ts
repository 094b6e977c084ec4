import { type CheckoutView, isUsable, type OfferedMethod, type Prompt } from '@muripo/contract/checkout'
import { subtract, toDecimal } from '@muripo/contract/money'
import type { PaymentMethod } from '@muripo/contract/payments'
import { plusMs } from '../../platform/clock.ts'
import type { PayerView } from '../applications/index.ts'
import {
  type Attempt,
  isUnderway,
  maskedNumber,
  mayFollow,
  type Payment,
  paidAmountOf,
  type Refund,
  silentAt,
} from '../payments/index.ts'
import { offeredText } from './offered-number.ts'
import { contactText, receiptAddress } from './receipt-email.ts'
import { stepOf } from './step.ts'

/** The methods of a page, and the one that the payer's browser used last. */
export interface Choice {
  readonly methods: readonly OfferedMethod[]
  readonly last: PaymentMethod | null
  /** Whether another method may be chosen while this attempt is open. */
  readonly canLeave: (attempt: Attempt) => boolean
  /** The time at which the provider closes the prompt of this attempt. */
  readonly closesAt: (attempt: Attempt) => Date | null
  /** The wallet's code that opens a prompt which did not appear. */
  readonly dialIn: (attempt: Attempt) => string | null
  /** The address of the page for the card of the open attempt. */
  readonly cardPage: string
}

/** The page of a completed payment continues at the shop during this time. A payer who comes back to it later stays. */
const CONTINUES_MS = 60_000

/** The attempts and the refunds of a payment, the latest first. */
interface History {
  readonly attempts: readonly Attempt[]
  readonly refunds: readonly Refund[]
}

export function viewOf(
  payment: Payment,
  shop: PayerView,
  { attempts, refunds }: History,
  { methods, last, canLeave, closesAt, cardPage, dialIn }: Choice,
  now: Date,
): CheckoutView {
  const latest = attempts[0] ?? null
  const open = attempts.find(({ status }) => isUnderway(status))
  // A payer who has not paid yet must not pay an order that the shop has cancelled.
  const step = open && payment.termination?.reason !== 'cancelled' ? stepOf(open, cardPage, now) : null
  const beforeStep = stageOf(payment, shop, attempts, now)
  const stage = beforeStep === 'waiting' && step ? 'action' : beforeStep
  const canChoose = (method: PaymentMethod | null) =>
    methods.some((each) => each.method === method && isUsable(each))
  const suggested = [latest?.method ?? null, payment.method, last].find(canChoose) ?? null
  const leavable = stage === 'action' && open !== undefined && canLeave(open)
  const shown = latest && shownAttempt(latest, now)
  const stepEnd = stage === 'action' && open !== undefined && !leavable ? closesAt(open) : null
  const otherWay = stepEnd !== null && mayFollow(payment, stepEnd, now) ? stepEnd.toISOString() : null
  const prompted = stage === 'waiting' && open && open.msisdn !== null ? open : null
  const prompt = prompted && promptOf(payment, closesAt(prompted), dialIn(prompted), now)
  const continueUrl = continueUrlOf(payment)
  const isForm = stage === 'choose' || stage === 'refused' || leavable
  const flags = [
    shown?.isStarting,
    shown?.isSilent,
    leavable,
    step?.until === null,
    prompt?.closesAt === null,
    prompt?.isLast,
    ...methods.map(isUsable),
  ]
  return {
    stage,
    revision: [stage, attempts.length, ...flags.map((flag) => Number(flag ?? false))].join('-'),
    locale: payment.locale,
    isTest: shop.mode === 'test',
    shopName: shop.name,
    brand: shop.brand,
    amount: toDecimal(paidAmountOf(payment)),
    currency: payment.amount.currency,
    description: payment.description,
    methods: methods.toSorted((a, b) => Number(b.method === suggested) - Number(a.method === suggested)),
    suggested,
    phone: isForm ? offeredText(payment, attempts) : null,
    canCancel: ['choose', 'refused', 'unavailable'].includes(stage) && payment.cancelUrl !== null,
    canLeave: leavable,
    otherWayAt: otherWay,
    attempt: shown && {
      ...shown,
      step: stage === 'action' ? step : null,
      prompt,
    },
    resumeCode: null,
    receipt: receiptOf(payment, shop, attempts, refunds),
    mailsReceipt: receiptAddress(payment.customer.email, shop) !== null,
    continueUrl,
    continues:
      (stage === 'completed' || stage === 'authorized') &&
      continueUrl !== null &&
      now < plusMs(paidAtOf(payment, attempts), CONTINUES_MS),
  }
}

const promptOf = (payment: Payment, end: Date | null, dialIn: string | null, now: Date): Prompt => ({
  dialIn,
  closesAt: end === null || end <= now ? null : end.toISOString(),
  isLast: !mayFollow(payment, end, now),
  canCancel: payment.cancelUrl !== null && payment.termination === null,
})

type ShownAttempt = Omit<NonNullable<CheckoutView['attempt']>, 'step' | 'prompt'>

function shownAttempt(attempt: Attempt, now: Date): ShownAttempt {
  const ageSeconds = Math.max(0, secondsBetween(attempt.createdAt, now))
  return {
    method: attempt.method,
    phone: maskedNumber(attempt),
    isStarting: attempt.status === 'sending',
    ageSeconds,
    isSilent: silentAt(attempt) <= now,
    failure: attempt.failureReason,
  }
}

/** The end of the payer's part. A capture or a refund changes the payment later. */
const paidAtOf = (payment: Payment, attempts: readonly Attempt[]): Date =>
  attempts.find(({ authorizedAt }) => authorizedAt !== null)?.authorizedAt ??
  payment.completedAt ??
  payment.createdAt

function receiptOf(
  payment: Payment,
  shop: PayerView,
  attempts: readonly Attempt[],
  refunds: readonly Refund[],
): CheckoutView['receipt'] {
  if (payment.completedAt === null) return null
  const attempt = attempts.find(({ status }) => status === 'completed')
  return {
    paymentId: payment.id,
    reference: payment.reference,
    providerReference: payment.providerReference,
    paidAt: payment.completedAt.toISOString(),
    method: attempt?.method ?? null,
    phone: attempt ? maskedNumber(attempt) : null,
    refunds: refunds
      .filter(({ status }) => status === 'completed')
      .map(({ amount, updatedAt }) => ({ amount: toDecimal(amount), at: updatedAt.toISOString() }))
      .reverse(),
    amountLeft:
      payment.status === 'completed' && payment.refunded.minor > 0n
        ? toDecimal(subtract(paidAmountOf(payment), payment.refunded))
        : null,
    contact: shop.contactPhone && contactText(shop.contactPhone),
  }
}

const secondsBetween = (from: Date, to: Date): number => Math.floor((to.getTime() - from.getTime()) / 1000)

function stageOf(
  payment: Payment,
  shop: PayerView,
  attempts: readonly Attempt[],
  now: Date,
): CheckoutView['stage'] {
  if (payment.status !== 'pending' && payment.status !== 'failed') return payment.status
  if (payment.statusReason === 'under_review') return 'under_review'
  if (attempts.some(({ status }) => isUnderway(status))) return 'waiting'
  if (payment.termination !== null) return payment.termination.reason
  if (payment.expiresAt <= now) return 'expired'
  if (!shop.payable) return 'unavailable'
  return attempts.length > 0 ? 'refused' : 'choose'
}

/** The shop's address with the result. The result in the address proves nothing; the shop's server asks the gateway. */
function continueUrlOf(payment: Payment): string | null {
  const isOver = payment.status !== 'pending' && payment.status !== 'failed'
  const target = isOver ? payment.successUrl : payment.cancelUrl
  if (target === null) return null
  const url = new URL(target)
  url.searchParams.set('payment_id', payment.id)
  url.searchParams.set('status', payment.status)
  return url.href
}
