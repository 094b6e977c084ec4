import { AnomalyId, AttemptId, PaymentId, RefundId } from '@muripo/contract/ids'
import type { Currency } from '@muripo/contract/money'
import type { ProposalInput } from '@muripo/contract/proposals'
import type { Ctx } from '../../../../platform/ctx.ts'
import { AppError, invalidField } from '../../../../platform/errors.ts'
import { requestedId } from '../../../../platform/ids.ts'
import { type OperatorRefund, reviewedAttempts, reviewsOf, showRefund } from '../../../payments/index.ts'
import {
  type AnomalyPayload,
  type AttemptPayload,
  type BatchPayload,
  type BouncePayload,
  type OfRefund,
  type OpenRefundPayload,
  type RefundPayload,
  type ReturnPayload,
  type ReversalPayload,
  type SettlePayload,
  storedMoney,
} from '../payloads.ts'
import { amountIn, needed, paymentIn, referenceIn } from './fields.ts'

/** The amount that the provider moved, with the reason of the decision. */
const movedIn = ({ amount, reason }: ProposalInput, currency: Currency) =>
  amount === undefined ? {} : { moved: { amount: storedMoney(amountIn(amount, currency)), reason } }

/** @throws AppError validation_failed for an outcome of another kind */
function outcomeIn<const Outcome extends string>(
  input: ProposalInput,
  possible: readonly Outcome[],
): Outcome {
  const given = needed(input, 'outcome')
  const outcome = possible.find((each) => each === given)
  if (outcome === undefined) throw invalidField('outcome', `Must be one of ${possible.join(', ')}`)
  if (outcome !== 'completed' && input.reference !== undefined)
    throw invalidField('reference', 'Must be left out unless the outcome is completed')
  return outcome
}

const reviewIn = ({ review }: ProposalInput): AnomalyId | null =>
  review === undefined ? null : requestedId(AnomalyId, review)

export async function attemptPayload(ctx: Ctx, input: ProposalInput): Promise<AttemptPayload> {
  const paymentId = requestedId(PaymentId, input.subject)
  const [attempt] = await reviewedAttempts(ctx, paymentId)
  if (!attempt) throw new AppError('not_found', { detail: 'No attempt of this payment waits for a decision' })
  const outcome = outcomeIn(input, ['completed', 'failed'])
  return {
    accountId: attempt.accountId,
    paymentId,
    attemptId: input.attempt === undefined ? null : requestedId(AttemptId, input.attempt),
    verdict: outcome === 'failed' ? { outcome } : { outcome, reference: referenceIn(input) },
    ...movedIn(input, attempt.amount.currency),
  }
}

export async function anomalyPayload(ctx: Ctx, input: ProposalInput): Promise<AnomalyPayload> {
  const paymentId = requestedId(PaymentId, input.subject)
  const [anomaly] = await reviewsOf(ctx, paymentId)
  if (!anomaly) throw new AppError('not_found', { detail: 'No review of this payment waits for a decision' })
  const { accountId, currency } = anomaly
  const { reason, to = 'suspense' } = input
  const kind = outcomeIn(input, ['completed', 'reversed', 'bounced', 'differs', 'unchanged'])
  const amount = () => storedMoney(amountIn(needed(input, 'amount'), currency))
  const verdict = (): AnomalyPayload['verdict'] => {
    if (kind === 'completed') return { kind, reference: referenceIn(input) }
    if (kind === 'reversed') return { kind, amount: amount(), reason }
    if (kind === 'differs') return { kind, total: amount(), to, reason }
    return { kind, reason }
  }
  return { accountId, paymentId, anomalyId: reviewIn(input), verdict: verdict() }
}

export async function reversalPayload(ctx: Ctx, input: ProposalInput): Promise<ReversalPayload> {
  const { currency, ...payment } = await paymentIn(ctx, input.subject)
  return {
    ...payment,
    amount: storedMoney(amountIn(needed(input, 'amount'), currency)),
    reason: input.reason,
  }
}

export const returnPayload = async (ctx: Ctx, input: ProposalInput): Promise<ReturnPayload> => ({
  ...(await reversalPayload(ctx, input)),
  anomalyId: reviewIn(input),
})

export async function openRefundPayload(ctx: Ctx, input: ProposalInput): Promise<OpenRefundPayload> {
  const { currency, ...payment } = await paymentIn(ctx, input.subject)
  const { amount, byHand: isByHand = false, reason } = input
  return {
    ...payment,
    amount: amount === undefined ? null : storedMoney(amountIn(amount, currency)),
    isByHand,
    reason,
  }
}

/** @throws AppError not_found */
async function refundIn(
  ctx: Ctx,
  id: string,
): Promise<{ readonly of: OfRefund; readonly refund: OperatorRefund }> {
  const refundId = requestedId(RefundId, id)
  const refund = await showRefund(ctx, refundId)
  if (refund === null) throw new AppError('not_found', { detail: 'There is no refund with this id' })
  const { accountId, paymentId } = refund
  return { of: { accountId, paymentId, refundId }, refund }
}

export async function refundPayload(ctx: Ctx, input: ProposalInput): Promise<RefundPayload> {
  const { of, refund } = await refundIn(ctx, input.subject)
  const { reason, although } = input
  const outcome = outcomeIn(input, ['completed', 'failed', 'unclaimed'])
  const verdict =
    outcome === 'completed'
      ? ({
          kind: 'paid',
          reference: referenceIn(input),
          ...(although !== undefined && { although }),
        } as const)
      : ({ kind: outcome, reason } as const)
  return { ...of, verdict, ...movedIn(input, refund.amount.currency) }
}

export async function batchPayload(ctx: Ctx, input: ProposalInput): Promise<BatchPayload> {
  const given = needed(input, 'refunds')
  if (given[0]?.refund !== input.subject) throw invalidField('subject', 'Must be the first of the refunds')
  const twice = given.find(({ refund }, index) => given.findIndex((each) => each.refund === refund) < index)
  if (twice) throw invalidField('refunds', `Must contain ${twice.refund} once`)
  const refunds = []
  for (const { refund, reference } of given) refunds.push({ ...(await refundIn(ctx, refund)).of, reference })
  return { refunds }
}

export const bouncePayload = async (
  ctx: Ctx,
  { subject, reason }: ProposalInput,
): Promise<BouncePayload> => ({
  ...(await refundIn(ctx, subject)).of,
  reason,
})

export async function settlePayload(
  ctx: Ctx,
  { subject, amount, reason: how }: ProposalInput,
): Promise<SettlePayload> {
  const { of, refund } = await refundIn(ctx, subject)
  const { currency } = refund.amount
  return { ...of, how, amount: amount === undefined ? null : storedMoney(amountIn(amount, currency)) }
}
