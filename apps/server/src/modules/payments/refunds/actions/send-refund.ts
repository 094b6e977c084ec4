import { invariant } from '../../../../platform/errors.ts'
import { suffixOf } from '../../../../platform/ids.ts'
import { callbackUrl, type PaymentsCtx } from '../../context.ts'
import { callProvider } from '../../provider-calls/outcome.ts'
import { maySend } from '../../provider-calls/sending.ts'
import { applyRefundOutcome } from './apply-refund-outcome.ts'
import type { OpenedRefund } from './open-refund.ts'

/**
 * Sends an opened refund to its provider, once: after a crash it is looked up and never sent again. A refund that waits for an operator is
 * not sent.
 */
export async function sendRefund(
  ctx: PaymentsCtx,
  { refund, charge, sendingStart }: OpenedRefund,
): Promise<void> {
  if (refund.status !== 'sending' || !maySend(ctx, sendingStart, refund)) return
  const connector = ctx.providers.byId(charge.provider)
  const { providerReference } = charge
  const { refundCharge } = connector
  invariant(refundCharge && providerReference !== null, 'only what a provider can send is sending')
  const outcome = await callProvider(ctx, refund, connector.id, () =>
    refundCharge({
      accountId: refund.accountId,
      key: suffixOf(refund.id),
      amount: refund.amount,
      originalKey: suffixOf(charge.id),
      originalReference: providerReference,
      originalState: charge.providerState ?? {},
      msisdn: charge.msisdn,
      reason: refund.reason ?? 'Refund',
      callbackUrl: callbackUrl(ctx, connector.id, ctx.refundLinks.tokenOf(refund.accountId, refund.id)),
    }),
  )
  await applyRefundOutcome(ctx, refund.accountId, refund.id, outcome)
}
