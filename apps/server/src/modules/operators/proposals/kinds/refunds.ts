import type { RefundId } from '@muripo/contract/ids'
import { toMajor } from '@muripo/contract/money'
import {
  closeLateRefund,
  type OperatorRefund,
  type RefundResolved,
  type RefundVerdict,
  recordBounce,
  refundPayment,
  refusalOfVerdict,
  remainingOf,
  resolveRefund,
  showRefund,
} from '../../../payments/index.ts'
import {
  type BouncePayload,
  type KindTypes,
  moneyOf,
  type OfRefund,
  type OpenRefundPayload,
  type RefundPayload,
  type SettlePayload,
  storedMoney,
} from '../payloads.ts'
import { openRefundProposals } from '../store-proposals.ts'
import { type Kind, type KindCtx, line, missing, refused, sentences } from './kind.ts'
import { amountText, hasWritten, movedLine, movedOf, paymentVersion, presentPayment } from './of-payment.ts'

/**
 * A refund with the version of its payment. The version is read first: what changes between the two reads makes the proposal out of date.
 * @throws AppError not_found
 */
export async function presentRefund(
  ctx: KindCtx,
  payload: OfRefund,
): Promise<OperatorRefund & { readonly version: string }> {
  const version = await paymentVersion(ctx.db.kysely, payload)
  const refund = await showRefund(ctx, payload.refundId)
  if (refund === null) throw missing('There is no refund with this id')
  return { ...refund, version }
}

export const refundReasons: Readonly<Record<Exclude<RefundResolved, 'done'>, string>> = {
  none: 'does not exist',
  over: 'is resolved already',
  withProvider: 'is still open at its provider, and is looked up automatically',
  returned: 'was already returned by its provider: confirm it alone, with a reason',
  payers: 'refunds a second charge, which is owed to the payer: it cannot fail',
  merchants: 'refunds no second charge: when it cannot be sent, it fails',
}

/** @throws AppError proposal_refused for a verdict that the refund as it is would refuse */
export async function refuseVerdict(ctx: KindCtx, id: RefundId, verdict: RefundVerdict): Promise<void> {
  const reason = await refusalOfVerdict(ctx, id, verdict)
  if (reason !== null) throw refused(`${id} ${refundReasons[reason]}`)
}

/** @throws AppError proposal_refused for a refund that an open proposal confirms already */
export async function refuseProposed(ctx: KindCtx, ids: readonly RefundId[]): Promise<void> {
  const proposed = await openRefundProposals(ctx.db.kysely, ids)
  const found = ids.find((id) => proposed.has(id))
  if (found) throw refused(`${found} is in another open proposal`)
}

/** The fields that proposals about one refund share. */
const ofRefund = <Payload extends OfRefund>(
  payload: Payload,
  { accountId, version, shopName, amount }: Awaited<ReturnType<typeof presentRefund>>,
) => ({
  payload,
  subject: payload.refundId,
  accountId,
  version,
  about: `${payload.refundId} of ${shopName}, ${amountText(amount)}`,
})

export const refundKind: Kind<RefundPayload, KindTypes['refund.resolve']['result']> = {
  accountOf: ({ accountId }) => accountId,
  async describe(ctx, payload) {
    const { verdict } = payload
    const refund = await presentRefund(ctx, payload)
    const isClaim = verdict.kind === 'paid' && refund.isUnclaimed
    if (!refund.isWaiting && !isClaim) throw refused('The refund waits for no decision')
    await refuseProposed(ctx, [refund.id])
    await refuseVerdict(ctx, refund.id, { ...verdict, ...movedOf(payload) })
    return {
      ...ofRefund(payload, refund),
      diff: [
        { label: 'Refund', from: refund.status, to: verdict.kind },
        ...('reference' in verdict ? [line('Reference', verdict.reference)] : []),
        ...('although' in verdict && verdict.although !== undefined
          ? [line('Although the provider has returned the charge', verdict.although)]
          : []),
        ...movedLine(payload),
      ],
    }
  },
  versionIn: paymentVersion,
  execute: (ctx, actor, payload) =>
    resolveRefund(ctx, actor, payload.refundId, { ...payload.verdict, ...movedOf(payload) }),
  isDone: () => true,
  whyNot: (result) => (result === 'done' ? null : `The refund ${refundReasons[result]}`),
}

export const openRefundKind: Kind<OpenRefundPayload, KindTypes['refund.open']['result']> = {
  accountOf: ({ accountId }) => accountId,
  async describe(ctx, payload) {
    const { accountId, paymentId, isByHand } = payload
    const version = await paymentVersion(ctx.db.kysely, payload)
    const payment = await presentPayment(ctx.db.kysely, payload)
    const remaining = remainingOf(payment)
    const amount = payload.amount === null ? remaining : moneyOf(payload.amount)
    if (payment.completedAt === null)
      throw refused('The payment is not completed: there is nothing to refund')
    if (amount.minor <= 0n || amount.minor > remaining.minor)
      throw refused(`${amountText(remaining)} of the payment remains, and the refund is above 0`, 'amount')
    return {
      payload: { ...payload, amount: storedMoney(amount) },
      subject: paymentId,
      accountId,
      version,
      about: `${paymentId}, ${amountText(payment.amount)}`,
      diff: [
        { label: 'Refund', from: null, to: amountText(amount) },
        ...(isByHand ? [line('Sent', 'by hand')] : []),
      ],
    }
  },
  versionIn: paymentVersion,
  async execute(ctx, actor, { accountId, paymentId, amount: stored, isByHand, reason }) {
    const payment = await presentPayment(ctx.db.kysely, { accountId, paymentId })
    const amount = stored === null ? remainingOf(payment) : moneyOf(stored)
    const { currency } = amount
    const amountRefunded = toMajor(payment.refunded)
    const input = { amount: toMajor(amount), currency, amountRefunded, reason, isByHand }
    return refundPayment(ctx, actor, accountId, paymentId, input)
  },
  isDone: hasWritten,
  whyNot: ({ isRepetition, refund }) =>
    isRepetition ? `Nothing new is opened: ${refund.id} refunds this amount` : null,
}

export const bounceKind: Kind<BouncePayload, KindTypes['refund.bounce']['result']> = {
  accountOf: ({ accountId }) => accountId,
  async describe(ctx, payload) {
    const refund = await presentRefund(ctx, payload)
    if (refund.status !== 'completed') throw refused('The refund is not paid, so it cannot come back')
    return {
      ...ofRefund(payload, refund),
      diff: [line('Refund', 'came back, and is sent again by hand', refund.status)],
    }
  },
  versionIn: paymentVersion,
  execute: (ctx, actor, { refundId, reason }) => recordBounce(ctx, actor, refundId, reason),
  isDone: hasWritten,
  whyNot: ({ kind }) => (kind === 'done' ? null : 'The refund is not paid, so it cannot come back'),
}

export const settleKind: Kind<SettlePayload, KindTypes['refund.settle']['result']> = {
  accountOf: ({ accountId }) => accountId,
  async describe(ctx, payload) {
    const refund = await presentRefund(ctx, payload)
    if (!refund.isPaidLate || !refund.isWaiting) throw refused('The refund was not paid after a failure')
    const amount = payload.amount === null ? refund.amount : moneyOf(payload.amount)
    return {
      ...ofRefund({ ...payload, amount: storedMoney(amount) }, refund),
      diff: [
        { label: 'Resolved', from: null, to: payload.how },
        { label: 'Paid by the provider', from: null, to: amountText(amount) },
      ],
    }
  },
  versionIn: paymentVersion,
  execute: (ctx, actor, { refundId, how, amount }) =>
    closeLateRefund(ctx, actor, refundId, how, amount && moneyOf(amount)),
  isDone: hasWritten,
  whyNot: sentences({
    none: 'There is no refund with this id',
    over: 'The refund is resolved already',
    unpaid: 'The refund was not paid after a failure',
  }),
}
