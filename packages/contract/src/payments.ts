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
import { lineField } from './fields.ts'
import { CustomerId, PaymentId } from './ids.ts'
import { Amount, Currency, refuseTooManyDecimals } from './money.ts'
import { route } from './route.ts'
import {
  bounded,
  emptyListAsObject,
  fieldText,
  optional,
  optionalEmail,
  PathId,
  personText,
  phoneText,
  storable,
  Timestamp,
  webAddress,
} from './text.ts'

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
  // A payer who reads https://bank.example@other.example leaves for the second host.
  .refine((text) => !/^[a-z]+:[\\/]*[^\\/?#]*@/i.test(text), 'Must not contain a user name or a password')

const Customer = z.strictObject({
  id: optional(CustomerId).describe(
    'As in the responses. It is not used: the email or the phone number identifies the customer',
  ),
  email: optional(optionalEmail).describe(
    'The address to which the receipt is mailed when the payment is completed. A test payment mails to your own address only',
  ),
  name: optional(fieldText(lineField(200, 'Must not be empty'))).describe(
    'In one line, without control characters',
  ),
  phone: optional(phoneText('Must not be empty')).describe(
    'In national or international form, such as 077 123 4567',
  ),
})

const Metadata = z
  .record(
    storable(40, { tooLong: 'Must have a name of at most 40 characters' }).min(1, 'Must have a name'),
    storable(500).nullable(),
  )
  .refine((entries) => Object.keys(entries).length <= 50, 'Must have at most 50 entries')
  .transform(
    (entries) =>
      Object.fromEntries(Object.entries(entries).filter(([, text]) => text !== null)) as Record<
        string,
        string
      >,
  )

export const CreatePayment = z
  .strictObject({
    amount: Amount.describe('In units of the currency: 25 and USD are twenty-five dollars'),
    currency: Currency.describe('ISO 4217 code'),
    description: personText(500, 'The description is required').describe(
      'The purchase, as the customer reads it; without control characters',
    ),
    reference: optional(personText(100, 'Must not be empty')).describe(
      'The number of your order, or another reference of yours; without control characters',
    ),
    customer: optional(emptyListAsObject(Customer)).describe('The details of the customer that you know'),
    method: optional(z.enum(paymentMethods)).describe(
      'The method to suggest; the customer may choose another',
    ),
    capture: optional(z.enum(captureModes)).describe(
      'manual: the customer authorises the amount, and you capture it later; available for cards. The default is automatic',
    ),
    locale: optional(z.enum(locales)).describe(
      'The language of the payment page; the customer may choose another',
    ),
    success_url: optional(ReturnUrl).describe(
      'The address to which the page redirects the customer after the payment',
    ),
    cancel_url: optional(ReturnUrl).describe(
      'The address to which the page redirects a customer who has not paid',
    ),
    metadata: optional(emptyListAsObject(Metadata)).describe(
      'Your own data about the payment: at most 50 names, each with a text',
    ),
    expires_in: optional(
      z
        .int()
        .min(1800, 'Must be at least 1800 seconds (30 minutes)')
        .max(604_800, 'Must be at most 604800 seconds (7 days)'),
    ).describe('Seconds after which the payment can no longer be paid; the default is a day'),
  })
  .superRefine(refuseTooManyDecimals)
  .meta({ id: 'CreatePayment' })
export type CreatePayment = z.output<typeof CreatePayment>

export const PublicPayment = z
  .object({
    id: PaymentId.describe('Identifies the payment in calls and in questions to support'),
    object: z.literal('payment'),
    status: z.enum(paymentStatuses),
    status_reason: z.enum(statusReasons).nullable().describe('The reason of the status, or null'),
    amount: z.number(),
    amount_refunded: z.number().describe('The amount refunded so far'),
    amount_reversed: z
      .number()
      .describe(
        'The amount that the provider took back and has not returned, such as a lost dispute: it is no longer yours and cannot be refunded',
      ),
    fee: z
      .number()
      .nullable()
      .describe('The fee of Muripo; null until the payment is completed. A refund does not return the fee'),
    net: z
      .number()
      .nullable()
      .describe('The captured amount less the fee; null until the payment is completed'),
    currency: Currency,
    description: z.string(),
    reference: z.string().nullable(),
    method: z
      .enum(paymentMethods)
      .nullable()
      .describe('The payment method; null until the customer chooses one'),
    customer: PaymentCustomer,
    payment_url: z.url().describe('The page on which the customer pays: redirect the customer to it'),
    locale: z.enum(locales).nullable(),
    success_url: z.string().nullable(),
    cancel_url: z.string().nullable(),
    metadata: z.record(z.string(), z.string()),
    capture: z.enum(captureModes),
    methods: z
      .array(z.enum(paymentMethods))
      .describe('The methods that can take the payment; empty when it is no longer pending'),
    amount_captured: z
      .number()
      .nullable()
      .describe('With manual capture: the captured amount; null until the capture')
      .optional(),
    capture_before: Timestamp.nullable()
      .describe(
        'With manual capture: the time at which the gateway voids an authorisation without a capture; null before the authorisation',
      )
      .optional(),
    created_at: Timestamp,
    expires_at: Timestamp,
    cancel_requested_at: Timestamp.nullable().describe(
      'The time of your cancellation. The payment stays pending while an attempt is in progress, and accepts no new attempt',
    ),
  })
  .meta({ id: 'Payment' })
export type PublicPayment = z.infer<typeof PublicPayment>

/** At most 255 visible ASCII characters; the quotes of a structured-field string are removed. */
export const idempotencyKeyPattern = /^[\x21-\x7e]{1,255}$/

export const createPayment = route({
  method: 'POST',
  path: '/payments',
  access: 'payments.write',
  summary: 'Create a payment',
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
  access: 'payments.read',
  summary: 'Read a payment',
  params: z.object({ paymentId: PathId }),
  reply: { 200: PublicPayment },
  errors: ['invalid_key', 'application_inactive', 'not_found'],
})

export const cancelPayment = route({
  method: 'POST',
  path: '/payments/:paymentId/cancel',
  access: 'payments.write',
  summary: 'Cancel a payment',
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

export const CapturePayment = z
  .strictObject({
    amount: optional(Amount).describe(
      'The amount to capture; the default is the authorised amount. The remaining amount is released',
    ),
  })
  .meta({ id: 'CapturePayment' })
export type CapturePayment = z.output<typeof CapturePayment>

export const capturePayment = route({
  method: 'POST',
  path: '/payments/:paymentId/capture',
  access: 'payments.write',
  summary: 'Capture a payment',
  params: z.object({ paymentId: PathId }),
  body: emptyListAsObject(CapturePayment),
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

/**
 * A time in a query, long enough for any offset and any number of decimals of a second. The plus sign of an offset is a space in an address
 * that was not encoded.
 */
const Moment = bounded(64)
  .overwrite((text) => text.replace(/ (?=\d\d:\d\d$)/, '+'))
  .check(z.iso.datetime({ offset: true }))

export const PublicPaymentQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: PaymentId.optional(),
  status: z.enum(paymentStatuses).optional(),
  reference: personText(100, 'Must not be empty').optional(),
  created_after: Moment.optional(),
  created_before: Moment.optional(),
})
export type PublicPaymentQuery = z.output<typeof PublicPaymentQuery>

export const listPublicPayments = route({
  method: 'GET',
  path: '/payments',
  access: 'payments.read',
  summary: 'List payments',
  query: PublicPaymentQuery,
  reply: {
    200: z
      .object({
        data: z.array(PublicPayment),
        has_more: z.boolean(),
        next_cursor: PaymentId.nullable(),
      })
      .meta({ id: 'PaymentList' }),
  },
  errors: ['invalid_key', 'application_inactive', 'validation_failed', 'search_too_broad'],
})
