import { type MerchantId, type PaymentId, RefundId } from '@muripo/contract/ids'
import { add, equals, fromMajor, type Money, MoneyError } from '@muripo/contract/money'
import type { Actor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import { plusMs } from '../../../platform/clock.ts'
import { AppError, invariant } from '../../../platform/errors.ts'
import { suffixOf, uuidOf } from '../../../platform/ids.ts'
import { post } from '../../ledger/index.ts'
import { callbackUrl, type PaymentsCtx } from '../context.ts'
import { callProvider } from '../outcome.ts'
import type { Attempt, Payment, Refund } from '../payment.ts'
import { findPayment, lockPayment, updatePayment } from '../store.ts'
import { attemptsOf } from '../store-attempts.ts'
import { insertRefund, openRefundOf } from '../store-refunds.ts'
import { applyRefundOutcome } from './apply-refund-outcome.ts'

/** After this time a refund whose sender is not heard of any more is looked up. It is longer than any call to a provider. */
const SENDING_LEASE_MS = 60_000

type PaidCharge = Attempt & { readonly providerReference: string }

/**
 * Gives a completed payment back in full. The amount is taken out of what the merchant is owed before the provider is called, and
 * returned to it if the provider refuses. A second request joins a refund that is under way.
 * @returns the payment as it stands: refunded, or still completed while the provider has not answered
 * @throws AppError not_found, payment_not_refundable, refund_mismatch, refund_declined
 */
export async function refundPayment(
  ctx: PaymentsCtx,
  actor: Actor,
  merchantId: MerchantId,
  paymentId: PaymentId,
  input: { amount: number; currency: Money['currency'] },
): Promise<Payment> {
  let landed = () => {}
  // Announced before the commit shows the refund to others: whoever sees it finds something to wait for.
  const announce = (refund: Refund) => {
    landed = ctx.refundFlights.begin(refund.id)
  }
  try {
    const { refund, charge } = await open(ctx, actor, merchantId, paymentId, input, announce)
    if (charge) await send(ctx, charge, refund)
    else await ctx.refundFlights.join(refund.id)
  } finally {
    landed()
  }
  const payment = await findPayment(ctx.db.kysely, merchantId, paymentId)
  invariant(payment, 'a payment is never deleted')
  if (payment.status !== 'refunded' && payment.refundPending.minor === 0n)
    throw new AppError('refund_declined')
  return payment
}

/**
 * Invariant: refunds under way and refunds done never exceed the amount. The payment's lock orders the requests, and a check on the
 * sum refuses what would slip past.
 * @returns the charge to give back, or none when another request has already begun this refund
 */
function open(
  ctx: PaymentsCtx,
  actor: Actor,
  merchantId: MerchantId,
  paymentId: PaymentId,
  input: { amount: number; currency: Money['currency'] },
  announce: (refund: Refund) => void,
): Promise<{ refund: Refund; charge: PaidCharge | null }> {
  return ctx.db.tx(async (tx) => {
    const payment = await lockPayment(tx, merchantId, paymentId)
    if (payment === null) throw new AppError('not_found')
    if (payment.status !== 'completed') throw new AppError('payment_not_refundable')
    if (!equals(amountOf(input), payment.amount)) throw new AppError('refund_mismatch')

    const underWay = await openRefundOf(tx, merchantId, paymentId)
    if (underWay) return { refund: underWay, charge: null }

    const charge = (await attemptsOf(tx, merchantId, paymentId)).find(({ status }) => status === 'completed')
    invariant(charge, 'a completed payment has a completed attempt')
    if (!canRefund(ctx, charge)) {
      throw new AppError('payment_not_refundable', {
        detail: 'Payments made in this way cannot be refunded here',
      })
    }
    const { providerReference } = charge
    invariant(providerReference !== null, 'a completed charge has its provider reference')
    const now = ctx.clock.now()
    const refund: Refund = {
      merchantId,
      id: ctx.ids.next(RefundId),
      paymentId,
      attemptId: charge.id,
      amount: payment.amount,
      status: 'sending',
      failureReason: null,
      providerReference: null,
      providerState: null,
      checks: 0,
      notFoundChecks: 0,
      createdAt: now,
      updatedAt: now,
    }
    await insertRefund(tx, refund, plusMs(now, SENDING_LEASE_MS))
    await updatePayment(tx, payment, { refundPending: add(payment.refundPending, refund.amount) }, now)
    await post(ctx, tx, merchantId, {
      kind: 'refund_reserve',
      debit: 'merchant.payable',
      credit: 'refunds.payable',
      amount: refund.amount,
      paymentId,
      causeId: uuidOf(refund.id),
    })
    await audit(ctx, tx, actor, {
      action: 'payment.refund_opened',
      subject: paymentId,
      merchantId,
      details: { refundId: refund.id, amount: input.amount, currency: input.currency },
    })
    announce(refund)
    return { refund, charge: { ...charge, providerReference } }
  })
}

/** Asked before anything is written: a refund that nobody can send would hold the merchant's money for nothing. */
const canRefund = (ctx: PaymentsCtx, { provider }: Attempt): boolean =>
  ctx.providers.has(provider) && ctx.providers.byId(provider).refund === 'api'

function amountOf(input: { amount: number; currency: Money['currency'] }): Money {
  try {
    return fromMajor(input.amount, input.currency)
  } catch (error) {
    if (error instanceof MoneyError) throw new AppError('refund_mismatch')
    throw error
  }
}

async function send(ctx: PaymentsCtx, charge: PaidCharge, refund: Refund): Promise<void> {
  const connector = ctx.providers.byId(charge.provider)
  const outcome = await callProvider(
    ctx,
    refund.id,
    connector.refundCharge({
      key: suffixOf(refund.id),
      amount: refund.amount,
      originalReference: charge.providerReference,
      originalState: charge.providerState ?? {},
      msisdn: charge.msisdn,
      reason: 'Refund',
      callbackUrl: callbackUrl(ctx, connector.id, ctx.refundLinks.tokenOf(refund.merchantId, refund.id)),
    }),
  )
  await applyRefundOutcome(ctx, refund.merchantId, refund.id, outcome)
}
