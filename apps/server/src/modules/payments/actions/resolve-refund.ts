import type { AccountId, PaymentId, RefundId } from '@muripo/contract/ids'
import { money, toDecimal } from '@muripo/contract/money'
import type { Actor } from '../../../platform/audit/actor.ts'
import type { AuditEntry } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import type { PaymentsCtx } from '../context.ts'
import { retainedNumberOf } from '../customers/retained-numbers.ts'
import { changePayment, type Decided } from '../payment/commit.ts'
import { bookDifference, type Moved } from '../payment/decide/booked.ts'
import { returnedOf } from '../payment/decide/booked-charge.ts'
import { bounceRefund } from '../payment/decide/bounce.ts'
import { decideRefund } from '../payment/decide/refund-reply.ts'
import { type Effects, inTurn, nothing } from '../payment/effects.ts'
import { BY_OPERATOR, type OperatorRefundDecision } from '../payment/outcome.ts'
import { type RefundState, refundIn, type WholeState, wholeOf } from '../payment/state.ts'
import {
  findOperatorRefund,
  findRefundsOf,
  findWaitingRefunds,
  type OperatorRefund,
} from '../review/store-in-review.ts'
import {
  findManualRefunds,
  findWaitingOf,
  type ManualRefundFilter,
  type RefundPage,
} from '../review/store-manual-refunds.ts'
import { proveByReference } from './prove-by-reference.ts'

type Reader = Pick<Ctx, 'db' | 'keys'>

/** Refunds that only an operator can send or resolve, the oldest first. */
export const waitingRefunds = async (ctx: Reader, limit: number): Promise<OperatorRefund[]> =>
  Promise.all((await findWaitingRefunds(ctx.db.kysely, limit)).map((refund) => withNumber(ctx, refund)))

/** One page of the refund desk. */
export const manualRefunds = async (
  ctx: Reader,
  ...wanted: [filter: ManualRefundFilter, proposed: readonly RefundId[], page: RefundPage]
): Promise<OperatorRefund[]> =>
  Promise.all((await findManualRefunds(ctx.db.kysely, ...wanted)).map((refund) => withNumber(ctx, refund)))

/** The refunds of these ids that still wait for an operator, the oldest first. */
export const waitingRefundsOf = async (ctx: Reader, ids: readonly RefundId[]): Promise<OperatorRefund[]> =>
  Promise.all((await findWaitingOf(ctx.db.kysely, ids)).map((refund) => withNumber(ctx, refund)))

/** All refunds of a payment with the data that an operator needs, the latest first. */
export const allRefundsOf = async (
  ctx: Reader,
  { accountId, paymentId }: { readonly accountId: AccountId; readonly paymentId: PaymentId },
): Promise<OperatorRefund[]> =>
  Promise.all(
    (await findRefundsOf(ctx.db.kysely, accountId, paymentId)).map((refund) => withNumber(ctx, refund)),
  )

/** Whether the provider's last report about the charge is that its amount went back: a confirmation of the refund may need a reason. */
export const isReportedReturned = ({ chargeReport }: OperatorRefund): boolean =>
  chargeReport?.outcome === 'refunded' || chargeReport?.outcome === 'reversed'

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
export const operatorsReason = ({
  status,
  providerStatus,
}: Pick<OperatorRefund, 'status' | 'providerStatus'>): string | null =>
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
  const { moved, although, ...decided } = verdict
  const decide = async (state: WholeState): Promise<Decided<RefundResolved>> => {
    const refund = (await findOperatorRefund(ctx.db.kysely, id)) ?? named
    const refusal = refusalOf(ctx, state, refund, verdict)
    if (refusal !== null) return { effects: null, result: () => refusal }
    const of = refundIn(state, id)
    const outcome = decideRefund(ctx, of, { kind: 'decided', verdict: decided })
    const effects = inTurn<WholeState>(
      state,
      () => outcome.effects ?? nothing,
      (after) => (moved ? bookMoved(ctx, refundIn(after, id), verdict, operator) : nothing),
      () => ({ audited: [{ actor: operator, entry: entryOf(named, verdict) }] }),
    )
    return { effects, result: () => 'done' }
  }
  const first = async (tx: Tx): Promise<void> => {
    if (verdict.kind !== 'paid') return
    const refund = (await findOperatorRefund(tx, id)) ?? named
    await proveByReference(ctx, tx, refund, verdict.reference, ownReferences(refund))
  }
  return changePayment(ctx, () => wholeOf(ctx.db.kysely, named), decide, { alongside: { first } })
}

/** The reason why the verdict does not fit the refund as it is; null when it does. */
export async function refusalOfVerdict(
  ctx: PaymentsCtx,
  id: RefundId,
  verdict: RefundVerdict,
): Promise<Exclude<RefundResolved, 'done'> | null> {
  const refund = await findOperatorRefund(ctx.db.kysely, id)
  return refund === null ? 'none' : refusalOf(ctx, await wholeOf(ctx.db.kysely, refund), refund, verdict)
}

function refusalOf(
  ctx: PaymentsCtx,
  state: WholeState,
  refund: OperatorRefund,
  verdict: RefundVerdict,
): Exclude<RefundResolved, 'done'> | null {
  const isClaim = verdict.kind === 'paid' && refund.status === 'failed' && refund.isUnclaimed
  if ((refund.status === 'completed' || refund.status === 'failed') && !isClaim) return 'over'
  if (!refund.isWaiting && !isClaim) return 'withProvider'
  if (verdict.kind === 'failed' && refund.origin === 'duplicate') return 'payers'
  if (verdict.kind === 'unclaimed' && refund.origin !== 'duplicate') return 'merchants'
  const isChecked = verdict.kind === 'paid' && verdict.although === undefined
  return isChecked && isReturned(ctx, state, refund, verdict.reference) ? 'returned' : null
}

/** The moved amount is booked and the refund resolved, so that a late reply does not book it again. */
function bookMoved(
  ctx: PaymentsCtx,
  state: RefundState,
  { kind, moved }: RefundVerdict,
  operator: Actor,
): Effects {
  if (!moved) return nothing
  const { refund, charge, at } = state
  const booked = kind === 'paid' ? refund.amount.minor : 0n
  const change = { paidLateAt: at, settledAt: at, nextWatchAt: null }
  return {
    ...(kind === 'failed' && moved.amount.minor > 0n && { refund: { before: refund, change } }),
    ...bookDifference(ctx, state, {
      call: refund,
      provider: charge.provider,
      difference: money(booked - moved.amount.minor, refund.amount.currency),
      actor: operator,
      reason: moved.reason,
    }),
  }
}

const entryOf = ({ id, accountId }: OperatorRefund, verdict: RefundVerdict): AuditEntry => ({
  action: `refund.${verdict.kind}_by_operator`,
  subject: id,
  accountId,
  details: {
    ...(verdict.kind === 'paid' ? { reference: verdict.reference } : { reason: verdict.reason }),
    ...(verdict.moved && { amount: toDecimal(verdict.moved.amount), because: verdict.moved.reason }),
    ...(verdict.although !== undefined && { although: verdict.although }),
  },
})

/** Some providers report a refund under the reference of its charge. */
const ownReferences = ({ chargeReference, chargeReport }: OperatorRefund) => [
  chargeReference,
  chargeReport?.providerReference,
]

/**
 * Whether the provider has reported the charge as refunded or reversed since the refund was requested, other refunds do not explain it, and
 * the operator does not name the reported reference: the operator may have sent what the provider has already returned.
 */
function isReturned(ctx: PaymentsCtx, state: WholeState, refund: OperatorRefund, reference: string): boolean {
  const { attemptId, chargeReport, createdAt, provider } = refund
  if (chargeReport === null || !isReportedReturned(refund)) return false
  const { at, echo, providerReference, eventReference } = chargeReport
  if (at < createdAt || reference === providerReference || reference === eventReference) return false
  const isTotal = ctx.providers.returnedEcho(provider) === 'total'
  return !isTotal || echo === null || echo.minor > returnedOf(state, { id: attemptId }).done
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
  return changePayment(
    ctx,
    () => wholeOf(ctx.db.kysely, named),
    (state): Decided<RefundBounced> => {
      const of = refundIn(state, id)
      if (of.refund.status !== 'completed') return { effects: null, result: () => ({ kind: 'uncompleted' }) }
      const { effects, replacement } = bounceRefund(ctx, of, reason)
      const entry = {
        action: 'refund.bounced_by_operator',
        subject: id,
        accountId: named.accountId,
        details: { reason, replacement: replacement.id },
      } as const
      const all = { ...effects, ...withoutReviews(of), audited: [{ actor: operator, entry }] }
      return { effects: all, result: () => ({ kind: 'done', replacement: replacement.id }) }
    },
  )
}

/** Resolves the open reviews of a refund that came back: no amount is booked on them. */
function withoutReviews({ anomalies, refund, at }: RefundState): Effects {
  const open = anomalies.filter(({ refundId, resolution }) => refundId === refund.id && resolution === null)
  const change = { resolvedAt: at, resolution: 'nothing_moved', booked: null } as const
  return open.length === 0 ? nothing : { changedAnomalies: open.map((before) => ({ before, change })) }
}
