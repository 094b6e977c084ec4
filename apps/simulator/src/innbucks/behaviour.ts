import { z } from 'zod'
import { DelayMs, SpoiltReply } from '../spoil.ts'

/** The states of a code in InnBucks's own words. */
export const endings = ['Claimed', 'Paid', 'Expired', 'Timed Out'] as const
export type Ending = (typeof endings)[number]

/** The treatment of one code. Everything is optional; `{}` is a well-behaved provider. */
export const CodeBehaviour = z.strictObject({
  /** The code ends so, without the app, so much later. */
  ending: z.strictObject({ state: z.enum(endings), afterMs: DelayMs.default(0) }).optional(),
  /** The code stays new; neither a payer nor its expiry ends it. */
  neverResolves: z.boolean().optional(),
  /** An expired code is claimed after all, so much later. */
  lateClaimAfterMs: DelayMs.optional(),
  /** May be longer than the provider's: tests run the simulator faster than their browser. */
  lifeMs: z.int().min(0).max(86_400_000).optional(),

  replyDelayMs: DelayMs.optional(),
  generateReply: SpoiltReply.optional(),
  /** A refusal of the request for a code, by its response code. */
  generateRefusal: z.enum(['13', '96']).optional(),
  /** unapproved: response code 0 without a code. */
  generateForm: z.enum(['normal', 'unapproved']).optional(),
  inquiryReply: z.enum(['normal', 'not_found', 'failed', 'unauthorised', 'error', 'html', 'drop']).optional(),
  /** The number of inquiries that `inquiryReply` spoils; all of them when left out. */
  inquiryTimes: z.int().min(1).max(1000).optional(),
  /** The status that inquiries report, whatever the state. */
  status: z.string().max(40).optional(),
  /** The amount in cents that inquiries report. */
  echoMinor: z.int().min(0).optional(),
  /** text: response codes are texts, "00", as the log-in has them. */
  responseCodes: z.enum(['number', 'text']).optional(),
})
export type CodeBehaviour = z.infer<typeof CodeBehaviour>
