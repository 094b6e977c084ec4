import type { AccountId, AttemptId } from '@muripo/contract/ids'
import { plusMs } from '../../../platform/clock.ts'
import { payerView } from '../../applications/index.ts'
import type { PaymentsCtx } from '../context.ts'
import { commitChange } from '../payment/commit.ts'
import type { Attempt } from '../payment/payment.ts'
import { readState } from '../payment/state.ts'
import { findAttempt } from '../payment/store-attempts.ts'
import { terminationReasonOf } from '../payment/termination.ts'
import { SENDING_LEASE_MS, startSending } from '../provider-calls/call-provider.ts'
import { applyOutcome } from './apply-outcome.ts'
import { sendCharge } from './start-attempt.ts'

/**
 * Sends a deferred charge. The attempt is claimed in a commit of its own first: after a crash it is looked up like any charge. The charge of
 * a payment that has ended meanwhile fails unsent.
 */
export async function resumeAttempt(ctx: PaymentsCtx, accountId: AccountId, id: AttemptId): Promise<void> {
  const sendingStart = startSending(ctx)
  const found = await findAttempt(ctx.db.kysely, accountId, id)
  if (!found?.isDeferred) return
  const state = await readState(ctx.db.kysely, accountId, found.paymentId)
  const attempt = state?.attempts.find((each) => each.id === id)
  if (!state || !attempt?.isDeferred) return
  const { payment, at } = state
  const shop = await payerView(ctx, ctx.db.kysely, accountId, payment.applicationId)
  const isOver = payment.status !== 'pending' || terminationReasonOf(payment, at) !== null || !shop.payable
  if (isOver || !ctx.providers.has(attempt.provider)) {
    const providerStatus = attempt.providerStatus ?? 'not processed'
    await applyOutcome(ctx, attempt, { kind: 'failed', reason: 'provider_unavailable', providerStatus })
    return
  }
  const claimed: Attempt = { ...attempt, isDeferred: false, version: attempt.version + 1 }
  const nextCheckAt = plusMs(at, SENDING_LEASE_MS)
  const change = { isDeferred: false, nextCheckAt }
  // Another process has claimed it, or the payment has changed: a deferred attempt is due again.
  if ((await commitChange(ctx, { payment, at, attempt: { before: attempt, change } })) === null) return
  const attempts = state.attempts.map((each) => (each.id === id ? claimed : each))
  await sendCharge(ctx, {
    opened: { ...state, attempts, attempt: claimed },
    connector: ctx.providers.byId(attempt.provider),
    sendingStart,
    shopName: shop.name,
  })
}
