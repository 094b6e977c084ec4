import { createHash } from 'node:crypto'
import { type AccountId, type PaymentId, RefundId } from '@muripo/contract/ids'
import { equals, type Money, toMajor } from '@muripo/contract/money'
import type { CreateRefund } from '@muripo/contract/refunds'
import type { Actor } from '../../../platform/audit/actor.ts'
import { plusMs } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { violatedConstraint } from '../../../platform/db/failures.ts'
import { AppError, invariant } from '../../../platform/errors.ts'
import type { KeyOwner } from '../../applications/index.ts'
import type { PaymentsCtx } from '../context.ts'
import {
  executeIdempotent,
  type IdempotentResponse,
  keyedRequest,
  type WriteRequest,
} from '../idempotency.ts'
import type { Decided } from '../payment/commit.ts'
import { openRefund, type RequestedRefund } from '../payment/decide/open-refund.ts'
import { type Effects, stateAfter } from '../payment/effects.ts'
import { isOpenRefund } from '../payment/moves.ts'
import { type Payment, paidAmountOf, type Refund, remainingOf, requestedAmount } from '../payment/payment.ts'
import { readWhole, refundIn, type WholeState } from '../payment/state.ts'
import { findPayment } from '../payment/store-payment.ts'
import { findRefund } from '../payment/store-refunds.ts'
import { toPublicRefund } from '../payment/wire.ts'
import { resolvingCommit, type SendingStart, startSending } from '../provider-calls/call-provider.ts'
import { type Confirmation, changeForCaller } from './change-for-caller.ts'
import { type OpenedRefund, sendRefund } from './send-refund.ts'

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
  { idempotencyKey, sent = input, actor }: WriteRequest = {},
): Promise<IdempotentResponse> {
  const { accountId } = caller
  const keyed = keyedRequest(caller, idempotencyKey, sent)
  return executeIdempotent(ctx, caller, keyed, {
    table: 'refunds',
    kind: RefundId,
    execute: () =>
      requestRefund(ctx, {
        accountId,
        paymentId: input.payment,
        actor,
        caller,
        choose(state) {
          if (state.payment.applicationId !== caller.applicationId) throw new AppError('not_found')
          if (keyed) return { ...repeatedOrNew({ ...state, refunds: [] }, input), keyed }
          return repeatedOrNew(state, input, caller.keyId)
        },
      }),
    respond: async (id) => {
      await ctx.refundSingleflight.join(id)
      const refund = await findRefund(ctx.db.kysely, accountId, id)
      invariant(refund, 'a refund is never deleted')
      return JSON.stringify(toPublicRefund(refund))
    },
  })
}

/**
 * A request for the remaining amount is repeated when nothing remains.
 * @throws AppError refund_mismatch
 */
function repeatedOrNew(
  state: WholeState,
  { amount: major, reason: given }: CreateRefund,
  requestedBy?: string,
): Choice {
  const { payment } = state
  const reason = given ?? null
  if (major === undefined) {
    const amount = remainingOf(payment)
    const latest =
      amount.minor === 0n && requestedOf(state).find((refund) => isRecent(refund, requestedBy, state.at))
    if (latest) return { repeated: latest.id }
    return { amount, reason, requestedBy: requestedBy && requesterOfRemaining(requestedBy) }
  }
  const amount = refundAmount(payment, major)
  const same = repetitionOf(state, amount, requestedBy)
  return same ? { repeated: same.id } : { amount, reason, requestedBy }
}

interface RefundInput {
  readonly amount: number
  readonly currency: Money['currency']
  /** In major units. */
  readonly amountRefunded?: number | undefined
  /** The session: a request that it repeats within ten minutes, and that does not state amountRefunded, joins the first. */
  readonly requestedBy?: string
  /** The reason, when the requester gives one. */
  readonly reason?: string
  /** An operator sends the refund, also when its provider has a refund call. */
  readonly isByHand?: boolean
  /** Confirms the caller in the transaction that writes. */
  readonly confirm?: (tx: Tx) => Promise<void>
}

/** The payment as it stands, the refund, whether it is done or still open, and whether it is an earlier one. */
export interface RequestedOfPayment {
  readonly payment: Payment
  readonly refund: Refund
  readonly isDone: boolean
  readonly isRepetition: boolean
}

/**
 * Refunds a completed payment, all of it or a part, for a user of the dashboard or an operator. A request joins an earlier refund instead
 * of opening another when that one is of the same amount and not finished, when the same session requested the same amount within ten
 * minutes, and when it returned the whole payment. A request that states amountRefunded joins no finished part: it is refused when that
 * amount is no longer right.
 * @throws AppError not_found, payment_not_refundable, refund_mismatch, refund_exceeds_remaining, refund_conflict, refund_declined
 */
export async function refundPayment(
  ctx: PaymentsCtx,
  actor: Actor,
  accountId: AccountId,
  paymentId: PaymentId,
  { confirm, ...input }: RefundInput,
): Promise<RequestedOfPayment> {
  const { reason } = input
  const { id, isRepetition } = await requestRefund(ctx, {
    accountId,
    paymentId,
    actor,
    ...(reason !== undefined && { auditedReason: reason }),
    ...(confirm && { confirm }),
    choose(state) {
      if (state.payment.completedAt === null) throw new AppError('payment_not_refundable')
      const amount = refundAmount(state.payment, input.amount, input.currency)
      return joinedOrNew(state, amount, input)
    },
  })
  if (isRepetition) await ctx.refundSingleflight.join(id)
  const refund = await findRefund(ctx.db.kysely, accountId, id)
  const payment = await findPayment(ctx.db.kysely, accountId, paymentId)
  invariant(refund && payment, 'payments and refunds are never deleted')
  if (refund.status === 'failed') throw new AppError('refund_declined')
  return { payment, refund, isDone: refund.status === 'completed', isRepetition }
}

/** @throws AppError payment_not_refundable, refund_conflict */
function joinedOrNew(
  state: WholeState,
  amount: Money,
  { amountRefunded, requestedBy: session, reason, isByHand = false }: RefundInput,
): Choice {
  const { payment } = state
  // amountRefunded already protects the request against repetition.
  const requestedBy = amountRefunded === undefined ? session : undefined
  const ofSameAmount = requestedOf(state).filter((refund) => equals(refund.amount, amount))
  const isWhole = equals(amount, paidAmountOf(payment))
  const joined =
    ofSameAmount.find(({ status }) => isOpenRefund(status)) ??
    repetitionOf(state, amount, requestedBy) ??
    ofSameAmount.find(({ status }) => isWhole && status === 'completed')
  if (joined) return { repeated: joined.id }
  if (payment.status !== 'completed') throw new AppError('payment_not_refundable')
  if (amountRefunded !== undefined && amountRefunded !== toMajor(payment.refunded))
    throw new AppError('refund_conflict')
  return { amount, reason: reason ?? null, requestedBy, isByHand }
}

/** The refund to open, or the earlier refund that the request repeats. */
type Choice = Omit<RequestedRefund, 'id'> | Repetition

interface Repetition {
  readonly repeated: RefundId
}

interface Request extends Confirmation {
  readonly accountId: AccountId
  readonly paymentId: PaymentId
  readonly actor: Actor | undefined
  readonly auditedReason?: string
  /** Runs again when the payment has changed. */
  readonly choose: (state: WholeState) => Choice
}

/** Opens a refund in a commit of its own and sends it, or finds the earlier refund that the request repeats. */
function requestRefund(
  ctx: PaymentsCtx,
  request: Request,
): Promise<{ readonly id: RefundId; readonly isRepetition: boolean }> {
  const id = ctx.ids.next(RefundId)
  // The refund is announced before the commit makes it visible: a concurrent request that finds it can wait for it.
  return ctx.refundSingleflight.run(id, async () => {
    const sendingStart = startSending(ctx)
    const opened = await resolvingCommit<OpenedRefund | Repetition>(
      ctx,
      request,
      () => openOrRepeat(ctx, id, request, sendingStart),
      () => findOpened(ctx, id, request, sendingStart),
    )
    if ('repeated' in opened) return { id: opened.repeated, isRepetition: true }
    await sendRefund(ctx, opened)
    return { id, isRepetition: false }
  })
}

async function openOrRepeat(
  ctx: PaymentsCtx,
  id: RefundId,
  request: Request,
  sendingStart: SendingStart,
): Promise<OpenedRefund | Repetition> {
  const { actor, auditedReason, choose } = request
  const decide = (state: WholeState): Decided<OpenedRefund | Repetition> => {
    const choice = choose(state)
    if ('repeated' in choice) return { effects: null, result: () => choice }
    const opening = openRefund(ctx, state, { id, ...choice })
    const { refund, charge } = opening
    const audited = actor && auditOf(actor, state.payment, refund, auditedReason)
    const effects = { ...opening.effects, ...(audited && { audited }) }
    return {
      effects,
      result: () => ({ refund, charge, sendingStart, state: stateAfter(state, effects) }),
    }
  }
  return changeForCaller(ctx, request, request, decide).catch((error: unknown) => {
    if (violatedConstraint(error) === 'refunds_no_repetition') throw new AppError('refund_conflict')
    throw error
  })
}

/** The refund that an unconfirmed commit has written; null when it has written nothing. */
async function findOpened(
  ctx: PaymentsCtx,
  id: RefundId,
  { accountId, paymentId }: Request,
  sendingStart: SendingStart,
): Promise<OpenedRefund | null> {
  const state = await readWhole(ctx.db.kysely, accountId, paymentId)
  if (!state?.refunds.some((refund) => refund.id === id)) return null
  const { refund, charge } = refundIn(state, id)
  return { refund, charge, sendingStart }
}

const auditOf = (
  actor: Actor,
  payment: Payment,
  { id, amount }: Refund,
  reason?: string,
): Effects['audited'] => [
  {
    actor,
    entry: {
      action: 'payment.refund_opened',
      subject: payment.id,
      accountId: payment.accountId,
      details: {
        refundId: id,
        amount: toMajor(amount),
        currency: amount.currency,
        ...(reason !== undefined && { reason }),
      },
    },
  },
]

/** The refunds that the merchant has requested. */
const requestedOf = ({ refunds }: WholeState): readonly Refund[] =>
  refunds.filter(({ origin }) => origin === 'merchant')

/**
 * @param major as a client sent it
 * @throws AppError refund_mismatch
 */
function refundAmount(payment: Payment, major: number, currency?: Money['currency']): Money {
  const amount = requestedAmount(paidAmountOf(payment), major, currency)
  if (amount === null) throw new AppError('refund_mismatch')
  return amount
}

/** The time for which an identical request without an idempotency key joins the refund of the first one. The trigger refunds_no_repetition has the same. */
const REPETITION_MS = 10 * 60_000

/**
 * The requester of a request for the remaining amount. Such a request repeats no earlier request for a part, even when the remaining amount
 * equals that part.
 */
const requesterOfRemaining = (requester: string): string => {
  const hex = createHash('sha256').update(`${requester} rest`).digest('hex')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
}

/** Whether a refund belongs to the same request: it was not refused, and the same requester requested it less than ten minutes ago. */
const isRecent = (refund: Refund, requestedBy: string | undefined, now: Date): boolean =>
  requestedBy !== undefined &&
  (refund.requestedBy === requestedBy || refund.requestedBy === requesterOfRemaining(requestedBy)) &&
  refund.status !== 'failed' &&
  refund.createdAt > plusMs(now, -REPETITION_MS)

/** The refund of the same amount that the same requester requested less than ten minutes ago, if there is one. */
const repetitionOf = (
  state: WholeState,
  amount: Money,
  requestedBy: string | undefined,
): Refund | undefined =>
  requestedOf(state).find(
    (refund) => equals(refund.amount, amount) && isRecent(refund, requestedBy, state.at),
  )
