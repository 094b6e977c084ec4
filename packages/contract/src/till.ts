import { z } from 'zod'
import { DashboardPayment, OpenAttempt } from './dashboard-payments.ts'
import { paymentMethods } from './enums.ts'
import { Amount, Currency, refuseTooManyDecimals } from './money.ts'
import { CreatedPayment, createErrors, PaymentOptions } from './payment-actions.ts'
import { route } from './route.ts'
import { bounded, optional, PathId, personText, phoneText, Timestamp } from './text.ts'

// --- The till of a cashier (/v1), authenticated by a session: payments of the present day, without names -----------------------

/** A payment as a cashier sees it. */
export const TillPayment = DashboardPayment.pick({
  _id: true,
  paymentId: true,
  applicationId: true,
  amount: true,
  currency: true,
  method: true,
  status: true,
  statusReason: true,
  createdAt: true,
}).extend({
  lastDigits: z.string().nullable().describe("The last four digits of the payer's number"),
  completedAt: Timestamp.nullable(),
})
export type TillPayment = z.infer<typeof TillPayment>

export const TillPaymentDetails = z.object({
  ...TillPayment.shape,
  paymentUrl: CreatedPayment.shape.paymentUrl,
  paymentQr: CreatedPayment.shape.paymentQr.describe('As at the creation; null unless it was requested'),
  attempts: z.int().describe('The number of attempts so far, with which the payer is asked again'),
  isCancelled: z.boolean().describe('No other attempt can start. An open one may still succeed'),
  openAttempt: OpenAttempt.extend({
    dialIn: z.string().nullable().describe('The code that opens a prompt which did not appear'),
  })
    .nullable()
    .describe('The attempt whose result is awaited; null when there is none'),
})
export type TillPaymentDetails = z.infer<typeof TillPaymentDetails>

export const Till = z.object({
  ...PaymentOptions.shape,
  today: z.object({
    totals: z
      .array(z.object({ currency: Currency, amount: z.number(), count: z.int() }))
      .describe('The completed payments of the day, less what went back to payers'),
    payments: z.array(TillPayment),
  }),
})
export type Till = z.infer<typeof Till>

export const getTill = route({
  method: 'GET',
  path: '/till',
  access: 'till.read',
  perApplication: true,
  summary:
    'The payments that were created today in the time zone of the merchant, the newest 200 first, and what the till needs for the next one',
  query: z.strictObject({
    search: optional(bounded(20)).describe("An amount, or the last four digits of the payer's number"),
  }),
  reply: { 200: Till },
  errors: ['session_invalid', 'validation_failed', 'search_too_broad', 'rate_limited'],
})

export const getTillPayment = route({
  method: 'GET',
  path: '/till/payments/:paymentId',
  access: 'till.read',
  perApplication: true,
  summary: 'A payment that was created today',
  params: z.object({ paymentId: PathId }),
  query: z.strictObject({
    qr: optional(z.literal('1')).describe(
      'With the QR, which a till that waits for the payer does not read again',
    ),
  }),
  reply: { 200: TillPaymentDetails },
  errors: ['session_invalid', 'validation_failed', 'not_found'],
})

const payer = {
  phone: phoneText('Please enter the customer’s phone number'),
  method: optional(z.enum(paymentMethods)).describe('The default is the wallet of the number'),
}

export const ChargeAtTill = z
  .strictObject({
    applicationId: PathId,
    amount: Amount,
    currency: Currency,
    ...payer,
    purposeDescription: optional(personText(500, 'Must not be empty')),
  })
  .superRefine(refuseTooManyDecimals)
export type ChargeAtTill = z.output<typeof ChargeAtTill>

export const chargeAtTill = route({
  method: 'POST',
  path: '/till/charge',
  access: 'payments.write',
  perApplication: true,
  summary:
    "Create a payment and send a prompt to the payer's phone. With an Idempotency-Key, the same request creates one payment and sends one prompt",
  body: ChargeAtTill,
  reply: { 201: TillPaymentDetails },
  errors: [...createErrors, 'rate_limited'],
})

export const cancelAtTill = route({
  method: 'POST',
  path: '/till/payments/:paymentId/cancel',
  access: 'payments.write',
  perApplication: true,
  summary: 'Cancel a payment of today: at once, or when the attempt in progress fails',
  params: z.object({ paymentId: PathId }),
  reply: { 200: TillPaymentDetails },
  errors: ['session_invalid', 'merchant_not_active', 'not_found', 'payment_not_cancellable'],
})

export const askAtTill = route({
  method: 'POST',
  path: '/till/payments/:paymentId/ask',
  access: 'payments.write',
  perApplication: true,
  summary: 'Send a prompt for a payment of today that has no open attempt, also to another number',
  params: z.object({ paymentId: PathId }),
  body: z.strictObject({
    ...payer,
    attempts: z
      .int()
      .min(0)
      .max(1000)
      .describe('As in the latest response: a repeated request sends no second prompt'),
  }),
  reply: { 200: TillPaymentDetails },
  errors: [
    'session_invalid',
    'merchant_not_active',
    'validation_failed',
    'not_found',
    'payment_not_payable',
    'rate_limited',
    'overloaded',
  ],
})
