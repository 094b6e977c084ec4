import { RefundId } from '@muripo/contract/ids'
import { toMajor } from '@muripo/contract/money'
import type { CreateRefund } from '@muripo/contract/refunds'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import { isLockTaken, type Queryable, type Tx, violatedConstraint } from '../../../../platform/db/database.ts'
import { AppError, invariant } from '../../../../platform/errors.ts'
import { idFrom } from '../../../../platform/ids.ts'
import { confirmKey, type KeyOwner } from '../../../applications/index.ts'
import { CALL_LEASE_MS } from '../../../providers/index.ts'
import type { PaymentsCtx } from '../../context.ts'
import {
  type IdempotentResponse,
  type KeyedRequest,
  keyedRequest,
  requestInFlight,
} from '../../idempotency.ts'
import type { LockedPayment, Refund } from '../../payment.ts'
import { resolvingCommit } from '../../provider-calls/unknown-commit.ts'
import { lockPayment } from '../../store.ts'
import { findByKey } from '../../store-idempotency.ts'
import { toPublicRefund } from '../../wire.ts'
import { remainingOf } from '../decide-refund.ts'
import { latestOf, repetitionOf, requesterOfRemaining } from '../repeated-refund.ts'
import { findRefund, findResponse, refundsOf, saveResponse } from '../store-refunds.ts'
import { type OpenedRefund, openRefund, refundAmount } from './open-refund.ts'
import { sendRefund } from './send-refund.ts'

/**
 * Refunds a payment, its remaining amount or a part, for a merchant's server. The response contains the provider's first reply. Under an
 * Idempotency-Key the same request is one refund, and a request that opens no refund leaves the key free; without a key, the same request of
 * the same application key within ten minutes is one refund.
 * @throws AppError not_found, payment_not_refundable, refund_mismatch, refund_exceeds_remaining, refund_conflict, idempotency_mismatch,
 * idempotency_in_flight, and the refusals of a key that may not write
 */
export async function createRefund(
  ctx: PaymentsCtx,
  caller: KeyOwner,
  input: CreateRefund,
  idempotencyKey: string | undefined,
  sent: unknown = input,
  actor: Actor | null = null,
): Promise<IdempotentResponse> {
  const keyed = keyedRequest(caller, idempotencyKey, sent)
  const known = keyed && (await findKnown(ctx.db.kysely, caller, keyed))
  if (known) return replay(ctx, caller, known)

  const id = ctx.ids.next(RefundId)
  let opened: OpenedRefund | null = null
  let repeated: RefundId | undefined
  const requestedBy = keyed ? undefined : caller.keyId
  let endSending = () => {}
  const open = async (tx: Tx) => {
    // A retried transaction starts here again, after the database rolled the earlier run back.
    opened = null
    endSending()
    const payment = await lockPayment(tx, caller.accountId, input.payment)
    // The key may have been replaced while this transaction waited for the lock of the payment.
    await confirmKey(tx, caller)
    if (payment?.applicationId !== caller.applicationId) throw new AppError('not_found')
    // So may the first request under its Idempotency-Key have opened the refund.
    if (keyed && (await findKnown(tx, caller, keyed))) throw new KeyKnown()
    const refunds = requestedBy === undefined ? [] : await refundsOf(tx, caller.accountId, payment.id)
    repeated = repetition(payment, refunds, input, requestedBy)?.id
    if (repeated) return
    const amount = input.amount === undefined ? remainingOf(payment) : refundAmount(payment, input.amount)
    const reason = input.reason ?? null
    const requester =
      requestedBy !== undefined && input.amount === undefined
        ? requesterOfRemaining(requestedBy)
        : requestedBy
    opened = await openRefund(ctx, tx, payment, { id, amount, reason, requestedBy: requester, keyed })
    if (actor) {
      await audit(ctx, tx, actor, {
        action: 'payment.refund_opened',
        subject: payment.id,
        accountId: caller.accountId,
        details: { refundId: id, amount: toMajor(amount), currency: amount.currency },
      })
    }
    endSending = ctx.refundSingleflight.begin(id)
  }
  try {
    await resolvingCommit(
      ctx,
      { accountId: caller.accountId, paymentId: input.payment },
      () => ctx.db.tx(open),
      async (tx) => ((await findRefund(tx, caller.accountId, id)) ? undefined : null),
    )
    const requested = repeated ?? id
    await (opened ? sendRefund(ctx, opened) : ctx.refundSingleflight.join(requested))
    const json = await responseOf(ctx, caller, requested)
    return keyed
      ? await recordResponse(ctx, caller, id, json)
      : { status: 201, json, replayed: repeated !== undefined }
  } catch (error) {
    // Another request with this key, or for this payment, has held its lock for longer than a session waits.
    if (keyed && isLockTaken(error)) throw requestInFlight()
    const isKnown = error instanceof KeyKnown || violatedConstraint(error) === 'refunds_by_key'
    if (!isKnown) throw error
    return createRefund(ctx, caller, input, idempotencyKey, sent, actor)
  } finally {
    endSending()
  }
}

class KeyKnown extends Error {}

/** @throws AppError idempotency_mismatch */
async function findKnown(db: Queryable, caller: KeyOwner, keyed: KeyedRequest): Promise<RefundId | null> {
  const known = await findByKey(db, 'refunds', caller, keyed)
  if (known?.matches === false) throw new AppError('idempotency_mismatch')
  return known && idFrom(RefundId, known.id)
}

/** @throws AppError idempotency_in_flight while the process that has opened the refund may still respond */
async function replay(ctx: PaymentsCtx, caller: KeyOwner, id: RefundId): Promise<IdempotentResponse> {
  const first = await findResponse(ctx.db.kysely, caller.accountId, id)
  invariant(first, 'a refund is never deleted')
  if (first.response !== null) return { status: 201, json: first.response, replayed: true }
  if (first.ageMs < CALL_LEASE_MS) throw requestInFlight()
  await ctx.refundSingleflight.join(id)
  const recorded = await recordResponse(ctx, caller, id, await responseOf(ctx, caller, id))
  return { ...recorded, replayed: true }
}

async function responseOf(ctx: PaymentsCtx, { accountId }: KeyOwner, id: RefundId): Promise<string> {
  const refund = await findRefund(ctx.db.kysely, accountId, id)
  invariant(refund, 'a refund is never deleted')
  return JSON.stringify(toPublicRefund(refund))
}

/** Two processes that respond to one request both return the response that was recorded first. */
async function recordResponse(
  ctx: PaymentsCtx,
  { accountId }: KeyOwner,
  id: RefundId,
  json: string,
): Promise<IdempotentResponse> {
  if (await saveResponse(ctx.db.kysely, accountId, id, json)) return { status: 201, json, replayed: false }
  const first = await findResponse(ctx.db.kysely, accountId, id)
  return { status: 201, json: first?.response ?? json, replayed: true }
}

/** A request for the remaining amount is repeated when nothing remains. */
function repetition(
  payment: LockedPayment,
  refunds: readonly Refund[],
  { amount }: CreateRefund,
  requestedBy: string | undefined,
): Refund | undefined {
  if (amount !== undefined && payment.completedAt !== null)
    return repetitionOf(refunds, refundAmount(payment, amount), requestedBy, payment.lockedAt)
  return remainingOf(payment).minor === 0n ? latestOf(refunds, requestedBy, payment.lockedAt) : undefined
}
