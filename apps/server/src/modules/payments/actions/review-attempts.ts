import type { AttemptId, PaymentId } from '@muripo/contract/ids'
import type { PaymentStatus } from '@muripo/contract/payments'
import type { Actor } from '../../../platform/audit/actor.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Ctx } from '../../../platform/ctx.ts'
import { invariant } from '../../../platform/errors.ts'
import type { PaymentsCtx } from '../context.ts'
import { findPayment } from '../store.ts'
import { type AttemptInReview, findInReview } from '../store-review.ts'
import { applyOutcome } from './apply-outcome.ts'

/** Attempts that only a person can decide, the oldest first. */
export const attemptsInReview = (ctx: Pick<Ctx, 'db'>, limit: number): Promise<AttemptInReview[]> =>
  findInReview(ctx.db.kysely, { limit })

/** What an operator has learnt from the provider. */
export type Verdict =
  | { readonly outcome: 'completed'; readonly reference: string }
  | { readonly outcome: 'failed' }

/** several: which of the payment's attempts is meant has to be said. none: no attempt of such a payment waits for a decision. */
export type Resolved =
  | { readonly kind: 'done'; readonly status: PaymentStatus; readonly isDuplicate: boolean }
  | { readonly kind: 'several'; readonly attempts: readonly AttemptId[] }
  | { readonly kind: 'none' }

/** Decides an attempt that is under review, by the same door as a provider's own word. */
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
  const { merchantId, id } = attempt
  const status = await applyOutcome(ctx, attempt, { kind: 'decided', verdict }, (tx) =>
    audit(ctx, tx, operator, {
      action: 'payment.attempt_resolved',
      subject: paymentId,
      merchantId,
      details: { attemptId: id, ...verdict },
    }),
  )
  // Somebody else, or the provider after all, was faster.
  if (status === null) return { kind: 'none' }
  const payment = await findPayment(ctx.db.kysely, merchantId, paymentId)
  invariant(payment, 'a payment is never deleted')
  return { kind: 'done', status: payment.status, isDuplicate: status === 'duplicate' }
}
