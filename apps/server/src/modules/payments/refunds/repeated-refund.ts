import { createHash } from 'node:crypto'
import { equals, type Money } from '@muripo/contract/money'
import { plusMs } from '../../../platform/clock.ts'
import { isOpenRefund } from '../machine.ts'
import { type Payment, paidAmountOf, type Refund } from '../payment.ts'

/** How long an identical request without an idempotency key joins the refund of the first one. The trigger refunds_no_repetition has the same. */
const REPETITION_MS = 10 * 60_000

/**
 * The requester of a request for the remaining amount. Such a request repeats no earlier request for a part, even when the remaining amount
 * equals that part.
 */
export const requesterOfRemaining = (requester: string): string => {
  const hex = createHash('sha256').update(`${requester} rest`).digest('hex')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
}

/** Whether a refund belongs to the same request: it was not refused, and the same requester requested it less than ten minutes ago. */
const isRecent = (refund: Refund, requestedBy: string | undefined, now: Date): boolean =>
  requestedBy !== undefined &&
  (refund.requestedBy === requestedBy || refund.requestedBy === requesterOfRemaining(requestedBy)) &&
  refund.status !== 'failed' &&
  refund.createdAt > plusMs(now, -REPETITION_MS)

/** The refund of the same amount that the same requester requested less than ten minutes ago, if there is one. */
export const repetitionOf = (
  refunds: readonly Refund[],
  amount: Money,
  requestedBy: string | undefined,
  now: Date,
): Refund | undefined =>
  refunds.find((refund) => equals(refund.amount, amount) && isRecent(refund, requestedBy, now))

/** The latest refund that the same requester requested less than ten minutes ago. */
export const latestOf = (
  refunds: readonly Refund[],
  requestedBy: string | undefined,
  now: Date,
): Refund | undefined => refunds.find((refund) => isRecent(refund, requestedBy, now))

/** A single refund of the whole payment: it is the response to every further request for the whole. */
export const wholeRefundOf = (refunds: readonly Refund[], payment: Payment): Refund | undefined =>
  refunds.find((refund) => refund.status === 'completed' && equals(refund.amount, paidAmountOf(payment)))

/** An unfinished refund of the same amount. */
export const openRefundOf = (refunds: readonly Refund[], amount: Money): Refund | undefined =>
  refunds.find((refund) => isOpenRefund(refund.status) && equals(refund.amount, amount))
