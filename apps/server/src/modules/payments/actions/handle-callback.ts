import type { PaymentsCtx } from '../context.ts'
import { checkAttempt } from './check-attempt.ts'
import { checkRefund } from './check-refund.ts'

/**
 * A provider told of something. Its word is not taken: the token says which charge or refund to look up. False when the token names
 * nothing of this provider.
 */
export async function handleCallback(ctx: PaymentsCtx, provider: string, token: string): Promise<boolean> {
  const attempt = ctx.attemptLinks.read(token)
  if (attempt) return checkAttempt(ctx, attempt.merchantId, attempt.id, provider)
  const refund = ctx.refundLinks.read(token)
  if (refund) return checkRefund(ctx, refund.merchantId, refund.id, provider)
  return false
}

/** Whether a callback's token is one that we gave out. */
export const isCallbackToken = (ctx: PaymentsCtx, token: string): boolean =>
  (ctx.attemptLinks.read(token) ?? ctx.refundLinks.read(token)) !== null
