import { z } from 'zod'
import { PaymentCustomer } from './customers.ts'
import {
  type CaptureMode,
  captureModes,
  locales,
  methodNames,
  type PaymentMethod,
  type PaymentStatus,
  paymentMethods,
  paymentStatuses,
  type StatusReason,
  statusReasons,
  type TerminationReason,
} from './enums.ts'
import { PaymentId } from './ids.ts'
import { Amount, Currency, fromMajor, MoneyError } from './money.ts'
import { route } from './route.ts'
import { bounded, Email, PathId, personText, storable, Timestamp, webAddress } from './text.ts'

export { DashboardPaymentQuery } from './dashboard-payments.ts'
export {
  type CaptureMode,
  methodNames,
  type PaymentMethod,
  type PaymentStatus,
  paymentMethods,
  paymentStatuses,
  type StatusReason,
  statusReasons,
  type TerminationReason,
}

// --- Public surface (/api/v1), snake_case, authenticated by an application key -------------------------------------------------

const ReturnUrl = webAddress(2048, 'Must be an http or https address')
  // Browsers ignore these characters in an address; a database and a header refuse them.
  .refine((text) => text.isWellFormed() && !/[\s\p{Cc}]/u.test(text), 'Must not contain spaces')

const Customer = z.strictObject({
  email: Email.describe(
    'Where the receipt is mailed once the payment is completed. A test payment mails to your own address only',
  ).optional(),
  name: personText(200, 'Must not be empty')
    .describe('At most 200 characters, none of them a control character')
    .optional(),
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
      'The purchase, in words that the customer sees; at most 500 characters, none of them a control character',
    ),
    reference: personText(100, 'Must not be empty')
      .describe(
        'The number of your order, or another name of your own; at most 100 characters, none of them a control character',
      )
      .optional(),
    customer: Customer.describe('The customer, as far as you know').optional(),
    method: z
      .enum(paymentMethods)
      .describe('The method to suggest; the customer may choose another')
      .optional(),
    capture: z
      .enum(captureModes)
      .describe(
        'manual: the customer authorises the amount, and you capture it later; offered for cards. automatic when left out',
      )
      .optional(),
    locale: z
      .enum(locales)
      .describe('The language of the payment page; the customer may choose another')
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

export const PublicPayment = z.object({
  id: PaymentId.describe('What you read the payment by, and quote when you ask about it'),
  object: z.literal('payment'),
  status: z.enum(paymentStatuses),
  status_reason: z.enum(statusReasons).nullable().describe('The reason of the status, where there is one'),
  amount: z.number(),
  amount_refunded: z.number().describe('The amount refunded so far'),
  fee: z
    .number()
    .nullable()
    .describe('The fee of Muripo; null while the payment is not paid. A refund does not return it'),
  net: z.number().nullable().describe('The captured amount less the fee; null while it is not paid'),
  currency: Currency,
  description: z.string(),
  reference: z.string().nullable(),
  method: z.enum(paymentMethods).nullable().describe('What it is paid with; null until one is chosen'),
  customer: PaymentCustomer,
  payment_url: z.url().describe('The page on which the customer pays: send them there'),
  locale: z.enum(locales).nullable(),
  success_url: z.string().nullable(),
  cancel_url: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  capture: z.enum(captureModes),
  amount_captured: z
    .number()
    .nullable()
    .describe('With manual capture: how much of the amount was taken; null while nothing is')
    .optional(),
  capture_before: Timestamp.nullable()
    .describe('With manual capture: when an authorisation that you do not capture is voided; null before it')
    .optional(),
  created_at: Timestamp,
  expires_at: Timestamp,
  cancel_requested_at: Timestamp.nullable().describe(
    'When you cancelled it. It stays pending while an attempt is in progress, and accepts no other attempt',
  ),
})
export type PublicPayment = z.infer<typeof PublicPayment>

/** At most 255 visible ASCII characters; the quotes of a structured-field string are removed. */
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
    'merchant_not_active',
    'validation_failed',
    'idempotency_mismatch',
    'idempotency_in_flight',
    'storage_low',
    'overloaded',
  ],
})

export const getPayment = route({
  method: 'GET',
  path: '/payments/:paymentId',
  summary: 'One payment',
  params: z.object({ paymentId: PathId }),
  reply: { 200: PublicPayment },
  errors: ['invalid_key', 'application_inactive', 'not_found'],
})

export const cancelPayment = route({
  method: 'POST',
  path: '/payments/:paymentId/cancel',
  summary:
    'Cancel a payment: no new attempts are accepted, and it fails at once or when the attempt in progress fails. An authorised payment is voided',
  params: z.object({ paymentId: PathId }),
  reply: { 200: PublicPayment },
  errors: [
    'invalid_key',
    'application_inactive',
    'merchant_not_active',
    'not_found',
    'payment_not_cancellable',
  ],
})

export const CapturePayment = z.strictObject({
  amount: Amount.describe(
    'How much of the authorised amount to take; all of it when left out. The rest is released',
  ).optional(),
})
export type CapturePayment = z.output<typeof CapturePayment>

export const capturePayment = route({
  method: 'POST',
  path: '/payments/:paymentId/capture',
  summary:
    'Capture an authorised payment, once; send an Idempotency-Key, so that a repeated request has the same response',
  params: z.object({ paymentId: PathId }),
  body: CapturePayment,
  reply: { 200: PublicPayment },
  errors: [
    'invalid_key',
    'application_inactive',
    'merchant_not_active',
    'validation_failed',
    'not_found',
    'payment_not_capturable',
    'capture_mismatch',
    'idempotency_mismatch',
    'idempotency_in_flight',
  ],
})

/** Long enough for any offset and any number of decimals of a second. */
const Moment = bounded(64).check(z.iso.datetime({ offset: true }))

export const PublicPaymentQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: PaymentId.optional(),
  status: z.enum(paymentStatuses).optional(),
  reference: storable(100).optional(),
  created_after: Moment.optional(),
  created_before: Moment.optional(),
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
  errors: ['invalid_key', 'application_inactive', 'validation_failed', 'search_too_broad'],
})
