import type { CheckoutStatus, CheckoutView } from '@muripo/contract/checkout'
import type { PaymentStatus } from '@muripo/contract/payments'

type Reported = Omit<CheckoutStatus, 'status' | 'revision'>

const ACTION_MS = 5000
const SLOWEST_MS = 10_000
const FASTEST_MS = 2000
/** The next request is due after this part of the attempt's age: most outcomes come within seconds, and the others much later. */
const PART_OF_AGE = 1 / 6

const reported = (
  stage: CheckoutStatus['stage'],
  message: string,
  poll_after_ms: number | null = null,
): Reported => ({ stage, message, poll_after_ms })

/** The stages with one message each. */
const fixed: Readonly<Record<Exclude<CheckoutView['stage'], 'action' | 'waiting'>, Reported>> = {
  choose: reported('choose', 'Choose how to pay.', ACTION_MS),
  refused: reported('failed', 'Not paid. Choose how to try again.', ACTION_MS),
  unavailable: reported('choose', 'This cannot be paid at the moment.', SLOWEST_MS),
  under_review: reported('unknown', 'The payment is being looked into.', SLOWEST_MS),
  authorized: reported('authorized', 'Payment authorised.'),
  completed: reported('completed', 'Payment completed.'),
  refunded: reported('completed', 'This payment was refunded.'),
  cancelled: reported('cancelled', 'Payment cancelled.'),
  expired: reported('expired', 'This payment link has expired.'),
}

function waiting({ attempt }: CheckoutView): Reported {
  const sinceSent = (attempt?.ageSeconds ?? 0) * 1000
  const pollAfterMs = Math.round(Math.min(SLOWEST_MS, Math.max(FASTEST_MS, sinceSent * PART_OF_AGE)))
  if (attempt?.isSilent) return reported('unknown', 'Not confirmed yet. Do not pay again.', pollAfterMs)
  const message =
    attempt?.phone === null ? 'The payment is being checked.' : 'Confirm the payment on your phone.'
  return reported('waiting', message, pollAfterMs)
}

const action = ({ attempt }: CheckoutView): Reported =>
  attempt?.step?.type === 'redirect'
    ? reported('action', 'Continue on the page of the provider.', ACTION_MS)
    : reported('action', 'Enter the code in your wallet’s app.', ACTION_MS)

function reportedOf(view: CheckoutView): Reported {
  if (view.stage === 'waiting') return waiting(view)
  return view.stage === 'action' ? action(view) : fixed[view.stage]
}

/** The state of a payment for a program that waits for its payer. */
export function statusOf(status: PaymentStatus, view: CheckoutView): CheckoutStatus {
  return { status, ...reportedOf(view), revision: view.revision }
}
