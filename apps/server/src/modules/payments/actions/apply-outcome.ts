import type { PaymentsCtx } from '../context.ts'
import { type Alongside, changePayment, type Decided } from '../payment/commit.ts'
import { beforeItsEnd, decideCharge, isInProgress } from '../payment/decide/charge-reply.ts'
import type { OpeningRefund } from '../payment/decide/open-refund.ts'
import { both, type Effects, stateAfter } from '../payment/effects.ts'
import type { AttemptStatus } from '../payment/moves.ts'
import type { CallOutcome, Decision } from '../payment/outcome.ts'
import type { Attempt } from '../payment/payment.ts'
import { attemptIn, type PaymentState, type WholeState, wholeOf } from '../payment/state.ts'
import { type SendingStart, startSending } from '../provider-calls/call-provider.ts'
import { reviewReference } from './prove-by-reference.ts'
import { sendRefund } from './send-refund.ts'

/** The status of the attempt after an outcome. */
interface Applied {
  readonly status: AttemptStatus
  readonly isNew: boolean
  /** False: the provider has to be asked again, after the refunds of the charge have ended. */
  readonly isFinal: boolean
}

interface Effect extends Applied {
  readonly provider: string
  readonly duplicate: (OpeningRefund & { readonly sendingStart: SendingStart }) | null
  /** The payer had authorised the charge before: the outcome is that of the merchant's instruction. */
  readonly wasAuthorised: boolean
}

interface Options {
  /** The state that the call was made from, with the present time, so that its outcome is written without another reading. */
  readonly state?: PaymentState
  /** Further effects of an outcome that changes the attempt's status, decided from the state after it. */
  readonly besides?: (after: WholeState, status: AttemptStatus) => Effects
  readonly alongside?: Alongside
}

/**
 * The only function that changes a payment because of a provider's answer: the reply to the charge, look-ups, callbacks, and an operator's
 * decision all end here. A repeated outcome changes nothing. Payment, ledger transfers and event commit together.
 */
export async function applyOutcome(
  ctx: PaymentsCtx,
  ref: Pick<Attempt, 'accountId' | 'paymentId' | 'id' | 'msisdn'>,
  outcome: CallOutcome | Decision,
  { state, besides, alongside }: Options = {},
): Promise<Applied> {
  const known = state && isInProgress(state, attemptIn(state, ref.id)) ? beforeItsEnd(state) : undefined
  const decide = (from: WholeState): Decided<Effect> => {
    const attempt = attemptIn(from, ref.id)
    const sendingStart = startSending(ctx)
    const { effects, status, isFinal, duplicate } = decideCharge(ctx, from, attempt, outcome)
    const isNew = status !== attempt.status
    const effect = {
      status,
      isNew,
      isFinal,
      provider: attempt.provider,
      duplicate: duplicate ? { ...duplicate, sendingStart } : null,
      wasAuthorised: from.payment.status === 'authorized',
    }
    const more = effects && isNew && besides?.(stateAfter(from, effects), status)
    return { effects: effects && more ? both(effects, more) : effects, result: () => effect }
  }
  const effect = await changePayment(ctx, () => wholeOf(ctx.db.kysely, ref), decide, { known, alongside })
  await follow(ctx, ref, outcome, effect)
  const { status, isNew, isFinal } = effect
  return { status, isNew, isFinal }
}

/** The work after the commit of an outcome. */
async function follow(
  ctx: PaymentsCtx,
  ref: Pick<Attempt, 'accountId' | 'paymentId' | 'id' | 'msisdn'>,
  outcome: CallOutcome | Decision,
  { status, isNew, provider, duplicate, wasAuthorised }: Effect,
): Promise<void> {
  const isProviderDown = outcome.kind === 'failed' && outcome.reason === 'provider_unavailable'
  if (isNew && !wasAuthorised) {
    if (status === 'completed' || status === 'authorized')
      ctx.attemptLimits.noteResult(ref.accountId, ref, 'completed')
    else if (status === 'failed' && !isProviderDown) ctx.attemptLimits.noteResult(ref.accountId, ref, status)
  }
  const isBooking = isNew && (status === 'completed' || status === 'duplicate')
  if (isBooking && ctx.providers.references(provider) === 'unique') await reviewReference(ctx, ref)
  // The refund is looked up if this process dies here, and ends with an operator.
  if (duplicate) await sendRefund(ctx, duplicate)
}
