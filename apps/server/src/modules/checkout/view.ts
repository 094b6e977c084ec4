import { type CheckoutView, isUsable, type OfferedMethod } from '@muripo/contract/checkout'
import { toDecimal } from '@muripo/contract/money'
import type { PaymentMethod } from '@muripo/contract/payments'
import { plusMs } from '../../platform/clock.ts'
import type { PayerView } from '../applications/index.ts'
import { type Attempt, isUnderway, maskedNumber, type Payment, paidAmountOf } from '../payments/index.ts'
import { receiptAddress } from './receipt-email.ts'
import { stepOf } from './step.ts'

/** The time that a prompt takes to appear on a slow network. */
export const RESEND_AFTER_SECONDS = 30

/** The methods of a page, and the one that the payer's browser used last. */
export interface Choice {
  readonly methods: readonly OfferedMethod[]
  readonly last: PaymentMethod | null
  /** Whether another method may be chosen while this attempt is open. */
  readonly canLeave: (attempt: Attempt) => boolean
  /** The wallet's code that opens a prompt which did not appear. */
  readonly dialIn: (attempt: Attempt) => string | null
  /** The address of the page for the card of the open attempt. */
  readonly cardPage: string
}

/** After this time without an outcome the page says that the provider is slow. */
const SILENT_SECONDS = 120
/** The same after a call without a trustworthy reply. */
const UNANSWERED_SECONDS = 30

/** The page of a completed payment continues at the shop during this time. A payer who comes back to it later stays. */
const CONTINUES_MS = 60_000

/** @param attempts the latest first */
export function viewOf(
  payment: Payment,
  shop: PayerView,
  attempts: readonly Attempt[],
  { methods, last, canLeave, cardPage, dialIn }: Choice,
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
  const prompted = stage === 'waiting' && open && open.msisdn !== null ? open : null
  const resendSeconds = Math.max(0, RESEND_AFTER_SECONDS - (shown?.ageSeconds ?? 0))
  const continueUrl = continueUrlOf(payment)
  const flags = [shown?.isStarting, shown?.isSilent, leavable, resendSeconds === 0, ...methods.map(isUsable)]
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
    canCancel: ['choose', 'refused', 'unavailable'].includes(stage) && payment.cancelUrl !== null,
    canLeave: leavable,
    attempt: shown && {
      ...shown,
      step: stage === 'action' ? step : null,
      prompt: prompted && {
        shopName: shop.promptName,
        dialIn: dialIn(prompted),
        resendSeconds,
        canCancel: payment.cancelUrl !== null && payment.termination === null,
      },
    },
    resumeCode: null,
    receipt: receiptOf(payment, attempts),
    mailsReceipt: receiptAddress(payment.customer.email, shop) !== null,
    continueUrl,
    continues:
      (stage === 'completed' || stage === 'authorized') &&
      continueUrl !== null &&
      now < plusMs(payment.updatedAt, CONTINUES_MS),
  }
}

type ShownAttempt = Omit<NonNullable<CheckoutView['attempt']>, 'step' | 'prompt'>

function shownAttempt(attempt: Attempt, now: Date): ShownAttempt {
  const ageSeconds = Math.max(0, secondsBetween(attempt.createdAt, now))
  return {
    method: attempt.method,
    phone: maskedNumber(attempt),
    isStarting: attempt.status === 'sending',
    ageSeconds,
    isSilent: ageSeconds >= (attempt.status === 'unknown' ? UNANSWERED_SECONDS : SILENT_SECONDS),
    failure: attempt.failureReason,
  }
}

function receiptOf(payment: Payment, attempts: readonly Attempt[]): CheckoutView['receipt'] {
  if (payment.completedAt === null) return null
  const attempt = attempts.find(({ status }) => status === 'completed')
  return {
    paymentId: payment.id,
    reference: payment.reference,
    providerReference: payment.providerReference,
    paidAt: payment.completedAt.toISOString(),
    method: attempt?.method ?? null,
    phone: attempt ? maskedNumber(attempt) : null,
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
