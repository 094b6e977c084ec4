import { PaymentId } from '@muripo/contract/ids'
import { fromMajor, type Money, MoneyError } from '@muripo/contract/money'
import type { CapturePayment } from '@muripo/contract/payments'
import type { Actor } from '../../../../platform/audit/actor.ts'
import { isLockTaken, type Queryable, type Tx, violatedConstraint } from '../../../../platform/db/database.ts'
import { AppError, invariant } from '../../../../platform/errors.ts'
import { idFrom } from '../../../../platform/ids.ts'
import { confirmKey, type KeyOwner } from '../../../applications/index.ts'
import { CALL_LEASE_MS } from '../../../providers/index.ts'
import { checkAttempt } from '../../attempts/actions/check-attempt.ts'
import type { PaymentsCtx } from '../../context.ts'
import {
  type IdempotentResponse,
  type KeyedRequest,
  keyedRequest,
  requestInFlight,
} from '../../idempotency.ts'
import type { Attempt, Payment } from '../../payment.ts'
import { lockState } from '../../payment-state.ts'
import { findPayment } from '../../store.ts'
import { findByKey } from '../../store-idempotency.ts'
import { toPublic } from '../../wire.ts'
import { findCaptureResponse, saveCaptureResponse } from '../store-instructions.ts'
import { auditInstruction, instruct } from './instruct.ts'

/**
 * Captures an authorised payment, in full or in part, for a merchant's server. The response has the provider's first reply: a capture whose
 * outcome is not known leaves the payment authorised, and is looked up. Under an Idempotency-Key the same request has the same response.
 * @throws AppError not_found, payment_not_capturable, capture_mismatch, idempotency_mismatch, idempotency_in_flight, and the refusals of a
 * key that may not write
 */
export async function capturePayment(
  ctx: PaymentsCtx,
  caller: KeyOwner,
  paymentId: PaymentId,
  input: CapturePayment,
  idempotencyKey: string | undefined,
  sent: unknown = input,
  actor: Actor | null = null,
): Promise<Omit<IdempotentResponse, 'status'>> {
  const keyed = keyedRequest(caller, idempotencyKey, { payment: paymentId, sent })
  const known = keyed && (await findKnown(ctx.db.kysely, caller, keyed))
  if (known) return replay(ctx, caller, known)

  const open = async (tx: Tx): Promise<Attempt | null> => {
    const state = await lockState(tx, caller.accountId, paymentId)
    // The key may have been replaced while this transaction waited for the lock of the payment.
    await confirmKey(tx, caller)
    if (state?.payment.applicationId !== caller.applicationId) throw new AppError('not_found')
    // So may the first request under its Idempotency-Key have captured the payment.
    if (keyed && (await findKnown(tx, caller, keyed))) return null
    const amount = captureAmount(state.payment, input.amount)
    const attempt = await instruct(ctx, tx, state, { kind: 'capture', amount, keyed })
    if (actor) await auditInstruction(ctx, tx, actor, state.payment, amount)
    return attempt
  }
  const attempt = await ctx.db.tx(open).catch((error: unknown) => {
    // Another request with this key, or for this payment, has held its lock for longer than a session waits.
    if (keyed && isLockTaken(error)) throw requestInFlight()
    if (violatedConstraint(error) === 'capture_instructions_by_key') return null
    throw error
  })
  if (attempt === null) return capturePayment(ctx, caller, paymentId, input, idempotencyKey, sent, actor)
  await checkAttempt(ctx, caller.accountId, attempt.id, { cause: 'callback' })
  const json = await responseOf(ctx, caller, paymentId)
  return keyed ? recordResponse(ctx, caller, paymentId, json) : { json, replayed: false }
}

/** @throws AppError capture_mismatch */
export function captureAmount({ amount }: Payment, major?: number, currency = amount.currency): Money {
  if (major === undefined) return amount
  try {
    const captured = fromMajor(major, currency)
    if (currency === amount.currency && captured.minor > 0n && captured.minor <= amount.minor) return captured
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error
  }
  throw new AppError('capture_mismatch')
}

/** @throws AppError idempotency_mismatch */
async function findKnown(db: Queryable, caller: KeyOwner, keyed: KeyedRequest): Promise<PaymentId | null> {
  const known = await findByKey(db, 'capture_instructions', caller, keyed)
  if (known?.matches === false) throw new AppError('idempotency_mismatch')
  return known && idFrom(PaymentId, known.id)
}

/** @throws AppError idempotency_in_flight while the process that has captured the payment may still respond */
async function replay(
  ctx: PaymentsCtx,
  caller: KeyOwner,
  id: PaymentId,
): Promise<Omit<IdempotentResponse, 'status'>> {
  const first = await findCaptureResponse(ctx.db.kysely, caller.accountId, id)
  invariant(first, 'an instruction is never deleted')
  if (first.response !== null) return { json: first.response, replayed: true }
  if (first.ageMs < CALL_LEASE_MS) throw requestInFlight()
  const recorded = await recordResponse(ctx, caller, id, await responseOf(ctx, caller, id))
  return { ...recorded, replayed: true }
}

async function responseOf(ctx: PaymentsCtx, { accountId }: KeyOwner, id: PaymentId): Promise<string> {
  const payment = await findPayment(ctx.db.kysely, accountId, id)
  invariant(payment, 'a payment is never deleted')
  return JSON.stringify(toPublic(ctx, payment))
}

/** Two processes that respond to one request both return the response that was recorded first. */
async function recordResponse(
  ctx: PaymentsCtx,
  { accountId }: KeyOwner,
  id: PaymentId,
  json: string,
): Promise<Omit<IdempotentResponse, 'status'>> {
  if (await saveCaptureResponse(ctx.db.kysely, accountId, id, json)) return { json, replayed: false }
  const first = await findCaptureResponse(ctx.db.kysely, accountId, id)
  return { json: first?.response ?? json, replayed: true }
}
