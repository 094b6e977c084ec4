import type { AccountId, AttemptId, PaymentId } from '@muripo/contract/ids'
import { type Currency, money, toDecimal } from '@muripo/contract/money'
import type { PaymentStatus } from '@muripo/contract/payments'
import type { Actor } from '../../../platform/audit/actor.ts'
import type { AuditEntry } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { invariant } from '../../../platform/errors.ts'
import type { PaymentsCtx } from '../context.ts'
import { bookDifference, type Moved } from '../payment/decide/booked.ts'
import { type Effects, nothing } from '../payment/effects.ts'
import type { AttemptStatus } from '../payment/moves.ts'
import { type Attempt, paidAmountOf } from '../payment/payment.ts'
import { attemptIn, type WholeState } from '../payment/state.ts'
import { findOpenAnomalies, findReversedCharges } from '../payment/store-anomalies.ts'
import { findPayment } from '../payment/store-payment.ts'
import { type AttemptInReview, findInReview } from '../review/store-in-review.ts'
import { applyOutcome } from './apply-outcome.ts'
import { proveByReference } from './prove-by-reference.ts'

/** Attempts that only an operator can resolve, the oldest first. */
export const attemptsInReview = (ctx: Pick<Ctx, 'db'>, limit: number): Promise<AttemptInReview[]> =>
  findInReview(ctx.db.kysely, { limit })

/** The attempts of a payment that only an operator can resolve. */
export const reviewedAttempts = (ctx: Pick<Ctx, 'db'>, paymentId: PaymentId): Promise<AttemptInReview[]> =>
  findInReview(ctx.db.kysely, { paymentId, limit: 100 })

/** The account and the currency of a payment that waits for an operator, or of which a reversal is booked; null for any other. */
export async function reviewedPayment(
  ctx: Pick<Ctx, 'db'>,
  paymentId: PaymentId,
): Promise<{ readonly accountId: AccountId; readonly currency: Currency } | null> {
  const [attempt] = await findInReview(ctx.db.kysely, { paymentId, limit: 1 })
  if (attempt) return { accountId: attempt.accountId, currency: attempt.amount.currency }
  const [anomaly] = await findOpenAnomalies(ctx.db.kysely, { paymentId, limit: 1 })
  return anomaly ?? (await findReversedCharges(ctx.db.kysely, paymentId))[0] ?? null
}

/** An operator's verdict. moved: the amount that the provider took, when it differs from the requested one. */
export type Verdict = (
  | { readonly outcome: 'completed'; readonly reference: string }
  | { readonly outcome: 'failed' }
) & { readonly moved?: Moved }

/** A completed payment cannot be completed again with another amount. */
class PaidAlready extends Error {}

/**
 * paid_already: nothing has changed. several: the operator must name the attempt. none: no attempt of such a payment waits for a decision.
 */
export type Resolved =
  | { readonly kind: 'done'; readonly status: PaymentStatus; readonly isDuplicate: boolean }
  | { readonly kind: 'several'; readonly attempts: readonly AttemptId[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'paid_already' }

/** Resolves an attempt under review, through applyOutcome like a provider's reply. */
export async function resolveAttempt(
  ctx: PaymentsCtx,
  operator: Actor,
  paymentId: PaymentId,
  attemptId: AttemptId | null,
  verdict: Verdict,
): Promise<Resolved> {
  const found = await findInReview(ctx.db.kysely, { paymentId, limit: 100 })
  const meant = attemptId === null ? found : found.filter(({ id }) => id === attemptId)
  if (meant.length > 1) return { kind: 'several', attempts: meant.map(({ id }) => id) }
  const [attempt] = meant
  if (!attempt) return { kind: 'none' }
  const { accountId, id } = attempt
  const { moved, ...decided } = verdict
  const entry: AuditEntry = {
    action: 'payment.attempt_resolved',
    subject: paymentId,
    accountId,
    details: {
      attemptId: id,
      ...decided,
      ...(moved && { amount: toDecimal(moved.amount), reason: moved.reason }),
    },
  }
  const besides = (after: WholeState, status: AttemptStatus): Effects => ({
    ...(moved && bookMoved(ctx, after, attemptIn(after, id), status, { ...moved, operator })),
    audited: [{ actor: operator, entry }],
  })
  const first = async (tx: Tx): Promise<void> => {
    if (decided.outcome === 'completed') await proveByReference(ctx, tx, attempt, decided.reference)
  }
  const decide = () =>
    applyOutcome(ctx, attempt, { kind: 'decided', verdict: decided }, { besides, alongside: { first } })
  const applied = await decide().catch((error: unknown) => {
    if (error instanceof PaidAlready) return 'paid already' as const
    throw error
  })
  if (applied === 'paid already') return { kind: 'paid_already' }
  // Another operator, or the provider, resolved the attempt first. A capture beside another success is still held.
  if (!applied.isNew) return { kind: applied.status === 'held' ? 'paid_already' : 'none' }
  const payment = await findPayment(ctx.db.kysely, accountId, paymentId)
  invariant(payment, 'a payment is never deleted')
  return { kind: 'done', status: payment.status, isDuplicate: applied.status === 'duplicate' }
}

/**
 * Books the difference between the moved and the booked amount on suspense, so that clearing equals the provider's balance. The attempt
 * books the requested amount, the amount of a capture, or nothing.
 */
function bookMoved(
  ctx: PaymentsCtx,
  after: WholeState,
  attempt: Attempt,
  status: AttemptStatus,
  { amount, reason, operator }: Moved & { readonly operator: Actor },
): Effects {
  const booked = bookedBy(after, attempt, status)
  if (amount.minor === booked) return nothing
  if (status === 'duplicate') throw new PaidAlready('a second payment is refunded with its requested amount')
  const change = { moved: amount, nextWatchAt: null }
  return {
    ...(status === 'failed' && { attempt: { before: attempt, change } }),
    ...bookDifference(ctx, after, {
      call: attempt,
      provider: attempt.provider,
      difference: money(amount.minor - booked, amount.currency),
      actor: operator,
      reason,
    }),
  }
}

/** The amount that the outcome books: a payment may be captured in part. */
function bookedBy({ payment }: WholeState, { amount }: Attempt, status: AttemptStatus): bigint {
  if (status === 'failed') return 0n
  return (status === 'completed' ? paidAmountOf(payment) : amount).minor
}
