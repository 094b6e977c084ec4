import { z } from 'zod'
import { ApplicationId, CustomerId, PaymentId, TransactionId } from './ids.ts'
import { Currency, fromMajor, MAX_MAJOR, MoneyError } from './money.ts'
import { route } from './route.ts'
import { Email, personText, storable, Timestamp } from './text.ts'
import {
  type ClosingReason,
  type PaymentMethod,
  type PaymentStatus,
  paymentMethods,
  paymentStatuses,
  type StatusReason,
  statusReasons,
} from './words.ts'

export {
  type ClosingReason,
  type PaymentMethod,
  type PaymentStatus,
  paymentMethods,
  paymentStatuses,
  type StatusReason,
  statusReasons,
}

const Amount = z
  .number({ error: 'The amount must be a number' })
  .positive({ error: 'The amount must be greater than 0', abort: true })
  .max(MAX_MAJOR, { error: 'The amount must be at most 999,999,999.99', abort: true })

const ReturnUrl = z
  .url({ protocol: /^https?$/, error: 'Must be an http or https address' })
  .max(2048, 'Must be at most 2048 characters')
  // A browser reads over these, so the address would be good; a database and a header do not take them.
  .refine((text) => text.isWellFormed() && !/[\s\p{Cc}]/u.test(text), 'Must not contain spaces')

// --- Public surface (/api/v1), snake_case, authenticated by an application key -------------------------------------------------

const Customer = z.strictObject({
  email: Email.describe('Where to write to the customer').optional(),
  name: personText(200, 'Must not be empty').describe('At most 200 characters').optional(),
  phone: personText(32, 'Must not be empty').describe('As people write it, such as 077 123 4567').optional(),
})

const Metadata = z
  .record(storable(40).min(1), storable(500))
  .refine((entries) => Object.keys(entries).length <= 50, 'At most 50 entries')
  .describe('What you want to keep with the payment: at most 50 texts, each under a name of its own')

export const CreatePayment = z
  .strictObject({
    amount: Amount.describe('In whole units of the currency: 25 is twenty-five dollars'),
    currency: Currency.describe('ISO 4217 code'),
    description: personText(500, 'The description is required').describe(
      'What the customer pays for, shown to them; at most 500 characters',
    ),
    reference: personText(100, 'Must not be empty')
      .describe("Your own word for it, such as your order's number; at most 100 characters")
      .optional(),
    customer: Customer.describe('Who pays, as far as you know').optional(),
    method: z
      .enum(paymentMethods)
      .describe('The method to suggest; the customer may choose another')
      .optional(),
    success_url: ReturnUrl.describe('Where the customer goes on to after paying').optional(),
    cancel_url: ReturnUrl.describe('Where the customer goes on to without having paid').optional(),
    metadata: Metadata.optional(),
    expires_in: z
      .int()
      .min(1800, 'At least 30 minutes')
      .max(604_800, 'At most 7 days')
      .describe('Seconds until it can no longer be paid; a day when left out')
      .optional(),
  })
  .superRefine((body, refinement) => {
    try {
      fromMajor(body.amount, body.currency)
    } catch (error) {
      if (!(error instanceof MoneyError)) throw error
      refinement.addIssue({ code: 'custom', path: ['amount'], message: error.message })
    }
  })
export type CreatePayment = z.output<typeof CreatePayment>

const PaymentCustomer = z.object({
  id: CustomerId.nullable().describe('Null while neither an email nor a phone number is known'),
  email: z.string().nullable(),
  name: z.string().nullable(),
  phone: z.string().nullable(),
})

export const PublicPayment = z.object({
  id: PaymentId.describe('What you read the payment by, and quote when you ask about it'),
  object: z.literal('payment'),
  status: z.enum(paymentStatuses),
  status_reason: z.enum(statusReasons).nullable().describe('Why it stands where it stands'),
  amount: z.number(),
  amount_refunded: z.number().describe('How much of it was given back'),
  fee: z
    .number()
    .nullable()
    .describe('What Muripo charges for it; null while it is not paid. A refund does not give it back'),
  net: z.number().nullable().describe('The amount less the fee; null while it is not paid'),
  currency: Currency,
  description: z.string(),
  reference: z.string().nullable(),
  method: z.enum(paymentMethods).nullable().describe('What it is paid with; null until one is chosen'),
  customer: PaymentCustomer,
  payment_url: z.url().describe('The page on which the customer pays: send them there'),
  success_url: z.string().nullable(),
  cancel_url: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  created_at: Timestamp,
  expires_at: Timestamp,
  cancel_requested_at: Timestamp.nullable().describe(
    'When you cancelled it. While it is pending after that, a try was under way: it is waited for, and no other is taken',
  ),
})
export type PublicPayment = z.infer<typeof PublicPayment>

/** At most 255 visible ASCII characters; the quotes of a structured-field string are taken off. */
export const idempotencyKeyPattern = /^[\x21-\x7e]{1,255}$/

export const createPayment = route({
  method: 'POST',
  path: '/payments',
  summary: 'Create a payment; send the payer to its payment_url',
  body: CreatePayment,
  reply: { 201: PublicPayment },
  errors: [
    'invalid_key',
    'application_inactive',
    'validation_failed',
    'idempotency_mismatch',
    'idempotency_in_flight',
  ],
})

export const getPayment = route({
  method: 'GET',
  path: '/payments/:paymentId',
  summary: 'One payment',
  params: z.object({ paymentId: z.string().max(64) }),
  reply: { 200: PublicPayment },
  errors: ['invalid_key', 'application_inactive', 'not_found'],
})

export const cancelPayment = route({
  method: 'POST',
  path: '/payments/:paymentId/cancel',
  summary:
    'Take no more tries to pay it; it fails at once, or when the try that is under way does not succeed',
  params: z.object({ paymentId: z.string().max(64) }),
  reply: { 200: PublicPayment },
  errors: ['invalid_key', 'application_inactive', 'not_found', 'payment_not_cancellable'],
})

export const PublicPaymentQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: PaymentId.optional(),
  status: z.enum(paymentStatuses).optional(),
  reference: storable(100).optional(),
  created_after: z.iso.datetime({ offset: true }).optional(),
  created_before: z.iso.datetime({ offset: true }).optional(),
})
export type PublicPaymentQuery = z.output<typeof PublicPaymentQuery>

export const listPublicPayments = route({
  method: 'GET',
  path: '/payments',
  summary: 'Payments, newest first',
  query: PublicPaymentQuery,
  reply: {
    200: z.object({
      data: z.array(PublicPayment),
      has_more: z.boolean(),
      next_cursor: PaymentId.nullable(),
    }),
  },
  errors: ['invalid_key', 'application_inactive', 'validation_failed'],
})

// --- Dashboard surface (/v1), camelCase, authenticated by a session ------------------------------------------------------------

export const dashboardStatuses = ['PENDING', 'COMPLETED', 'FAILED', 'REFUNDED'] as const

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
  amountRefunded: z.number(),
  /** Muripo's fee, and the amount less the fee; null until the payment is completed. A refund changes neither. */
  fee: z.number().nullable(),
  net: z.number().nullable(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  expiresAt: Timestamp,
})
export type DashboardPayment = z.infer<typeof DashboardPayment>

const by = { method: z.enum(paymentMethods), phone: z.string().describe('With its middle hidden') }
const reference = z.string().nullable().describe("The provider's own")
const tried = { ...by, reference }
const event = <const Kind extends string, Facts extends z.ZodRawShape>(kind: Kind, facts: Facts) =>
  z.object({ at: Timestamp, kind: z.literal(kind), ...facts })

/** What happened to a payment, as far as it is written down. `at` of what still lasts is when it was last looked at. */
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
  event('completed', { method: z.enum(paymentMethods).nullable(), reference }),
  event('refund_requested', { amount: z.number() }),
  event('refund_checking', { amount: z.number() }),
  event('refund_with_operator', { amount: z.number() }),
  event('refund_failed', { amount: z.number(), reason: z.enum(statusReasons) }),
  event('refunded', { amount: z.number(), reference }),
])
export type TimelineEntry = z.infer<typeof TimelineEntry>

/** What became of one try to pay. duplicate: it was paid although the payment was, and the money goes back to the payer. */
export const attemptOutcomes = [
  'waiting',
  'checking',
  'under_review',
  'failed',
  'completed',
  'duplicate',
] as const

export const PaymentAttempt = z.object({
  startedAt: Timestamp,
  /** When it was decided, or last looked at. */
  updatedAt: Timestamp,
  ...by,
  outcome: z.enum(attemptOutcomes),
  reason: z.enum(statusReasons).nullable().describe('Why it failed'),
  reference,
})
export type PaymentAttempt = z.infer<typeof PaymentAttempt>

export const PaymentDetails = z.object({
  ...DashboardPayment.shape,
  customer: PaymentCustomer,
  timeline: z.array(TimelineEntry),
  attempts: z.array(PaymentAttempt).describe('Every try to pay, the earliest first'),
})
export type PaymentDetails = z.infer<typeof PaymentDetails>

const Day = z.iso
  .date('Must be a date like 2026-11-20')
  .refine((day) => day >= '0001', 'Must be a date like 2026-11-20')
const caseless = <T extends readonly [string, ...string[]]>(words: T) =>
  z
    .string()
    .transform((value) => value.toLowerCase())
    .pipe(z.enum(words))

export const DashboardPaymentQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(10_000).default(1000),
  cursor: PaymentId.optional(),
  from: Day.optional(),
  to: Day.optional(),
  status: caseless(paymentStatuses).optional(),
  method: caseless(paymentMethods).optional(),
  minAmount: z.coerce.number().min(0).max(MAX_MAJOR).optional(),
  maxAmount: z.coerce.number().min(0).max(MAX_MAJOR).optional(),
  applicationId: ApplicationId.optional(),
  search: storable(64).optional(),
})
export type DashboardPaymentQuery = z.output<typeof DashboardPaymentQuery>

export const listPayments = route({
  method: 'GET',
  path: '/payments/all',
  summary: 'Payments of the merchant, newest first, with counts over the whole account',
  query: DashboardPaymentQuery,
  reply: {
    200: z.object({
      payments: z.array(DashboardPayment),
      total: z.int(),
      matched: z.int(),
      nextCursor: PaymentId.nullable(),
    }),
  },
  errors: ['session_invalid', 'validation_failed'],
})

export const getPaymentDetails = route({
  method: 'GET',
  path: '/payments/:paymentId',
  summary: 'One payment and what happened to it, the earliest first',
  params: z.object({ paymentId: z.string().max(64) }),
  reply: { 200: PaymentDetails },
  errors: ['session_invalid', 'validation_failed', 'not_found'],
})

/** Every payment that the filters keep, whatever their number. */
export const ExportQuery = DashboardPaymentQuery.omit({ limit: true, cursor: true })
export type ExportQuery = z.output<typeof ExportQuery>

/** How many rows the file will have, but for what changes while it is made. */
export const ROW_COUNT_HEADER = 'row-count'

export const exportPayments = route({
  method: 'GET',
  path: '/payments/export',
  summary: 'The payments that the filters keep, newest first, as a file for spreadsheets',
  query: ExportQuery,
  reply: { 200: z.string() },
  file: 'text/csv',
  errors: ['session_invalid', 'validation_failed', 'export_busy'],
})

export const refundPayment = route({
  method: 'POST',
  path: '/payments/refund',
  summary: 'Give a completed payment back, all of it or a part',
  body: z.strictObject({
    paymentId: z.string().max(64),
    amount: Amount,
    currency: Currency,
    amountRefunded: z
      .number()
      .min(0)
      .optional()
      .describe(
        'What had been given back when this was asked: a part that was given back since is not given again',
      ),
  }),
  reply: { 200: DashboardPayment, 202: DashboardPayment },
  errors: [
    'session_invalid',
    'validation_failed',
    'not_found',
    'payment_not_refundable',
    'refund_mismatch',
    'refund_exceeds_rest',
    'refund_outdated',
    'refund_declined',
  ],
})
