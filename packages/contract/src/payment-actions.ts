import { z } from 'zod'
import { DashboardPayment, PaymentDetails } from './dashboard-payments.ts'
import { paymentMethods } from './enums.ts'
import { ApplicationId } from './ids.ts'
import { Amount, Currency, refuseTooManyDecimals } from './money.ts'
import { route } from './route.ts'
import { optional, PathId, personText, phoneText } from './text.ts'

// --- Dashboard surface (/v1), camelCase, authenticated by a session ------------------------------------------------------------

const byId = { body: z.strictObject({ paymentId: PathId }), reply: { 200: PaymentDetails } }

export const checkPayment = route({
  method: 'POST',
  path: '/payments/check',
  access: 'payments.read',
  perApplication: true,
  summary: 'Look the open attempt of a payment up at its provider now, at most ten times a minute',
  ...byId,
  errors: ['session_invalid', 'validation_failed', 'not_found', 'rate_limited', 'merchant_not_active'],
})

export const cancelPayment = route({
  method: 'POST',
  path: '/payments/cancel',
  access: 'payments.manage',
  perApplication: true,
  summary: 'Cancel a payment: at once, or when the attempt in progress fails',
  ...byId,
  errors: [
    'session_invalid',
    'validation_failed',
    'not_found',
    'payment_not_cancellable',
    'merchant_not_active',
  ],
})

export const CreateDashboardPayment = z
  .strictObject({
    applicationId: PathId,
    amount: Amount,
    currency: Currency,
    purposeDescription: personText(500, 'Please say what the payment is for'),
    customerPhoneNumber: optional(phoneText('Must not be empty')),
  })
  .superRefine(refuseTooManyDecimals)
export type CreateDashboardPayment = z.output<typeof CreateDashboardPayment>

export const CreatedPayment = z.object({
  ...DashboardPayment.shape,
  paymentUrl: z.url().describe('The address at which the customer pays'),
  paymentQr: z
    .object({ size: z.int(), path: z.string() })
    .nullable()
    .describe('The same address as a drawing: the dark modules as an SVG path'),
})
export type CreatedPayment = z.infer<typeof CreatedPayment>

export const createErrors = [
  'session_invalid',
  'merchant_not_active',
  'application_inactive',
  'validation_failed',
  'not_found',
  'idempotency_mismatch',
  'idempotency_in_flight',
  'storage_low',
  'service_unavailable',
  'overloaded',
] as const

export const createPayment = route({
  method: 'POST',
  path: '/payments/create',
  access: 'payments.write',
  perApplication: true,
  summary:
    'Create a payment whose link the merchant passes on. With an Idempotency-Key, the same request creates one payment',
  body: CreateDashboardPayment,
  reply: { 201: CreatedPayment },
  errors: [...createErrors],
})

export const PaymentOptions = z.object({
  applications: z
    .array(z.object({ id: ApplicationId, name: z.string() }))
    .describe('The active applications for which the member takes payments, by name'),
  currencies: z
    .array(z.object({ currency: Currency, methods: z.array(z.enum(paymentMethods)) }))
    .describe('The currencies of new payments, with the methods that customers can choose in each'),
})
export type PaymentOptions = z.infer<typeof PaymentOptions>

export const getPaymentOptions = route({
  method: 'GET',
  path: '/payments/options',
  access: 'payments.write',
  perApplication: true,
  summary: 'The applications and the currencies of new payments',
  reply: { 200: PaymentOptions },
  errors: ['session_invalid'],
})

const captureErrors = [
  'session_invalid',
  'merchant_not_active',
  'validation_failed',
  'not_found',
  'payment_not_capturable',
] as const

export const capturePayment = route({
  method: 'POST',
  path: '/payments/capture',
  access: 'payments.manage',
  perApplication: true,
  summary: 'Capture an authorised payment, in full or in part; the remaining amount is released',
  body: z.strictObject({ paymentId: PathId, amount: Amount, currency: Currency }),
  reply: { 200: PaymentDetails, 202: PaymentDetails },
  errors: [...captureErrors, 'capture_mismatch', 'capture_declined'],
})

export const voidPayment = route({
  method: 'POST',
  path: '/payments/void',
  access: 'payments.manage',
  perApplication: true,
  summary: 'Void an authorised payment: no money is taken from the payer',
  body: z.strictObject({ paymentId: PathId }),
  reply: { 200: PaymentDetails, 202: PaymentDetails },
  errors: [...captureErrors],
})

export const refundPayment = route({
  method: 'POST',
  path: '/payments/refund',
  access: 'refunds.write',
  stepUp: true,
  perApplication: true,
  summary: 'Refund a completed payment, in full or in part',
  body: z.strictObject({
    paymentId: PathId,
    amount: Amount,
    currency: Currency,
    amountRefunded: optional(z.number().min(0)).describe(
      'The refunded amount that the client knows: the request is refused when the amount has changed. Without this field, the same request within ten minutes joins the first',
    ),
  }),
  reply: { 200: PaymentDetails, 202: PaymentDetails },
  errors: [
    'session_invalid',
    'merchant_not_active',
    'validation_failed',
    'not_found',
    'payment_not_refundable',
    'refund_mismatch',
    'refund_exceeds_remaining',
    'refund_conflict',
    'refund_declined',
  ],
})
