import type { TimelineEntry } from '@muripo/contract/dashboard-payments'
import type { RefundId } from '@muripo/contract/ids'
import { toMajor } from '@muripo/contract/money'
import type { CaptureInstruction } from './instruction.ts'
import { isOpen } from './moves.ts'
import { type Attempt, maskedNumber, type Payment, type Refund } from './payment.ts'
import type { Anomaly } from './state.ts'

/** The rows of a payment; attempts and refunds with the latest first. */
interface PaymentRows {
  readonly payment: Payment
  readonly attempts: readonly Attempt[]
  readonly refunds: readonly Refund[]
  readonly instruction: CaptureInstruction | null
  /** The oldest first. */
  readonly anomalies: readonly Anomaly[]
  /** The operators' reasons for refunds that could not be sent by hand. */
  readonly explained: ReadonlyMap<RefundId, string>
}

/**
 * The timeline of a payment, the earliest entry first. It is computed from the present rows: a state that a later outcome has overwritten,
 * such as a refusal before a late success, is not included.
 */
export function timelineOf(
  { payment, attempts, refunds, instruction, anomalies, explained }: PaymentRows,
  now: Date,
): TimelineEntry[] {
  return [
    { at: payment.createdAt.toISOString(), kind: 'created' } as const,
    ...attempts.toReversed().flatMap((attempt) => eventsOfAttempt(attempt, payment, instruction)),
    ...cancelling(payment),
    ...expiry(payment, attempts, now),
    ...captureRequest(instruction),
    ...completion(payment),
    ...refunds.toReversed().flatMap((refund) => eventsOfRefund(refund, explained.get(refund.id) ?? null)),
    ...anomalies.flatMap((anomaly) => reversalOf(anomaly, attempts)),
    // The sort is stable: entries with the same time stay in the order of their causes.
  ].sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))
}

type Tried = Pick<Attempt, 'method'> & { readonly phone: string | null; readonly reference: string | null }

function eventsOfAttempt(
  attempt: Attempt,
  payment: Payment,
  instruction: CaptureInstruction | null,
): TimelineEntry[] {
  const by = { method: attempt.method, phone: maskedNumber(attempt) }
  const tried = { ...by, reference: attempt.providerReference }
  const at = attempt.updatedAt.toISOString()
  const known: TimelineEntry[] = [
    { at: attempt.createdAt.toISOString(), kind: 'prompt_sent', ...by },
    ...authorisation(attempt, tried),
  ]
  if (attempt.status === 'completed' || attempt.status === 'authorized') return known
  if (attempt.status === 'duplicate') return [...known, { at, kind: 'paid_twice', ...tried }]
  // A void is shown as the cancellation of the payment, or as the end of its authorisation.
  const isVoided = instruction?.kind === 'void' && instruction.attemptId === attempt.id
  if (attempt.status === 'failed' && isVoided) return known
  if (attempt.status === 'failed')
    return [...known, { at, kind: 'attempt_failed', ...tried, reason: attempt.failureReason ?? 'declined' }]
  if (attempt.status === 'held' || payment.statusReason === 'under_review')
    return [...known, { at, kind: 'under_review', ...tried }]
  return [...known, { at, kind: isChecked(attempt, payment) ? 'checking' : 'waiting', ...tried }]
}

/** The authorisation, also after its capture or its void. Attempts of an earlier version have no time of authorisation. */
function authorisation({ authorizedAt, status, updatedAt }: Attempt, tried: Tried): TimelineEntry[] {
  const at = authorizedAt ?? (status === 'authorized' ? updatedAt : null)
  if (at === null) return []
  // The reference of a completed attempt is that of the capture.
  const reference = status === 'completed' ? null : tried.reference
  return [{ at: at.toISOString(), kind: 'authorized', ...tried, reference }]
}

/** Whether the outcome of an open attempt depends on the provider alone: the payer has authorised it, or there is no trustworthy reply. */
export const isChecked = (attempt: Pick<Attempt, 'status'>, payment: Pick<Payment, 'status'>): boolean =>
  attempt.status === 'unknown' || payment.status === 'authorized'

/** A cancelled payment has failed as cancelled; while it is pending, and after a late success, the cancellation was only requested. */
function cancelling({ termination, status }: Payment): TimelineEntry[] {
  if (termination?.reason !== 'cancelled') return []
  return [
    { at: termination.since.toISOString(), kind: status === 'failed' ? 'cancelled' : 'cancel_requested' },
  ]
}

/** The expiry of a payment that accepts no attempts and has none that may still succeed, or of an authorisation. */
function expiry(payment: Payment, attempts: readonly Attempt[], now: Date): TimelineEntry[] {
  const { termination, captureBefore, status, statusReason } = payment
  if (captureBefore !== null)
    return status === 'failed' && termination !== null && statusReason === 'expired'
      ? [{ at: termination.since.toISOString(), kind: 'authorization_expired' }]
      : []
  if (payment.completedAt !== null || termination?.reason === 'cancelled' || payment.expiresAt > now)
    return []
  if (attempts.some(({ status }) => isOpen(status))) return []
  return [{ at: payment.expiresAt.toISOString(), kind: 'expired' }]
}

const captureRequest = (instruction: CaptureInstruction | null): TimelineEntry[] =>
  instruction?.kind === 'capture'
    ? [
        {
          at: instruction.createdAt.toISOString(),
          kind: 'capture_requested',
          amount: toMajor(instruction.amount),
        },
      ]
    : []

const completion = ({ completedAt, method, providerReference }: Payment): TimelineEntry[] =>
  completedAt === null
    ? []
    : [{ at: completedAt.toISOString(), kind: 'completed', method, reference: providerReference }]

function eventsOfRefund(refund: Refund, explanation: string | null): TimelineEntry[] {
  const amount = toMajor(refund.amount)
  const requested = { at: refund.createdAt.toISOString(), kind: 'refund_requested', amount } as const
  const at = refund.updatedAt.toISOString()
  switch (refund.status) {
    case 'completed':
      return [requested, { at, kind: 'refunded', amount, reference: refund.providerReference }]
    case 'failed':
      if (refund.bouncedAt !== null)
        return [
          requested,
          { at: refund.bouncedAt.toISOString(), kind: 'refund_bounced', amount, explanation },
        ]
      return [
        requested,
        { at, kind: 'refund_failed', amount, reason: refund.failureReason ?? 'declined', explanation },
      ]
    case 'sending':
    case 'pending':
    case 'unknown':
      return [requested, { at, kind: 'refund_checking', amount }]
    case 'awaiting_operator':
      return [requested, { at, kind: 'refund_with_operator', amount }]
  }
}

/** A reversal of the payment's charge, and the decision about it. An amount of a duplicate charge was never the merchant's. */
function reversalOf(
  { attemptId, refundId, kind, amount, openedAt, resolvedAt, resolution, booked }: Anomaly,
  attempts: readonly Attempt[],
): TimelineEntry[] {
  const isOfCharge = attempts.some(({ id, status }) => id === attemptId && status === 'completed')
  if (!isOfCharge || refundId !== null) return []
  const at = (resolvedAt ?? openedAt).toISOString()
  if (kind === 'returned') return booked ? [{ at, kind: 'reversal_undone', amount: toMajor(booked) }] : []
  const isReported = kind === 'reversed' || kind === 'contradicted'
  const opened = isReported
    ? [{ at: openedAt.toISOString(), kind: 'reversed', amount: amount && toMajor(amount) } as const]
    : []
  if (booked) return [...opened, { at, kind: 'reversal_booked', amount: toMajor(booked) }]
  return isReported && resolution !== null ? [...opened, { at, kind: 'reversal_dismissed' }] : opened
}
