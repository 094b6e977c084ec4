import { z } from 'zod'
import { statusReasons } from './enums.ts'
import { PaymentId, RefundId } from './ids.ts'
import { Amount, Currency } from './money.ts'
import { route } from './route.ts'
import { optional, PathId, personText, Timestamp } from './text.ts'

// --- Public surface (/api/v1), snake_case, authenticated by an application key -------------------------------------------------

/** pending: the provider, or an operator where the provider has no refund call, has not sent it yet. */
export const refundStatuses = ['pending', 'completed', 'failed'] as const

export const CreateRefund = z
  .strictObject({
    payment: PaymentId.describe('A completed payment'),
    amount: optional(Amount).describe('The amount to refund; the default is the remaining refundable amount'),
    reason: optional(personText(200, 'Must not be empty')).describe('The reason, for your records'),
  })
  .meta({ id: 'CreateRefund' })
export type CreateRefund = z.output<typeof CreateRefund>

export const PublicRefund = z
  .object({
    id: RefundId.describe('Identifies the refund in calls'),
    object: z.literal('refund'),
    payment: PaymentId,
    status: z
      .enum(refundStatuses)
      .describe(
        'pending: the provider has not confirmed the refund, or an operator of the gateway has yet to send it',
      ),
    failure_reason: z
      .enum(statusReasons)
      .nullable()
      .describe('The reason of a failure. The amount is on your balance again'),
    amount: z.number(),
    currency: Currency,
    reason: z.string().nullable(),
    reference: z
      .string()
      .nullable()
      .describe("The provider's reference of the refund, which the customer may see"),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Refund' })
export type PublicRefund = z.infer<typeof PublicRefund>

const byKey = ['invalid_key', 'application_inactive'] as const

export const createRefund = route({
  method: 'POST',
  path: '/refunds',
  access: 'refunds.write',
  summary: 'Create a refund',
  body: CreateRefund,
  reply: { 201: PublicRefund },
  errors: [
    ...byKey,
    'merchant_not_active',
    'validation_failed',
    'not_found',
    'payment_not_refundable',
    'refund_mismatch',
    'refund_exceeds_remaining',
    'refund_conflict',
    'idempotency_mismatch',
    'idempotency_in_flight',
  ],
})

export const getRefund = route({
  method: 'GET',
  path: '/refunds/:refundId',
  access: 'payments.read',
  summary: 'Read a refund',
  params: z.object({ refundId: PathId }),
  reply: { 200: PublicRefund },
  errors: [...byKey, 'not_found'],
})

export const RefundQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  cursor: RefundId.optional(),
  payment: PaymentId.optional(),
})
export type RefundQuery = z.output<typeof RefundQuery>

export const listRefunds = route({
  method: 'GET',
  path: '/refunds',
  access: 'payments.read',
  summary: 'List refunds',
  query: RefundQuery,
  reply: {
    200: z
      .object({
        data: z.array(PublicRefund),
        has_more: z.boolean(),
        next_cursor: RefundId.nullable(),
      })
      .meta({ id: 'RefundList' }),
  },
  errors: [...byKey, 'validation_failed'],
})
