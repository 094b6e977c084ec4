import type { PaymentStatus } from '@muripo/contract/payments'

/**
 * The transitions of a payment, named by their cause. A refused attempt changes nothing: the payer may start another one. A payment fails
 * only when it was cancelled or has expired and no attempt is open. An authorised payment completes by its capture, and fails when its
 * authorisation is voided. failed → completed is a late success: a provider may confirm a charge that it had first refused. refunded →
 * completed is a refund that came back. The database contains the same table and refuses other transitions.
 */
export const paymentMoves = {
  authorise: { from: ['pending'], to: 'authorized' },
  complete: { from: ['pending', 'authorized', 'failed'], to: 'completed' },
  fail: { from: ['pending', 'authorized'], to: 'failed' },
  refund: { from: ['completed'], to: 'refunded' },
  bounce: { from: ['refunded'], to: 'completed' },
} as const satisfies Record<string, { from: readonly PaymentStatus[]; to: PaymentStatus }>

export type PaymentMove = keyof typeof paymentMoves

export const canMove = (status: PaymentStatus, move: PaymentMove): boolean =>
  (paymentMoves[move].from as readonly PaymentStatus[]).includes(status)

/** @throws when there is no such transition: a bug must not pass silently. */
export function afterMove(status: PaymentStatus, move: PaymentMove): PaymentStatus {
  if (!canMove(status, move)) throw new Error(`A ${status} payment cannot ${move}`)
  return paymentMoves[move].to
}

/**
 * - sending: recorded, without a reply yet
 * - pending: the provider has the charge, or the instruction about its authorisation
 * - unknown: there is no trustworthy reply, and look-ups are scheduled
 * - held: an operator has to look, because an amount may have moved that does not fit
 * - authorized: the provider has reserved the amount, and waits for the instruction to capture or to void it
 * - duplicate: the attempt succeeded although the payment was already completed, and the amount is refunded to the payer
 *
 * An attempt with one of the first three may still succeed.
 */
export const attemptStatuses = [
  'sending',
  'pending',
  'unknown',
  'held',
  'authorized',
  'completed',
  'failed',
  'duplicate',
] as const
export type AttemptStatus = (typeof attemptStatuses)[number]

/** awaiting_operator: the provider has no refund call, and an operator sends it. The other statuses are those of an attempt. */
export const refundStatuses = [
  'sending',
  'pending',
  'unknown',
  'awaiting_operator',
  'completed',
  'failed',
] as const
export type RefundStatus = (typeof refundStatuses)[number]

/**
 * The transitions of an attempt. A failed attempt may still be paid late; a booked attempt stays booked. The database contains the same
 * table.
 */
export const attemptMoves: Readonly<Record<AttemptStatus, readonly AttemptStatus[]>> = {
  sending: ['pending', 'unknown', 'held', 'authorized', 'completed', 'failed', 'duplicate'],
  pending: ['held', 'authorized', 'completed', 'failed', 'duplicate'],
  unknown: ['pending', 'held', 'authorized', 'completed', 'failed', 'duplicate'],
  held: ['completed', 'failed', 'duplicate'],
  authorized: ['pending', 'held', 'failed'],
  failed: ['held', 'completed', 'duplicate'],
  completed: [],
  duplicate: [],
}

/** The transitions of a refund. A failed refund may still be paid late, and a completed refund may come back. The database contains the same table. */
export const refundMoves: Readonly<Record<RefundStatus, readonly RefundStatus[]>> = {
  sending: ['pending', 'unknown', 'awaiting_operator', 'completed', 'failed'],
  pending: ['unknown', 'awaiting_operator', 'completed', 'failed'],
  unknown: ['pending', 'awaiting_operator', 'completed', 'failed'],
  awaiting_operator: ['unknown', 'completed', 'failed'],
  failed: ['completed'],
  completed: ['failed'],
}

/** Statuses with scheduled look-ups. A held attempt is not looked up, and is open until an operator has decided. */
export const underway = ['sending', 'pending', 'unknown'] as const satisfies readonly AttemptStatus[]

/** The list of `underway` in a statement. The predicates of the indexes contain the same list, and a test compares them. */
export const underwaySql = `(${underway.map((status) => `'${status}'`).join(', ')})`

export const isUnderway = (status: AttemptStatus | RefundStatus): boolean =>
  (underway as readonly string[]).includes(status)

/** Whether the attempt may still succeed. */
export const isOpen = (status: AttemptStatus): boolean =>
  isUnderway(status) || status === 'held' || status === 'authorized'

/** Whether the attempt is booked. */
export const isBooked = (status: AttemptStatus): boolean => status === 'completed' || status === 'duplicate'

/** Statuses of a refund that holds its reserve: it may still be paid. */
export const openRefund = [...underway, 'awaiting_operator'] as const

export const isOpenRefund = (status: RefundStatus): boolean =>
  (openRefund as readonly string[]).includes(status)

/** A change of a payment and its calls, as far as their statuses are concerned. */
interface Moves {
  readonly payment: { readonly status: PaymentStatus }
  readonly attempt?: Move<AttemptStatus>
  readonly refund?: Move<RefundStatus>
}

interface Move<Status> {
  readonly before: { readonly status: Status }
  readonly change: { readonly status?: Status }
}

/** @throws when a change contains a transition that is in none of the three tables */
export function refuseUnknownMoves({ payment, attempt, refund }: Moves, after: Moves['payment']): void {
  const isKnown = Object.values(paymentMoves).some(
    ({ from, to }) => to === after.status && (from as readonly PaymentStatus[]).includes(payment.status),
  )
  if (payment.status !== after.status && !isKnown)
    throw new Error(`A ${payment.status} payment cannot become ${after.status}`)
  refuseUnknownMove('attempt', attemptMoves, attempt)
  refuseUnknownMove('refund', refundMoves, refund)
}

function refuseUnknownMove<Status extends string>(
  kind: string,
  moves: Readonly<Record<Status, readonly Status[]>>,
  move: Move<Status> | undefined,
): void {
  if (!move) return
  const { before, change } = move
  if (change.status === undefined || change.status === before.status) return
  if (!moves[before.status].includes(change.status))
    throw new Error(`A ${before.status} ${kind} cannot become ${change.status}`)
}
