import { type Money, toDecimal } from '@muripo/contract/money'
import type { LookupRequest, ProviderState, RefundRequest } from '../connector.ts'
import { payBody } from './bodies.ts'
import { AUTHORISATION, authenticationOf, CAPTURE, decisive, INITIAL, VOID } from './mapping.ts'
import type { MastercardConfig } from './settings.ts'
import type { Order } from './wire.ts'

/** A call of ours under an order. The gateway accepts each id once, so that a repeated call moves nothing twice. */
export interface Step {
  readonly id: string
  readonly body: object
}

type ChargeLookup = Pick<LookupRequest, 'key' | 'state' | 'isOver' | 'capture'>

/**
 * The next call that an order needs from us, read from the order and the instruction alone: it is the same after a crash. A capture follows
 * an authorisation, at once or on instruction. A void follows a refused capture, the end of the attempt, or an instruction. A step whose
 * result is not known is followed by none.
 */
export function nextStep(
  order: Order,
  { key, state, isOver = false, capture: instruction }: ChargeLookup,
  { mode }: Pick<MastercardConfig, 'mode'>,
): Step | null {
  if (state !== null && !isOver && isReadyToPay(order, state)) {
    const operation = mode === 'authorise' || instruction ? 'AUTHORIZE' : 'PAY'
    return { id: `${key}-pay`, body: payBody(operation, state, authenticationIdOf(key)) }
  }
  const authorisation = decisive(order, AUTHORISATION)
  if (authorisation?.meaning.kind !== 'approved' || decisive(order, VOID) !== null) return null
  const capture = decisive(order, CAPTURE)
  if (capture === null && !isOver && instruction?.kind !== 'void') {
    if (instruction?.kind === 'await') return null
    return { id: `${key}-capture`, body: captureBody(order, instruction?.amount) }
  }
  const target = authorisation.transaction.transaction?.id
  const isUseless = capture === null || capture.meaning.kind === 'declined'
  if (!isUseless || typeof target !== 'string') return null
  return { id: `${key}-void`, body: voidBody(target) }
}

/** The payer has entered a card in the hosted fields, and its bank has no objection. A hosted page makes its own payment. */
const isReadyToPay = (order: Order, { amount }: ProviderState): boolean =>
  typeof amount === 'string' && decisive(order, INITIAL) === null && authenticationOf(order) === 'passed'

/** @param amount of the instruction; absent where all that is authorised is captured */
const captureBody = (order: Order, amount?: Money) => ({
  apiOperation: 'CAPTURE',
  transaction: amount
    ? { amount: toDecimal(amount), currency: amount.currency }
    : { amount: order.totalAuthorizedAmount, currency: order.currency },
})

export const authenticationIdOf = (key: string): string => `${key}-auth`

const voidBody = (targetTransactionId: string) => ({
  apiOperation: 'VOID',
  transaction: { targetTransactionId },
})

/** After this time the acquirer has settled a payment, and a void would be refused. */
const VOIDABLE_MS = 24 * 60 * 60_000

/** The void of a payment that is refunded as a whole on the same day: the card is not debited at all. Null when only a refund is left. */
export function voidStep({ key, amount, originalState }: RefundRequest, now: Date): Step | null {
  const { payment, paidMinor, paidAt } = originalState
  const isWhole = paidMinor === String(amount.minor)
  const isFresh = typeof paidAt === 'number' && now.getTime() < paidAt + VOIDABLE_MS
  return typeof payment === 'string' && isWhole && isFresh
    ? { id: voidIdOf(key), body: voidBody(payment) }
    : null
}

/** A refused void is followed by a refund under the key itself. */
export const voidIdOf = (key: string): string => `${key}-void`
