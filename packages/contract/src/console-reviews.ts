import { z } from 'zod'
import { paymentMethods } from './enums.ts'
import { AccountId, AnomalyId, AttemptId, PaymentId, RefundId } from './ids.ts'
import { Currency } from './money.ts'
import { Timestamp } from './text.ts'

/** The parts of payments that operators decide about: attempts, contradictions of providers, reversed charges and refunds. */

const InReview = {
  /** The environment of the merchant: the id in the address of the payment. */
  merchantId: AccountId,
  paymentId: PaymentId,
  currency: Currency,
  since: Timestamp,
  provider: z.string(),
  providerStatus: z.string().nullable(),
}

const OfShop = {
  ...InReview,
  shopName: z.string(),
  amount: z.number(),
  method: z.enum(paymentMethods),
  phone: z.string().nullable().meta({ description: 'Masked' }),
  /** Made with a test key: no money has moved. */
  isTest: z.boolean(),
}

/** The verdicts on a review, of which each kind of review has its own. */
export const reviewOutcomes = ['completed', 'reversed', 'bounced', 'differs', 'unchanged'] as const

export const ReviewedAnomaly = z.object({
  ...InReview,
  anomalyId: AnomalyId,
  kind: z.string(),
  amount: z.number().nullable(),
  refundId: RefundId.nullable(),
  /** The verdicts that fit it. */
  outcomes: z.array(z.enum(reviewOutcomes)),
  /** The provider's last word about the charge, when it has ever denied the payment. */
  report: z.object({ says: z.string(), amount: z.number().nullable(), at: Timestamp }).nullable(),
  /** Refused refunds that may explain a reversal: their provider may have paid them after all. */
  refusedRefunds: z.array(RefundId),
})
export type ReviewedAnomaly = z.infer<typeof ReviewedAnomaly>

export const ConsoleRefund = z.object({
  ...OfShop,
  refundId: RefundId,
  status: z.string(),
  origin: z.string(),
  reason: z.string().nullable(),
  chargeReference: z.string().nullable(),
  reference: z.string().nullable().meta({ description: 'The number that the provider gave the refund' }),
  /** An operator has to send or to clarify it. */
  isWaiting: z.boolean(),
  /** The provider paid it after its failure: refund.settle resolves it. */
  isPaidLate: z.boolean(),
  /** The provider has reported the charge as returned: a confirmation needs a reason. */
  isReturned: z.boolean(),
  /** The time at which it came back; null for a refund that did not. */
  bouncedAt: Timestamp.nullable(),
  changedAt: Timestamp,
})
export type ConsoleRefund = z.infer<typeof ConsoleRefund>

export const Reviews = z.object({
  attempts: z.array(
    z.object({
      ...OfShop,
      attemptId: AttemptId,
      heldBecause: z.string().nullable(),
      providerReference: z.string().nullable(),
    }),
  ),
  anomalies: z.array(ReviewedAnomaly),
  refunds: z.array(ConsoleRefund),
})
export type Reviews = z.infer<typeof Reviews>

/** A charge of a payment of which an amount is booked as reversed. */
export const ReversedCharge = z.object({
  /** The review that names the charge in payment.return. */
  review: AnomalyId,
  provider: z.string(),
  reference: z.string().nullable(),
  /** The booked amount that the provider has not returned. */
  amount: z.number(),
})
