import type { Line } from '@muripo/contract/proposal-lines'
import {
  type AnomalyVerdict,
  attemptsOf,
  recordReturn,
  refusalOfReview,
  reportReversal,
  resolveAttempt,
  resolveReview,
  reversedCharges,
  reviewedAttempts,
  reviewsOf,
} from '../../../payments/index.ts'
import {
  type AnomalyPayload,
  type AttemptPayload,
  type KindTypes,
  moneyOf,
  type ReturnPayload,
  type ReversalPayload,
} from '../payloads.ts'
import { type ImmediateKind, type Kind, line, refused, sentences } from './kind.ts'
import { amountText, hasWritten, movedLine, movedOf, paymentVersion, presentPayment } from './of-payment.ts'

export const attemptKind: Kind<AttemptPayload, KindTypes['attempt.resolve']['result']> = {
  accountOf: ({ accountId }) => accountId,
  async describe(ctx, payload) {
    const { paymentId, verdict } = payload
    const version = await paymentVersion(ctx.db.kysely, payload)
    const found = (await reviewedAttempts(ctx, paymentId)).filter(
      ({ id }) => payload.attemptId === null || id === payload.attemptId,
    )
    const [attempt] = found
    if (!attempt || found.length > 1)
      throw refused(
        attempt ? 'The payment has several attempts: name one' : 'No such attempt waits for a decision',
      )
    const { accountId, status } = attempt
    const exact = { ...payload, accountId, attemptId: attempt.id }
    return {
      payload: exact,
      subject: attempt.id,
      accountId,
      version,
      about: `${paymentId} of ${attempt.shopName}, ${amountText(attempt.amount)}`,
      diff: [
        { label: 'Attempt', from: status, to: verdict.outcome },
        ...(verdict.outcome === 'completed' ? [line('Reference', verdict.reference)] : []),
        ...movedLine(payload),
      ],
    }
  },
  versionIn: paymentVersion,
  execute: (ctx, actor, payload) =>
    resolveAttempt(ctx, actor, payload.paymentId, payload.attemptId, {
      ...payload.verdict,
      ...movedOf(payload),
    }),
  // The transaction is rolled back unless it writes the outcome.
  isDone: () => true,
  whyNot({ kind }) {
    if (kind === 'done') return null
    if (kind === 'paid_already')
      return 'Another attempt has paid already: resolve this one as failed, with the amount that its provider took'
    return kind === 'several'
      ? 'The payment has several attempts: name one'
      : 'No such attempt waits for a decision'
  },
}

const verdictOf = (verdict: AnomalyPayload['verdict']): AnomalyVerdict => {
  if (verdict.kind === 'reversed') return { ...verdict, amount: moneyOf(verdict.amount) }
  if (verdict.kind === 'differs') return { ...verdict, total: moneyOf(verdict.total) }
  return verdict
}

const verdictLines = (verdict: AnomalyVerdict): Line[] => {
  if (verdict.kind === 'completed') return [line('Reference', verdict.reference)]
  if (verdict.kind === 'reversed') return [line('Reversed amount', amountText(verdict.amount))]
  if (verdict.kind !== 'differs') return []
  return [
    line('Whole amount', amountText(verdict.total)),
    line('Difference goes to', verdict.to === 'merchant' ? 'merchant.payable' : 'suspense'),
  ]
}

const reviewRefusals: Readonly<Record<Exclude<KindTypes['anomaly.resolve']['result'], 'done'>, string>> = {
  none: 'No such review waits for a decision',
  several: 'The payment has several reviews: name one',
  unfit: 'This is no possible outcome of the review',
  too_much:
    'The amount is above 0, and not more than the charge less its refunds and what is booked as reversed',
}

export const anomalyKind: Kind<AnomalyPayload, KindTypes['anomaly.resolve']['result']> = {
  accountOf: ({ accountId }) => accountId,
  async describe(ctx, payload) {
    const { paymentId, anomalyId } = payload
    const version = await paymentVersion(ctx.db.kysely, payload)
    const found = (await reviewsOf(ctx, paymentId)).filter(({ id }) => anomalyId === null || id === anomalyId)
    const [anomaly] = found
    if (!anomaly || found.length > 1) throw refused(reviewRefusals[anomaly ? 'several' : 'none'])
    const { accountId, kind, refundId, amount } = anomaly
    const exact = { ...payload, accountId, anomalyId: anomaly.id }
    const verdict = verdictOf(payload.verdict)
    const refusal = await refusalOfReview(ctx, anomaly, verdict)
    if (refusal !== null)
      throw refused(reviewRefusals[refusal], refusal === 'too_much' ? 'amount' : undefined)
    return {
      payload: exact,
      subject: anomaly.id,
      accountId,
      version,
      about: `${refundId ?? paymentId}, ${kind}${amount === null ? '' : ` ${amountText(amount)}`}`,
      diff: [{ label: 'Review', from: kind, to: verdict.kind }, ...verdictLines(verdict)],
    }
  },
  versionIn: paymentVersion,
  execute: (ctx, actor, { paymentId, anomalyId, verdict }) =>
    resolveReview(ctx, actor, paymentId, anomalyId, verdictOf(verdict)),
  isDone: hasWritten,
  whyNot: sentences(reviewRefusals),
}

const unreported: Readonly<Record<Exclude<KindTypes['payment.reverse']['result'], 'opened'>, string>> = {
  known: 'This amount is reported already: give the total',
  none: 'The payment is not completed, so nothing of it can be reversed',
  too_much: 'The amount is above 0, and not more than was charged and not refunded',
}

/** It books nothing: the merchant is told, and a review opens, which two decide. */
export const reverseKind: ImmediateKind<ReversalPayload, KindTypes['payment.reverse']['result']> = {
  accountOf: ({ accountId }) => accountId,
  execute: (ctx, actor, { amount, reason, ...payment }) =>
    reportReversal(ctx, actor, payment, moneyOf(amount), reason),
  whyNot: (result) => (result === 'opened' ? null : unreported[result]),
}

const returnRefusals: Readonly<Record<Exclude<KindTypes['payment.return']['result'], 'done'>, string>> = {
  none: 'No reversal of the payment is booked',
  several: 'Reversals of several charges of the payment are booked: name a review',
  too_much: 'The amount is above 0, and not more than is booked as reversed',
}

export const returnKind: Kind<ReturnPayload, KindTypes['payment.return']['result']> = {
  accountOf: ({ accountId }) => accountId,
  async describe(ctx, payload) {
    const { accountId, paymentId, anomalyId } = payload
    const version = await paymentVersion(ctx.db.kysely, payload)
    const payment = await presentPayment(ctx.db.kysely, payload)
    const amount = moneyOf(payload.amount)
    const [charge, another] = await reversedCharges(ctx, paymentId, anomalyId)
    if (!charge) throw refused(returnRefusals.none)
    if (another) throw refused(returnRefusals.several, 'review')
    if (amount.minor <= 0n || amount.minor > charge.reversed.minor)
      throw refused(returnRefusals.too_much, 'amount')
    const attempts = await attemptsOf(ctx.db.kysely, accountId, paymentId)
    const attempt = attempts.find(({ id }) => id === charge.attemptId)
    return {
      payload,
      subject: paymentId,
      accountId,
      version,
      about: `${paymentId}, ${amountText(payment.amount)}`,
      diff: [
        line('Returned by the provider', amountText(amount)),
        line('Charge', [attempt?.provider, attempt?.providerReference].filter(Boolean).join(', ')),
      ],
    }
  },
  versionIn: paymentVersion,
  execute: (ctx, actor, { paymentId, anomalyId, amount, reason }) =>
    recordReturn(ctx, actor, paymentId, anomalyId, { amount: moneyOf(amount), reason }),
  isDone: hasWritten,
  whyNot: sentences(returnRefusals),
}
