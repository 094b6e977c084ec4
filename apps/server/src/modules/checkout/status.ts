import type { CheckoutStatus, CheckoutView } from '@muripo/contract/checkout'
import type { PaymentStatus } from '@muripo/contract/payments'

type Reported = Omit<CheckoutStatus, 'status' | 'revision'>

const ACTION_MS = 5000
const SLOWEST_MS = 10_000
const FASTEST_MS = 2000
/** An outcome comes within seconds or not soon: a request is due after this part of the attempt's age. */
const PART_OF_AGE = 1 / 6

const waiting = ({ attempt }: CheckoutView): Reported => {
  const sinceSent = (attempt?.ageSeconds ?? 0) * 1000
  const poll_after_ms = Math.round(Math.min(SLOWEST_MS, Math.max(FASTEST_MS, sinceSent * PART_OF_AGE)))
  if (attempt?.isSilent)
    return { stage: 'unknown', message: 'Not confirmed yet. Do not pay again.', poll_after_ms }
  const message =
    attempt?.phone === null ? 'The payment is being checked.' : 'Confirm the payment on your phone.'
  return { stage: 'waiting', message, poll_after_ms }
}

const action = ({ attempt }: CheckoutView): Reported => ({
  stage: 'action',
  message:
    attempt?.step?.type === 'redirect'
      ? 'Continue on the page of the provider.'
      : 'Enter the code in your wallet’s app.',
  poll_after_ms: ACTION_MS,
})

/** The state of a payment for a program that waits for its payer. */
export function statusOf(status: PaymentStatus, view: CheckoutView): CheckoutStatus {
  return { status, ...reportedOf(view), revision: view.revision }
}

function reportedOf(view: CheckoutView): Reported {
  switch (view.stage) {
    case 'choose':
      return { stage: 'choose', message: 'Choose how to pay.', poll_after_ms: ACTION_MS }
    case 'action':
      return action(view)
    case 'waiting':
      return waiting(view)
    case 'refused':
      return { stage: 'failed', message: 'Not paid. Choose how to try again.', poll_after_ms: ACTION_MS }
    case 'unavailable':
      return { stage: 'choose', message: 'This cannot be paid at the moment.', poll_after_ms: SLOWEST_MS }
    case 'under_review':
      return { stage: 'unknown', message: 'The payment is being looked into.', poll_after_ms: SLOWEST_MS }
    case 'authorized':
      return { stage: 'authorized', message: 'Payment authorised.', poll_after_ms: null }
    case 'completed':
      return { stage: 'completed', message: 'Payment completed.', poll_after_ms: null }
    case 'refunded':
      return { stage: 'completed', message: 'This payment was refunded.', poll_after_ms: null }
    case 'cancelled':
      return { stage: 'cancelled', message: 'Payment cancelled.', poll_after_ms: null }
    case 'expired':
      return { stage: 'expired', message: 'This payment link has expired.', poll_after_ms: null }
  }
}
