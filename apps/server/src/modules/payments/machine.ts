import type { PaymentStatus } from '@muripo/contract/payments'

/**
 * The life of a payment, as moves named by their cause. A refused attempt moves nothing: the payer may try again. A payment fails only
 * when it was cancelled or has expired and no attempt is open. failed → completed is the late success: a provider may confirm what it
 * had first refused. The database holds the same table and refuses everything else.
 */
export const paymentMoves = {
  complete: { from: ['pending', 'failed'], to: 'completed' },
  fail: { from: ['pending'], to: 'failed' },
  refund: { from: ['completed'], to: 'refunded' },
} as const satisfies Record<string, { from: readonly PaymentStatus[]; to: PaymentStatus }>

export type PaymentMove = keyof typeof paymentMoves

export const canMove = (status: PaymentStatus, move: PaymentMove): boolean =>
  (paymentMoves[move].from as readonly PaymentStatus[]).includes(status)

/** @throws when the machine does not know the move: nothing may pass over it in silence. */
export function afterMove(status: PaymentStatus, move: PaymentMove): PaymentStatus {
  if (!canMove(status, move)) throw new Error(`A ${status} payment cannot ${move}`)
  return paymentMoves[move].to
}

/**
 * sending: written down, the provider's answer is not in yet. pending: the provider has it. unknown: no trustworthy answer came, it
 * is being looked up. held: a person has to look, money may have moved that does not fit. The first three may still succeed.
 * duplicate: it was paid although its payment was, and the money goes back to the payer.
 */
export const attemptStatuses = [
  'sending',
  'pending',
  'unknown',
  'held',
  'completed',
  'failed',
  'duplicate',
] as const
export type AttemptStatus = (typeof attemptStatuses)[number]

/** awaiting_operator: nobody can ask the provider for it; a person sends it. The others are an attempt's. */
export const refundStatuses = [
  'sending',
  'pending',
  'unknown',
  'awaiting_operator',
  'completed',
  'failed',
] as const
export type RefundStatus = (typeof refundStatuses)[number]

/** What an attempt may become. A failed one may still be paid late; one whose money is booked stays so. The database holds the same table. */
export const attemptMoves: Readonly<Record<AttemptStatus, readonly AttemptStatus[]>> = {
  sending: ['pending', 'unknown', 'held', 'completed', 'failed', 'duplicate'],
  pending: ['held', 'completed', 'failed', 'duplicate'],
  unknown: ['pending', 'held', 'completed', 'failed', 'duplicate'],
  held: ['completed', 'failed', 'duplicate'],
  failed: ['held', 'completed', 'duplicate'],
  completed: [],
  duplicate: [],
}

/** What a refund may become. A failed one may still be paid late. The database holds the same table. */
export const refundMoves: Readonly<Record<RefundStatus, readonly RefundStatus[]>> = {
  sending: ['pending', 'unknown', 'awaiting_operator', 'completed', 'failed'],
  pending: ['unknown', 'awaiting_operator', 'completed', 'failed'],
  unknown: ['pending', 'awaiting_operator', 'completed', 'failed'],
  awaiting_operator: ['unknown', 'completed', 'failed'],
  failed: ['completed'],
  completed: [],
}

/** Statuses in which the provider is still asked. A held attempt is not asked for, and is open until a person has decided. */
export const underway = ['sending', 'pending', 'unknown'] as const

export const isUnderway = (status: AttemptStatus | RefundStatus): boolean =>
  (underway as readonly string[]).includes(status)

/** Whether money may still come of it. */
export const isOpen = (status: AttemptStatus): boolean => isUnderway(status) || status === 'held'

/** Whether its money is booked. */
export const isSettled = (status: AttemptStatus): boolean => status === 'completed' || status === 'duplicate'

/** Refunds that hold their reserve: they may still be paid. */
export const openRefund = [...underway, 'awaiting_operator'] as const

export const isOpenRefund = (status: RefundStatus): boolean =>
  (openRefund as readonly string[]).includes(status)
