import { z } from 'zod'
import { verdictNames } from './verdicts.ts'

const DelayMs = z.int().min(0).max(600_000)

/** How one charge is treated, beside what its number or its PIN decides. Everything is optional; `{}` is a well-behaved provider. */
export const Behaviour = z.strictObject({
  /** Decides the charge without a handset, whatever its number. */
  decision: z.strictObject({ verdict: z.enum(verdictNames), afterMs: DelayMs.default(0) }).optional(),
  /** Stays pending for ever; neither PIN nor expiry ends it. */
  neverResolves: z.boolean().optional(),
  /** A charge that failed is paid after all, so much later. */
  lateSuccessAfterMs: DelayMs.optional(),

  replyDelayMs: DelayMs.optional(),
  /** `_before`: not processed. The others are processed, and only the answer is bad. */
  chargeReply: z
    .enum(['normal', 'drop', 'drop_before', 'error_after', 'error_before', 'html', 'html_before'])
    .optional(),
  queryReply: z.enum(['normal', 'all_null', 'not_found', 'error', 'html', 'drop']).optional(),
  /** How many queries `queryReply` spoils; all of them when left out. */
  queryTimes: z.int().min(1).max(1000).optional(),
  /** The amount that replies and callbacks claim. */
  echoAmount: z.number().optional(),
  echoCurrency: z.string().max(16).optional(),
  vocabulary: z.enum(['legacy', 'portal']).optional(),

  /** For charges by Paynow only. */
  paynow: z
    .strictObject({
      hash: z.enum(['wrong', 'missing']).optional(),
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

  /** `before_reply`: decided, with a callback, before the response to the charge. */
  callback: z.enum(['normal', 'lost', 'before_reply']).optional(),
  callbackTimes: z.int().min(1).max(10).optional(),

  refund: z.enum(['completed', 'pending', 'declined', 'conflict']).optional(),
  /** When a pending refund completes; never when left out. */
  refundAfterMs: DelayMs.optional(),
  refundReply: z
    .enum(['normal', 'drop', 'drop_before', 'error_after', 'error_before', 'html', 'html_before'])
    .optional(),
})
export type Behaviour = z.infer<typeof Behaviour>

interface Upcoming {
  readonly msisdn: string | null
  readonly behaviour: Behaviour
  times: number
}

const MAX_UPCOMING = 1000

/** The behaviours that tests ordered for charges yet to come: those for a number first, each list in the order of its orders. */
export function createBehaviours() {
  let upcoming: Upcoming[] = []
  return {
    order(msisdn: string | null, behaviour: Behaviour, times: number): void {
      upcoming = [...upcoming, { msisdn, behaviour, times }].slice(-MAX_UPCOMING)
    },
    take(msisdn: string): Behaviour {
      const next =
        upcoming.find((item) => item.msisdn === msisdn) ?? upcoming.find((item) => item.msisdn === null)
      if (next === undefined) return {}
      next.times -= 1
      if (next.times <= 0) upcoming = upcoming.filter((item) => item !== next)
      return next.behaviour
    },
    clear(): void {
      upcoming = []
    },
  }
}
export type Behaviours = ReturnType<typeof createBehaviours>
