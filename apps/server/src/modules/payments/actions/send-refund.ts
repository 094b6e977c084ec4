import type { AccountId, RefundId } from '@muripo/contract/ids'
import { plusMs } from '../../../platform/clock.ts'
import { invariant } from '../../../platform/errors.ts'
import { suffixOf } from '../../../platform/ids.ts'
import type { PaymentsCtx } from '../context.ts'
import { numberOf } from '../customers/retained-numbers.ts'
import { changePayment } from '../payment/commit.ts'
import { stateAfter } from '../payment/effects.ts'
import type { Attempt, Refund } from '../payment/payment.ts'
import { refundIn, type WholeState, wholeOf } from '../payment/state.ts'
import { findRefund } from '../payment/store-refunds.ts'
import {
  callbackUrl,
  callProvider,
  maySend,
  SENDING_LEASE_MS,
  type SendingStart,
  sendingGuard,
  startSending,
} from '../provider-calls/call-provider.ts'
import { applyRefundOutcome } from './apply-refund-outcome.ts'

/** A refund that is recorded, and not yet sent. */
export interface OpenedRefund {
  readonly refund: Refund
  readonly charge: Attempt
  readonly sendingStart: SendingStart
  /** The state of the payment after the commit of the refund. */
  readonly state?: WholeState
}

/**
 * Sends an opened refund to its provider, once: after a crash it is looked up and never sent again. A refund that waits for an operator is
 * not sent.
 */
export async function sendRefund(
  ctx: PaymentsCtx,
  { refund, charge, sendingStart, state }: OpenedRefund,
): Promise<void> {
  if (refund.status !== 'sending') return
  const msisdn = await numberOf(ctx, charge)
  if (!maySend(ctx, sendingStart, refund)) return
  const connector = ctx.providers.byId(charge.provider)
  const { providerReference } = charge
  const { refundCharge } = connector
  invariant(refundCharge && providerReference !== null, 'only what a provider can send is sending')
  const { isLate, beforeSending } = sendingGuard(ctx, sendingStart, refund)
  const outcome = await callProvider(ctx, refund, connector.id, () =>
    refundCharge({
      accountId: refund.accountId,
      key: suffixOf(refund.id),
      amount: refund.amount,
      originalKey: suffixOf(charge.id),
      originalReference: providerReference,
      originalState: charge.providerState ?? {},
      msisdn,
      reason: refund.reason ?? 'Refund',
      callbackUrl: callbackUrl(ctx, connector.id, ctx.refundLinks.tokenOf(refund.accountId, refund.id)),
      beforeSending,
    }),
  )
  if (isLate()) return
  await applyRefundOutcome(ctx, refund, outcome, state && { ...state, at: ctx.clock.now() })
}

/** Sends a deferred refund. It is claimed in a commit of its own first: after a crash it is looked up like any refund. */
export async function resumeRefund(ctx: PaymentsCtx, accountId: AccountId, id: RefundId): Promise<void> {
  const sendingStart = startSending(ctx)
  const seen = await findRefund(ctx.db.kysely, accountId, id)
  if (!seen?.isDeferred) return
  const claimed = await changePayment(
    ctx,
    () => wholeOf(ctx.db.kysely, seen),
    (state) => {
      const { refund } = refundIn(state, id)
      if (!refund.isDeferred) return { effects: null, result: () => null }
      const change = { isDeferred: false, nextCheckAt: plusMs(state.at, SENDING_LEASE_MS) }
      const effects = { refund: { before: refund, change } }
      return { effects, result: () => refundIn(stateAfter(state, effects), id) }
    },
  )
  if (claimed) await sendRefund(ctx, { refund: claimed.refund, charge: claimed.charge, sendingStart })
}
