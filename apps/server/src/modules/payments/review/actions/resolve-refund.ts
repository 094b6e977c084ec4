import type { AccountId, RefundId } from '@muripo/contract/ids'
import { money, toDecimal } from '@muripo/contract/money'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Ctx } from '../../../../platform/ctx.ts'
import type { Tx } from '../../../../platform/db/database.ts'
import { invariant } from '../../../../platform/errors.ts'
import type { PaymentsCtx } from '../../context.ts'
import { retainedNumberOf } from '../../customers/retained-numbers.ts'
import { BY_OPERATOR, type OperatorRefundDecision } from '../../payment/outcome.ts'
import { resolveAnomaliesOf, returnedOf } from '../../payment/store-anomalies.ts'
import { findAttempt } from '../../payment/store-attempts.ts'
import { lockPayment } from '../../payment/store-payment.ts'
import { findRefund, updateRefund } from '../../payment/store-refunds.ts'
import { applyRefundOutcomeIn } from '../../refunds/actions/apply-refund-outcome.ts'
import { bounceRefund } from '../../refunds/actions/bounce-refund.ts'
import { findOperatorRefund, findWaitingRefunds, type OperatorRefund } from '../store-in-review.ts'
import { bookDifference, type Moved } from './book-difference.ts'
import { proveByReference } from './prove-by-reference.ts'

type Reader = Pick<Ctx, 'db' | 'keys'>

/** Refunds that only an operator can send or resolve, the oldest first. */
export const waitingRefunds = async (ctx: Reader, limit: number): Promise<OperatorRefund[]> =>
  Promise.all((await findWaitingRefunds(ctx.db.kysely, limit)).map((refund) => withNumber(ctx, refund)))

export async function showRefund(ctx: Reader, id: RefundId): Promise<OperatorRefund | null> {
  const refund = await findOperatorRefund(ctx.db.kysely, id)
  return refund && withNumber(ctx, refund)
}

/** The number of an erased payer is encrypted, and a refund by hand needs it. */
async function withNumber({ db, keys }: Reader, refund: OperatorRefund): Promise<OperatorRefund> {
  if (refund.msisdn !== null || !refund.isWaiting) return refund
  const { accountId, attemptId } = refund
  return { ...refund, msisdn: await retainedNumberOf(db.kysely, keys, { accountId, id: attemptId }) }
}

/** The operator's reason why the refund could not be sent; null where there is none. */
export const operatorsReason = ({ status, providerStatus }: OperatorRefund): string | null =>
  status === 'failed' && providerStatus?.startsWith(BY_OPERATOR)
    ? providerStatus.slice(BY_OPERATOR.length)
    : null

/**
 * moved: the amount that the provider paid, when it differs from the requested one. although: the reason why the operator has sent the refund,
 * or knows that its provider has, although the provider had reported the amount of the charge as returned.
 */
export type RefundVerdict = OperatorRefundDecision['verdict'] & {
  readonly moved?: Moved
  readonly although?: string
}

/**
 * payers: a refund of a duplicate is owed to the payer and cannot fail. merchants: another refund is not, and fails in place of being
 * unclaimed. over: already resolved. withProvider: look-ups are still scheduled. returned: the provider has already reported the amount of
 * the charge as returned, under another reference
 */
export type RefundResolved = 'done' | 'payers' | 'merchants' | 'over' | 'withProvider' | 'returned' | 'none'

/** Resolves a refund that waits for an operator, through applyRefundOutcome like a provider's reply. */
export async function resolveRefund(
  ctx: PaymentsCtx,
  operator: Actor,
  id: RefundId,
  verdict: RefundVerdict,
): Promise<RefundResolved> {
  const named = await findOperatorRefund(ctx.db.kysely, id)
  if (named === null) return 'none'
  const { accountId, paymentId } = named
  return ctx.db.tx(async (tx) => {
    const payment = await lockPayment(tx, accountId, paymentId)
    const refund = (await findOperatorRefund(tx, id)) ?? named
    const isClaim = verdict.kind === 'paid' && refund.status === 'failed' && refund.isUnclaimed
    if ((refund.status === 'completed' || refund.status === 'failed') && !isClaim) return 'over'
    if (!refund.isWaiting && !isClaim) return 'withProvider'
    if (verdict.kind === 'failed' && refund.origin === 'duplicate') return 'payers'
    if (verdict.kind === 'unclaimed' && refund.origin !== 'duplicate') return 'merchants'
    const { moved, although, ...decided } = verdict
    if (
      verdict.kind === 'paid' &&
      although === undefined &&
      (await isReturned(ctx, tx, refund, verdict.reference))
    )
      return 'returned'
    if (verdict.kind === 'paid')
      await proveByReference(ctx, tx, refund, verdict.reference, ownReferences(refund))
    await applyRefundOutcomeIn(ctx, tx, accountId, id, { kind: 'decided', verdict: decided })
    if (moved) {
      const booked = verdict.kind === 'paid' ? refund.amount.minor : 0n
      const out = money(booked - moved.amount.minor, refund.amount.currency)
      await bookDifference(ctx, tx, refund, { difference: out, actor: operator, reason: moved.reason })
      // The moved amount is booked and the refund resolved, so that a late reply does not book it again.
      if (verdict.kind === 'failed' && moved.amount.minor > 0n && payment)
        await recordLatePayment(tx, accountId, id, payment.lockedAt)
    }
    await audit(ctx, tx, operator, {
      action: `refund.${verdict.kind}_by_operator`,
      subject: id,
      accountId,
      details: {
        ...(verdict.kind === 'paid' ? { reference: verdict.reference } : { reason: verdict.reason }),
        ...(moved && { amount: toDecimal(moved.amount), because: moved.reason }),
        ...(although !== undefined && { although }),
      },
    })
    return 'done'
  })
}

/** Some providers report a refund under the reference of its charge. */
const ownReferences = ({ chargeReference, chargeReport }: OperatorRefund) => [
  chargeReference,
  chargeReport?.providerReference,
]

/**
 * Whether the provider has reported the charge as refunded or reversed since the refund was requested, other refunds do not explain it, and
 * the operator does not name the reported reference: the operator may have sent what the provider has already returned.
 */
async function isReturned(
  ctx: PaymentsCtx,
  tx: Tx,
  { accountId, attemptId, chargeReport, createdAt, provider }: OperatorRefund,
  reference: string,
): Promise<boolean> {
  if (chargeReport?.outcome !== 'refunded' && chargeReport?.outcome !== 'reversed') return false
  const { at, echo, providerReference, eventReference } = chargeReport
  if (at < createdAt || reference === providerReference || reference === eventReference) return false
  const isTotal = ctx.providers.returnedEcho(provider) === 'total'
  const { done } = await returnedOf(tx, { accountId, id: attemptId })
  return !isTotal || echo === null || echo.minor > done
}

async function recordLatePayment(tx: Tx, accountId: AccountId, id: RefundId, at: Date): Promise<void> {
  const refund = await findRefund(tx, accountId, id)
  if (refund) await updateRefund(tx, refund, { paidLateAt: at, settledAt: at, nextWatchAt: null }, at)
}

/** uncompleted: only a completed refund comes back. */
export type RefundBounced =
  | { readonly kind: 'done'; readonly replacement: RefundId }
  | { readonly kind: 'uncompleted' | 'none' }

/** Records that the amount of a completed refund came back, as only the provider's statement shows. Its open reviews are resolved by it. */
export async function recordBounce(
  ctx: PaymentsCtx,
  operator: Actor,
  id: RefundId,
  reason: string,
): Promise<RefundBounced> {
  const named = await findOperatorRefund(ctx.db.kysely, id)
  if (named === null) return { kind: 'none' }
  const { accountId, paymentId } = named
  return ctx.db.tx(async (tx) => {
    const payment = await lockPayment(tx, accountId, paymentId)
    const refund = await findRefund(tx, accountId, id)
    const charge = refund && (await findAttempt(tx, accountId, refund.attemptId))
    invariant(payment && refund && charge, 'payments, refunds and attempts are never deleted')
    if (refund.status !== 'completed') return { kind: 'uncompleted' }
    const replacement = await bounceRefund(ctx, tx, { payment, refund, charge }, reason)
    await resolveAnomaliesOf(tx, refund, payment.lockedAt)
    await audit(ctx, tx, operator, {
      action: 'refund.bounced_by_operator',
      subject: id,
      accountId,
      details: { reason, replacement: replacement.id },
    })
    return { kind: 'done', replacement: replacement.id }
  })
}
