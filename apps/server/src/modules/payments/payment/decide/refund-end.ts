import { add, equals, subtract } from '@muripo/contract/money'
import type { StatusReason } from '@muripo/contract/payments'
import { uuidOf } from '../../../../platform/ids.ts'
import { clearing, type Transfer } from '../../../ledger/index.ts'
import type { PaymentCtx } from '../context.ts'
import { alarm, changedRefund, type Effects, inTurn, type PaymentChange } from '../effects.ts'
import { afterMove } from '../moves.ts'
import { type Payment, paidAmountOf, type Refund } from '../payment.ts'
import { newWatch } from '../schedule.ts'
import type { RefundState, WholeState } from '../state.ts'
import { toPublicRefund } from '../wire.ts'
import type { RefundChange } from '../written-rows.ts'
import { reconsiderReturned } from './booked-charge.ts'

export type Ctx = Pick<PaymentCtx, 'ids' | 'providers'>

/** The change that an outcome makes to a refund. */
export interface RefundDecision {
  /** Null when nothing changes. */
  readonly effects: Effects | null
  /** False while a repeated report about a completed refund waits. */
  readonly isFinal: boolean
  /** The provider has paid the refund just now. */
  readonly isPaid?: boolean
}

/** The change of a refund, its transfer, and the change that the merchant sees: an event reports the payment and the refund after it. */
interface Parts {
  readonly change: RefundChange
  readonly transfer?: Pick<Transfer, 'kind' | 'debit' | 'credit'>
  readonly payment?: PaymentChange
  readonly alarm?: Pick<Effects, 'alarms'>
}

function changed({ refund, payment, at }: RefundState, parts: Parts): Effects {
  const change = { ...(refund.isDeferred && { isDeferred: false }), ...parts.change }
  const { amount, id } = refund
  const type = change.status === 'completed' ? 'payment.refunded' : 'refund.failed'
  const besides = { refund: toPublicRefund(changedRefund(refund, change, at)) }
  return {
    refund: { before: refund, change },
    ...(parts.transfer && {
      transfers: [{ ...parts.transfer, amount, paymentId: payment.id, causeId: uuidOf(id) }],
    }),
    ...(parts.payment && { change: parts.payment, events: [{ type, besides }] }),
    ...parts.alarm,
  }
}

export const stays = (state: RefundState, parts: Parts): RefundDecision => ({
  effects: changed(state, parts),
  isFinal: true,
})

/** The end of a refund: what its provider has returned of the charge is compared again. */
const ends = (ctx: Ctx, state: RefundState, parts: Parts): RefundDecision => ({
  effects: inTurn<WholeState>(
    state,
    () => changed(state, parts),
    (after) => reconsiderReturned(ctx, after, state.charge),
  ),
  isFinal: true,
})

const released = ({ payment, refund }: RefundState): PaymentChange => ({
  refundPending: subtract(payment.refundPending, refund.amount),
})

export function complete(ctx: Ctx, state: RefundState, facts: RefundChange): RefundDecision {
  const { payment, refund, charge } = state
  const debit = refund.unclaimedAt ? 'unclaimed.payable' : 'refunds.payable'
  const parts: Parts = {
    change: { ...facts, ...completed(refund) },
    transfer: { kind: 'refund_paid', debit, credit: clearing(charge.provider) },
    // The amount of a duplicate was never in the merchant's balance.
    ...(refund.origin !== 'duplicate' && {
      payment: { ...refundedBy(payment, refund), ...released(state) },
    }),
  }
  return { ...ends(ctx, state, parts), isPaid: true }
}

/** The refund had failed, and its reserve had been released. */
export function completeLate(ctx: Ctx, state: RefundState, facts: RefundChange): RefundDecision {
  const { payment, refund, charge } = state
  const parts: Parts = {
    change: { ...facts, ...completed(refund) },
    transfer: { kind: 'refund_paid', debit: 'merchant.payable', credit: clearing(charge.provider) },
    payment: refundedBy(payment, refund),
    alarm: lateAlarm(refund, true),
  }
  return { ...ends(ctx, state, parts), isPaid: true }
}

/** The provider paid a failed refund whose amount is no longer in the merchant's balance: an operator decides. */
export function payLate(ctx: Ctx, state: RefundState, facts: RefundChange): RefundDecision {
  const { refund, at } = state
  return ends(ctx, state, {
    change: { ...facts, paidLateAt: refund.paidLateAt ?? at, nextWatchAt: null },
    alarm: lateAlarm(refund, false),
  })
}

const lateAlarm = ({ id, paymentId }: Refund, booked: boolean): Pick<Effects, 'alarms'> =>
  alarm({ refundId: id, paymentId, booked }, 'a provider paid a refund that it had refused')

/** A failed refund that is paid after all is neither watched nor listed as paid late any more. */
const completed = ({ status }: Refund): RefundChange => ({
  status: 'completed',
  nextCheckAt: null,
  ...(status === 'failed' && { failureReason: null, nextWatchAt: null, paidLateAt: null, settledAt: null }),
})

const refundedBy = (payment: Payment, refund: Refund): PaymentChange => {
  const refunded = add(payment.refunded, refund.amount)
  return {
    refunded,
    ...(equals(refunded, paidAmountOf(payment)) && { status: afterMove(payment.status, 'refund') }),
  }
}

/** The provider refunded another amount than requested: an operator decides. */
export function differ(state: RefundState, facts: RefundChange): RefundDecision {
  const { id, paymentId } = state.refund
  return stays(state, {
    change: { ...facts, status: 'unknown', nextCheckAt: null },
    alarm: alarm(
      { refundId: id, paymentId },
      'the provider refunded another amount than requested; an operator has to decide',
    ),
  })
}

/** The payer of a duplicate charge cannot be reached: the amount waits for the payer on an account of its own. */
export function unclaimed(ctx: Ctx, state: RefundState, providerStatus: string): RefundDecision {
  const { refund, at } = state
  return stays(state, {
    change: {
      providerStatus,
      status: 'failed',
      failureReason: 'declined',
      unclaimedAt: at,
      nextCheckAt: null,
      ...watchAfter(ctx, state, refund.status !== 'awaiting_operator'),
    },
    transfer: { kind: 'unclaimed', debit: 'refunds.payable', credit: 'unclaimed.payable' },
  })
}

/**
 * The provider does not pay the refund. The amount of a duplicate charge stays owed to the payer, and an operator sends it. The provider has no
 * record of a refund that was never sent, or that an operator was to send.
 */
export function fail(
  ctx: Ctx,
  state: RefundState,
  reason: StatusReason,
  facts: RefundChange,
  neverSent = false,
): RefundDecision {
  const { origin, status, id, paymentId } = state.refund
  if (origin === 'duplicate')
    return stays(state, {
      change: { ...facts, status: 'awaiting_operator', failureReason: reason, nextCheckAt: null },
      alarm: alarm(
        { refundId: id, paymentId, reason },
        'the provider did not refund a duplicate charge; an operator has to send the refund',
      ),
    })
  const wasSent = !neverSent && status !== 'awaiting_operator'
  const failed = { status: 'failed', failureReason: reason, nextCheckAt: null } as const
  return ends(ctx, state, {
    change: { ...facts, ...failed, ...watchAfter(ctx, state, wasSent) },
    transfer: { kind: 'refund_released', debit: 'refunds.payable', credit: 'merchant.payable' },
    payment: released(state),
  })
}

/** The provider may pay a failed refund that it has received. */
const watchAfter = (ctx: Ctx, { charge, at }: RefundState, wasSent: boolean): RefundChange =>
  wasSent && ctx.providers.canLookUpRefund(charge.provider) ? newWatch(at, ctx.ids) : {}
