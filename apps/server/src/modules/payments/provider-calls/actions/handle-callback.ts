import type { Tx } from '../../../../platform/db/database.ts'
import type { Grouped } from '../../../../platform/db/shard-groups.ts'
import type { CallbackActions, CallbackOutcome } from '../../../providers/index.ts'
import { checkAttempt } from '../../attempts/actions/check-attempt.ts'
import type { PaymentsCtx } from '../../context.ts'
import { isOpen, isOpenRefund } from '../../payment/moves.ts'
import { findAttempt } from '../../payment/store-attempts.ts'
import { lockPayment } from '../../payment/store-payment.ts'
import { findRefund } from '../../payment/store-refunds.ts'
import { checkRefund } from '../../refunds/actions/check-refund.ts'
import { openAnomaly } from '../../review/actions/open-anomaly.ts'

/** Handles a provider's callback. Its content is not trusted: the token names the charge or refund to look up. */
export async function handleCallback(
  ctx: PaymentsCtx,
  provider: string,
  token: string,
): Promise<CallbackOutcome> {
  const attempt = ctx.attemptLinks.read(token)
  if (attempt) return checkAttempt(ctx, attempt.accountId, attempt.id, { provider, cause: 'callback' })
  const refund = ctx.refundLinks.read(token)
  if (refund) return checkRefund(ctx, refund.accountId, refund.id, { provider, cause: 'callback' })
  return 'unknown token'
}

/** Whether the gateway issued this callback token. */
export const isCallbackToken = (ctx: PaymentsCtx, token: string): boolean =>
  (ctx.attemptLinks.read(token) ?? ctx.refundLinks.read(token)) !== null

const providerStatus = 'the look-up after its callback was not answered'

/**
 * Opens an anomaly for the charge or refund of a callback. An open one needs none: it is looked up on schedule, or an operator reviews it
 * already.
 */
export async function reviewCallback(ctx: PaymentsCtx, token: string): Promise<void> {
  await ctx.db.tx((tx) => reviewIn(ctx, tx, token))
}

async function reviewIn(ctx: PaymentsCtx, tx: Tx, token: string): Promise<void> {
  const link = ctx.attemptLinks.read(token)
  const refundLink = ctx.refundLinks.read(token)
  const { accountId } = link ?? refundLink ?? {}
  if (!accountId) return
  const refund = refundLink && (await findRefund(tx, accountId, refundLink.id))
  const attemptId = link?.id ?? refund?.attemptId
  const seen = attemptId && (await findAttempt(tx, accountId, attemptId))
  if (!seen) return
  const payment = await lockPayment(tx, accountId, seen.paymentId)
  const attempt = await findAttempt(tx, accountId, seen.id)
  const refundNow = refund && (await findRefund(tx, accountId, refund.id))
  if (!payment || !attempt) return
  if (refundNow ? isOpenRefund(refundNow.status) : isOpen(attempt.status)) return
  const about = { payment, attempt, ...(refundNow && { refund: refundNow }) }
  await openAnomaly(ctx, tx, { ...about, kind: 'unanswered', providerStatus })
}

/** The actions that the callback route receives: those of the group whose account the token contains. */
export function callbackActions(ctxs: Grouped<PaymentsCtx>): CallbackActions {
  const ctxOf = (token: string): PaymentsCtx => {
    const [ctx] = ctxs.all
    const named = ctx.attemptLinks.read(token) ?? ctx.refundLinks.read(token)
    return named === null ? ctx : ctxs.of(named.accountId)
  }
  return {
    onCallback: (provider, token) => handleCallback(ctxOf(token), provider, token),
    onUnanswered: (_provider, token) => reviewCallback(ctxOf(token), token),
  }
}
