import { createInMemoryLimit } from '../../platform/limits/limits.ts'
import { createRequestedLookUps, type PaymentsCtx } from '../payments/index.ts'
import { createLinkedPayments } from './linked-payments.ts'
import { createResumption } from './resumption.ts'

/** Each attempt may prompt a phone, which need not be the payer's. */
const attemptLimit = { name: 'attempts', quota: 20, windowMs: 60_000 }

/** The context of the payer's page, whose actions share their limits and the calls in progress. */
export type PayerCtx = ReturnType<typeof payerCtx>

export const payerCtx = (ctx: PaymentsCtx) => ({
  ...ctx,
  /** Counts an action that may prompt a phone, by payment. */
  countUse: createInMemoryLimit(ctx.clock, attemptLimit),
  payerCalls: createRequestedLookUps(ctx),
  linked: createLinkedPayments(ctx),
  resumption: createResumption(ctx),
})
