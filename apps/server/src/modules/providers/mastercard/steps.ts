import type { LookupRequest, ProviderState, RefundRequest } from '../connector.ts'
import { payBody } from './bodies.ts'
import type { MastercardConfig } from './config.ts'
import { AUTHORISATION, authenticationOf, CAPTURE, decisive, INITIAL, VOID } from './mapping.ts'
import type { Order } from './wire.ts'

/** A call of ours under an order. The gateway accepts each id once, so that a repeated call moves nothing twice. */
export interface Step {
  readonly id: string
  readonly body: object
}

type ChargeLookup = Pick<LookupRequest, 'key' | 'state' | 'isOver'>

/**
 * The next call that an order needs from us, read from the order alone: it is the same after a crash. A capture follows an authorisation,
 * and a void follows a refused capture or the end of the attempt. A step whose result is not known is followed by none.
 */
export function nextStep(
  order: Order,
  { key, state, isOver = false }: ChargeLookup,
  config: MastercardConfig,
): Step | null {
  if (state !== null && !isOver && isReadyToPay(order, state))
    return { id: `${key}-pay`, body: payBody(config, state, authenticationIdOf(key)) }
  const authorisation = decisive(order, AUTHORISATION)
  if (authorisation?.meaning.kind !== 'approved' || decisive(order, VOID) !== null) return null
  const capture = decisive(order, CAPTURE)
  if (capture === null && !isOver) {
    const transaction = { amount: order.totalAuthorizedAmount, currency: order.currency }
    return { id: `${key}-capture`, body: { apiOperation: 'CAPTURE', transaction } }
  }
  const target = authorisation.transaction.transaction?.id
  const isUseless = capture === null || capture.meaning.kind === 'declined'
  if (!isUseless || typeof target !== 'string') return null
  return { id: `${key}-void`, body: voidBody(target) }
}

/** The payer has entered a card in the hosted fields, and its bank has no objection. A hosted page makes its own payment. */
const isReadyToPay = (order: Order, { amount }: ProviderState): boolean =>
  typeof amount === 'string' && decisive(order, INITIAL) === null && authenticationOf(order) === 'passed'

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
