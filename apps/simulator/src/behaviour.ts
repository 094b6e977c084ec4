import { z } from 'zod'
import { DelayMs, SpoiltReply } from './spoil.ts'
import { verdictNames } from './verdicts.ts'

/** The treatment of one charge, beside what its number or its PIN decides. Everything is optional; `{}` is a well-behaved provider. */
export const Behaviour = z.strictObject({
  /** The outcome of the charge without a handset, for any number. */
  decision: z.strictObject({ verdict: z.enum(verdictNames), afterMs: DelayMs.default(0) }).optional(),
  /** The charge stays pending; neither a PIN nor its expiry ends it. */
  neverResolves: z.boolean().optional(),
  /** A charge that failed is paid after all, so much later. */
  lateSuccessAfterMs: DelayMs.optional(),

  replyDelayMs: DelayMs.optional(),
  chargeReply: SpoiltReply.optional(),
  queryReply: z.enum(['normal', 'all_null', 'not_found', 'error', 'html', 'drop']).optional(),
  /** The number of queries that `queryReply` spoils; all of them when left out. */
  queryTimes: z.int().min(1).max(1000).optional(),
  /** The amount that replies and callbacks claim. */
  echoAmount: z.number().optional(),
  echoCurrency: z.string().max(16).optional(),
  vocabulary: z.enum(['legacy', 'portal']).optional(),

  /** For charges by Paynow only. */
  paynow: z
    .strictObject({
      hash: z.enum(['wrong', 'missing']).optional(),
      /** The names of fields in lower case, as Paynow writes them, or with capitals, as older documents show them. */
      names: z.enum(['lower', 'capitals']).optional(),
      /** Another address of the status than the charge's own. */
      pollUrl: z.string().max(500).optional(),
      /** The word for the status in look-ups and updates. */
      status: z.string().max(40).optional(),
      /** Look-ups are refused with this sentence. */
      error: z.string().max(200).optional(),
    })
    .optional(),

  /** For payments by the EcoCash Open API only. */
  ecocashOpen: z.strictObject({ paymentReply: z.enum(['empty', 'body']) }).optional(),

  /** `before_reply`: the charge is decided, and the callback sent, before the response. */
  callback: z.enum(['normal', 'lost', 'before_reply']).optional(),
  callbackTimes: z.int().min(1).max(10).optional(),

  refund: z.enum(['completed', 'pending', 'declined', 'conflict']).optional(),
  /** When a pending refund completes; never when left out. */
  refundAfterMs: DelayMs.optional(),
  refundReply: SpoiltReply.optional(),
})
export type Behaviour = z.infer<typeof Behaviour>
