import { z } from 'zod'
import { SEARCH_MAX_LENGTH } from './constants.ts'
import { PaymentCustomer } from './customers.ts'
import { captureModes, paymentMethods, paymentStatuses, statusReasons } from './enums.ts'
import { idFilter } from './filters.ts'
import { ApplicationId, PaymentId, TransactionId } from './ids.ts'
import { Currency, MAX_MAJOR } from './money.ts'
import { route } from './route.ts'
import { bounded, Day, PathId, Timestamp } from './text.ts'

// --- Dashboard surface (/v1), camelCase, authenticated by a session ------------------------------------------------------------

export const dashboardStatuses = ['PENDING', 'AUTHORIZED', 'COMPLETED', 'FAILED', 'REFUNDED'] as const

export const DashboardPayment = z.object({
  _id: TransactionId,
  paymentId: PaymentId,
  applicationId: ApplicationId,
  applicationName: z.string(),
  amount: z.number(),
  currency: Currency,
  status: z.enum(dashboardStatuses),
  statusReason: z.enum(statusReasons).nullable(),
  method: z.enum(paymentMethods).nullable(),
  paymentMethodReference: z.string().nullable(),
  purposeDescription: z.string(),
  customerPhoneNumber: z.string().nullable(),
  /** The captured amount, less than `amount` after a partial capture; null until the payment is completed. */
  amountCaptured: z.number().nullable(),
  amountRefunded: z.number(),
  /** The amount that the provider took back and has not returned. */
  amountReversed: z.number(),
  /** Muripo's fee, and the captured amount less the fee; null until the payment is completed. A refund changes neither. */
  fee: z.number().nullable(),
  net: z.number().nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  expiresAt: Timestamp,
  capture: z.enum(captureModes),
  /** The end of the authorisation; null for a payment that was never authorised. */
  captureBefore: Timestamp.nullable(),
})
export type DashboardPayment = z.infer<typeof DashboardPayment>

const by = {
  method: z.enum(paymentMethods),
  phone: z
    .string()
    .nullable()
    .describe('The phone number with its middle digits hidden; null for a method without one'),
}
const reference = z.string().nullable().describe("The provider's reference")
const tried = { ...by, reference }
const event = <const Kind extends string, Facts extends z.ZodRawShape>(kind: Kind, facts: Facts) =>
  z.object({ at: Timestamp, kind: z.literal(kind), ...facts })

/** An entry of a payment's timeline. `at` of an entry that is not final is the time of the last look-up. */
export const TimelineEntry = z.discriminatedUnion('kind', [
  event('created', {}),
  event('prompt_sent', by),
  event('waiting', tried),
  event('checking', tried),
  event('under_review', tried),
  event('attempt_failed', { ...tried, reason: z.enum(statusReasons) }),
  event('paid_twice', tried),
  event('cancel_requested', {}),
  event('cancelled', {}),
  event('expired', {}),
  event('authorized', tried),
  event('capture_requested', { amount: z.number() }),
  event('authorization_expired', {}),
  event('completed', { method: z.enum(paymentMethods).nullable(), reference }),
  event('refund_requested', { amount: z.number() }),
  event('refund_checking', { amount: z.number() }),
  event('refund_with_operator', { amount: z.number() }),
  event('refund_failed', {
    amount: z.number(),
    reason: z.enum(statusReasons),
    explanation: z
      .string()
      .nullable()
      .describe(
        'The reason that an operator gave for a refund that could not be sent; null without an operator',
      ),
  }),
  event('refund_bounced', {
    amount: z.number(),
    explanation: z.string().nullable().describe('The reason that an operator gave'),
  }),
  event('refunded', { amount: z.number(), reference }),
  event('reversed', {
    amount: z.number().nullable().describe('The amount that the provider took back; null when it is unknown'),
  }),
  event('reversal_booked', { amount: z.number() }),
  event('reversal_dismissed', {}),
  event('reversal_undone', { amount: z.number() }),
])
export type TimelineEntry = z.infer<typeof TimelineEntry>

/**
 * The outcome of an attempt. duplicate: the attempt succeeded although the payment was already completed, and the amount is refunded to the
 * payer.
 */
export const attemptOutcomes = [
  'waiting',
  'authorized',
  'checking',
  'under_review',
  'failed',
  'completed',
  'duplicate',
] as const

export const PaymentAttempt = z.object({
  startedAt: Timestamp,
  /** The time of the outcome, or of the last look-up. */
  updatedAt: Timestamp,
  ...by,
  outcome: z.enum(attemptOutcomes),
  reason: z.enum(statusReasons).nullable().describe('The reason of a failure'),
  reference,
})
export type PaymentAttempt = z.infer<typeof PaymentAttempt>

export const OpenAttempt = z.object({
  ...by,
  startedAt: Timestamp,
  silentAt: Timestamp.describe('The time from which the provider counts as silent'),
  closesAt: Timestamp.nullable().describe(
    'The time until which no other attempt can start: the provider closes its prompt, code or page. Null when it names none',
  ),
  isLast: z.boolean().describe('No other attempt can follow'),
})

export const PaymentDetails = z.object({
  ...DashboardPayment.shape,
  customer: PaymentCustomer,
  timeline: z.array(TimelineEntry),
  attempts: z.array(PaymentAttempt).describe('All attempts, the earliest first'),
  paymentUrl: z.string().describe("The address of the payer's page"),
  openAttempt: OpenAttempt.nullable().describe(
    'The attempt whose result is awaited; null when there is none',
  ),
})
export type PaymentDetails = z.infer<typeof PaymentDetails>

const caseless = <T extends readonly [string, ...string[]]>(words: T) =>
  bounded(32)
    .transform((value) => value.toLowerCase())
    .pipe(z.enum(words))

export const DashboardPaymentQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(1000).default(1000),
  cursor: PaymentId.optional(),
  from: Day.optional(),
  to: Day.optional(),
  status: caseless(paymentStatuses).optional(),
  method: caseless(paymentMethods).optional(),
  minAmount: z.coerce.number().min(0).max(MAX_MAJOR).optional(),
  maxAmount: z.coerce.number().min(0).max(MAX_MAJOR).optional(),
  applicationId: idFilter(ApplicationId).optional(),
  /**
   * Part of a payment ID; or the beginning of the customer's phone number in any notation, of the customer's name or surname, of the purpose
   * or of the reference.
   */
  search: bounded(SEARCH_MAX_LENGTH).optional(),
})
export type DashboardPaymentQuery = z.output<typeof DashboardPaymentQuery>

/** The text of a payment by which a search found it. */
export const ListHit = z.object({
  paymentId: PaymentId,
  by: z.enum(['phone', 'customer', 'reference', 'purpose']),
  text: z.string(),
  from: z.int().describe('The place of the searched part in `text`'),
  to: z.int().describe('The place after it'),
})
export type ListHit = z.infer<typeof ListHit>

export const listPayments = route({
  method: 'GET',
  path: '/payments/all',
  access: 'payments.read',
  perApplication: true,
  summary: 'Payments of the merchant, newest first, with counts over the whole account',
  query: DashboardPaymentQuery,
  reply: {
    200: z.object({
      payments: z.array(DashboardPayment),
      total: z.int(),
      matched: z.int().describe('The number of payments that match the filters'),
      hasMoreMatches: z
        .boolean()
        .describe('More payments than `matched` match: a count without a stored total ends at 10,000'),
      hits: z
        .array(ListHit)
        .describe(
          'By which text the search found payments of this page; none for those whose id contains it',
        ),
      nextCursor: PaymentId.nullable(),
    }),
  },
  errors: ['session_invalid', 'validation_failed', 'search_too_broad', 'rate_limited'],
})

export const getPaymentDetails = route({
  method: 'GET',
  path: '/payments/:paymentId',
  access: 'payments.read',
  perApplication: true,
  summary: 'One payment with its timeline, the earliest entry first',
  params: z.object({ paymentId: PathId }),
  reply: { 200: PaymentDetails },
  errors: ['session_invalid', 'validation_failed', 'not_found'],
})
