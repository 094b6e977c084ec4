import type { TimelineEntry } from '@muripo/contract/dashboard-payments'
import type { RefundId } from '@muripo/contract/ids'
import { toMajor } from '@muripo/contract/money'
import { isOpen } from './machine.ts'
import { type Attempt, maskedNumber, type Payment, type Refund } from './payment.ts'

/**
 * What happened to a payment, the earliest first. It is read from the rows as they stand: what a later outcome has overwritten, such
 * as a refusal before a late success, is not in it.
 * @param attempts the latest first, and so are the refunds
 * @param explained why refunds could not be sent by hand, in the words of whoever tried
 */
export function timelineOf(
  payment: Payment,
  attempts: readonly Attempt[],
  refunds: readonly Refund[],
  explained: ReadonlyMap<RefundId, string>,
  now: Date,
): TimelineEntry[] {
  return [
    { at: payment.createdAt.toISOString(), kind: 'created' } as const,
    ...attempts.toReversed().flatMap((attempt) => eventsOfAttempt(attempt, payment)),
    ...cancelling(payment),
    ...expiry(payment, attempts, now),
    ...completion(payment),
    ...refunds.toReversed().flatMap((refund) => eventsOfRefund(refund, explained.get(refund.id) ?? null)),
    // Stable: what bears the same time stays in the order of its causes.
  ].sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))
}

function eventsOfAttempt(attempt: Attempt, payment: Payment): TimelineEntry[] {
  const by = { method: attempt.method, phone: maskedNumber(attempt) }
  const sent = { at: attempt.createdAt.toISOString(), kind: 'prompt_sent', ...by } as const
  const tried = { ...by, reference: attempt.providerReference }
  const at = attempt.updatedAt.toISOString()
  if (attempt.status === 'completed') return [sent]
  if (attempt.status === 'duplicate') return [sent, { at, kind: 'paid_twice', ...tried }]
  if (attempt.status === 'failed')
    return [sent, { at, kind: 'attempt_failed', ...tried, reason: attempt.failureReason ?? 'declined' }]
  if (attempt.status === 'held' || payment.statusReason === 'under_review')
    return [sent, { at, kind: 'under_review', ...tried }]
  return [sent, { at, kind: attempt.status === 'unknown' ? 'checking' : 'waiting', ...tried }]
}

/** Cancelled is what has failed so; while it is pending, and once it was paid after all, that was only wished. */
function cancelling({ termination, status }: Payment): TimelineEntry[] {
  if (termination?.reason !== 'cancelled') return []
  return [
    { at: termination.since.toISOString(), kind: status === 'failed' ? 'cancelled' : 'cancel_requested' },
  ]
}

/** Nobody can pay any more, and nothing that was begun may still be paid. */
function expiry(payment: Payment, attempts: readonly Attempt[], now: Date): TimelineEntry[] {
  if (payment.completedAt !== null || payment.termination?.reason === 'cancelled' || payment.expiresAt > now)
    return []
  if (attempts.some(({ status }) => isOpen(status))) return []
  return [{ at: payment.expiresAt.toISOString(), kind: 'expired' }]
}

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
