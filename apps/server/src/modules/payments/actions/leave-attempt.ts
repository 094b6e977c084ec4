import type { PaymentsCtx } from '../context.ts'
import type { Attempt } from '../payment/payment.ts'
import { findAttempt } from '../payment/store-attempts.ts'
import { applyOutcome } from './apply-outcome.ts'
import { checkAttempt } from './check-attempt.ts'

/**
 * Whether the payer may choose another way to pay while this attempt is open. The provider may still be paid afterwards, so it must have a
 * call that refunds a second charge.
 */
export const canLeave = (
  { providers }: Pick<PaymentsCtx, 'providers'>,
  { status, nextAction, provider }: Attempt,
): boolean =>
  status === 'pending' &&
  nextAction !== null &&
  nextAction.type !== 'wait_for_push' &&
  providers.has(provider) &&
  providers.byId(provider).refund !== 'manual'

/**
 * Ends an attempt whose payer chooses another way to pay, unless the provider has been paid or does not answer. Like each failed attempt it
 * is watched: a late charge completes the payment, or is refunded as a duplicate.
 */
export async function leaveAttempt(ctx: PaymentsCtx, attempt: Attempt): Promise<void> {
  const { accountId, id } = attempt
  if (!canLeave(ctx, attempt) || (await checkAttempt(ctx, accountId, id, { cause: 'payer' })) !== 'done')
    return
  const now = await findAttempt(ctx.db.kysely, accountId, id)
  if (now?.status !== 'pending') return
  await applyOutcome(ctx, now, {
    kind: 'failed',
    reason: 'user_cancelled',
    providerStatus: 'the payer chose another way to pay',
  })
}
