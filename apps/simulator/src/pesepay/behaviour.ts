import { z } from 'zod'
import { DelayMs } from '../spoil.ts'

/** The seventeen statuses. */
export const statuses = [
  'AUTHORIZATION_FAILED',
  'CANCELLED',
  'CLOSED',
  'CLOSED_PERIOD_ELAPSED',
  'DECLINED',
  'ERROR',
  'FAILED',
  'INITIATED',
  'INSUFFICIENT_FUNDS',
  'PARTIALLY_PAID',
  'PENDING',
  'PROCESSING',
  'REVERSED',
  'SERVICE_UNAVAILABLE',
  'SUCCESS',
  'TERMINATED',
  'TIME_OUT',
] as const
export type Status = (typeof statuses)[number]

/** The treatment of one payment. Everything is optional; `{}` is a well-behaved provider. */
export const PesepayBehaviour = z.strictObject({
  /** The payment takes this status, without the page, so much later. */
  ending: z.strictObject({ status: z.enum(statuses), afterMs: DelayMs.default(0) }).optional(),
  /** A payment that failed is paid after all, so much later. */
  lateSuccessAfterMs: DelayMs.optional(),
  /** The party whose amounts include the provider's fee; the payer's when left out. */
  feeBorneBy: z.enum(['nobody', 'payer', 'merchant', 'both']).optional(),
  /** The requested amount in look-ups, in cents. */
  echoMinor: z.int().min(0).optional(),
  /** in_poll_url: the reference is only in the address of the status. */
  reference: z.enum(['field', 'in_poll_url']).optional(),
  /** Another address of the status than the payment's own. */
  pollUrl: z.string().max(500).optional(),
  callback: z.enum(['normal', 'unsigned', 'lost']).optional(),
})
export type PesepayBehaviour = z.infer<typeof PesepayBehaviour>
