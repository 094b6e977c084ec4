import type { AccountId, AttemptId, RefundId } from '@muripo/contract/ids'
import type { CallbackActions, CallbackOutcome } from '../../providers/index.ts'
import type { PaymentsCtx } from '../context.ts'
import { changePayment } from '../payment/commit.ts'
import { openAnomaly } from '../payment/decide/open-anomaly.ts'
import { isOpen, isOpenRefund } from '../payment/moves.ts'
import type { Attempt } from '../payment/payment.ts'
import { attemptIn, refundIn, type WholeState, wholeOf } from '../payment/state.ts'
import { findAttempt } from '../payment/store-attempts.ts'
import { findRefund } from '../payment/store-refunds.ts'
import { checkAttempt } from './check-attempt.ts'
import { checkRefund } from './check-refund.ts'

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
  const { kysely } = ctx.db
  const link = ctx.attemptLinks.read(token)
  const refundLink = ctx.refundLinks.read(token)
  const call =
    (link && (await findAttempt(kysely, link.accountId, link.id))) ??
    (refundLink && (await findRefund(kysely, refundLink.accountId, refundLink.id)))
  if (!call) return
  await changePayment(
    ctx,
    () => wholeOf(ctx.db.kysely, call),
    (state) => {
      const about = refundLink ? aboutRefund(state, refundLink.id) : aboutCharge(state, call.id as AttemptId)
      const effects =
        about && openAnomaly(ctx, state, { ...about, kind: 'unanswered', providerStatus }).effects
      return { effects, result: () => undefined }
    },
  )
}

/** The charge, when it has ended. */
function aboutCharge(state: WholeState, id: AttemptId): { readonly attempt: Attempt } | null {
  const attempt = attemptIn(state, id)
  return isOpen(attempt.status) ? null : { attempt }
}

/** The refund and its charge, when it has ended. */
function aboutRefund(state: WholeState, id: RefundId) {
  const { refund, charge } = refundIn(state, id)
  return isOpenRefund(refund.status) ? null : { attempt: charge, refund }
}

/**
 * The actions that the callback route receives.
 * @param ctxOf the context of an account, which the token contains
 */
export function callbackActions(
  ctx: PaymentsCtx,
  ctxOf: (accountId: AccountId) => PaymentsCtx = () => ctx,
): CallbackActions {
  const ctxFor = (token: string): PaymentsCtx => {
    const named = ctx.attemptLinks.read(token) ?? ctx.refundLinks.read(token)
    return named === null ? ctx : ctxOf(named.accountId)
  }
  return {
    onCallback: (provider, token) => handleCallback(ctxFor(token), provider, token),
    onUnanswered: (_provider, token) => reviewCallback(ctxFor(token), token),
  }
}
