import { z } from 'zod'
import { DelayMs, SpoiltReply } from '../spoil.ts'
import { gatewayCodeNames } from './cards.ts'

/** A busy gateway processes nothing. */
export const Reply = z.enum([...SpoiltReply.options, 'busy'])

/** The treatment of one order, beside what its card decides. Everything is optional; `{}` is a well-behaved provider. */
export const CardBehaviour = z.strictObject({
  /** The payer pays without the card page, so much later. */
  pay: z.strictObject({ code: z.enum(gatewayCodeNames), afterMs: DelayMs.default(0) }).optional(),
  /** An order whose payment failed is paid after all, so much later. */
  lateSuccessAfterMs: DelayMs.optional(),

  replyDelayMs: DelayMs.optional(),
  sessionReply: Reply.optional(),
  lookupReply: z.enum(['normal', 'not_found', 'error', 'html', 'drop', 'busy']).optional(),
  /** The number of look-ups that `lookupReply` spoils; all of them when left out. */
  lookupTimes: z.int().min(1).max(1000).optional(),
  /** The captured amount that replies and notifications claim. */
  echoAmount: z.number().optional(),

  notification: z.enum(['normal', 'lost']).optional(),
  notificationTimes: z.int().min(1).max(10).optional(),

  /** The payment by a session. */
  payReply: Reply.optional(),
  capture: z.enum(['completed', 'pending', 'declined']).optional(),
  captureReply: Reply.optional(),
  void: z.enum(['completed', 'pending', 'declined']).optional(),
  voidReply: Reply.optional(),
  /** The acquirer settles the payment so much later, a day when left out; then it cannot be voided. */
  settledAfterMs: DelayMs.optional(),
  refund: z.enum(['completed', 'pending', 'declined']).optional(),
  /** When a pending refund completes; never when left out. */
  refundAfterMs: DelayMs.optional(),
  refundReply: Reply.optional(),
})
export type CardBehaviour = z.infer<typeof CardBehaviour>
