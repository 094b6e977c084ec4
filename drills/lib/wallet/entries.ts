import type { Chance } from '../chance.ts'

/** The authorisation of a card, which the wallet captures or voids on request, once. */
interface Authorisation {
  isApproved: boolean
  /** The capture was refused: a void has to follow. */
  isCaptureRefused: boolean
  captured: number | null
}

/** The wallet's record of one charge or refund, which is the reference for moved money. */
export interface Entry {
  readonly kind: 'charge' | 'refund'
  readonly key: string
  readonly reference: string
  readonly amount: number
  readonly currency: string
  status: 'pending' | 'authorised' | 'paid' | 'refused'
  /** Number of requests; a second one is a bug of the gateway. */
  requested: number
  /** For a refund of a card: the key of the refunded charge. */
  readonly original?: string
  /** The refund is a void of the whole payment. */
  readonly isVoid?: boolean
  /** Of a charge by card that its merchant captures. */
  readonly authorisation?: Authorisation
}

/** The amount that a paid charge has taken, or that a refund has returned. */
export const movedOf = ({ amount, authorisation }: Entry): number => authorisation?.captured ?? amount

/**
 * Captures an amount or voids the authorisation; null is a void. A second instruction that contradicts the first counts as a second request.
 * @returns whether the response is sent; null for a request that is refused
 */
export function carryOut(entry: Entry, amount: number | null, chance: Chance): 'answer' | 'drop' | null {
  const { authorisation } = entry
  if (!authorisation) return null
  if (entry.status !== 'authorised') {
    if (authorisation.captured !== amount) entry.requested += 1
    return null
  }
  const lot = chance.next()
  // The wallet executes nothing and sends no response.
  if (lot < 0.15) return 'drop'
  if (amount !== null && !authorisation.isCaptureRefused && lot < 0.2) {
    authorisation.isCaptureRefused = true
    return 'answer'
  }
  authorisation.captured = amount
  entry.status = amount === null ? 'refused' : 'paid'
  return lot < 0.85 ? 'answer' : 'drop'
}

const approved = { result: 'SUCCESS', response: { gatewayCode: 'APPROVED' } } as const
const declined = { result: 'FAILURE', response: { gatewayCode: 'DECLINED' } } as const

/** The transactions of the order, as the Mastercard Gateway lists them. */
function transactionsOf(entry: Entry, { isApproved, isCaptureRefused, captured }: Authorisation) {
  const { key, amount, currency, reference, status } = entry
  const transaction = (id: string, type: string, taken: number, outcome: object) => ({
    ...outcome,
    order: { id: key, amount, currency },
    transaction: { id: `${key}-${id}`, type, amount: taken, currency, receipt: reference.slice(-12) },
  })
  return [
    transaction('card', 'AUTHORIZATION', amount, isApproved ? approved : declined),
    ...(isCaptureRefused ? [transaction('capture', 'CAPTURE', amount, declined)] : []),
    ...(captured !== null ? [transaction('capture', 'CAPTURE', captured, approved)] : []),
    ...(isApproved && status === 'refused'
      ? [transaction('void', 'VOID_AUTHORIZATION', amount, approved)]
      : []),
  ]
}

const words = {
  pending: 'PENDING SUBSCRIBER VALIDATION',
  authorised: 'PENDING SUBSCRIBER VALIDATION',
  paid: 'COMPLETED',
  refused: 'FAILED',
} as const

/** The entry as EcoCash reports it. */
export const inWords = ({ key, status, reference, amount, currency }: Entry) => ({
  clientCorrelator: key,
  transactionOperationStatus: words[status],
  ecocashReference: status === 'paid' ? reference : null,
  paymentAmount: { charginginformation: { amount, currency } },
  currencyCode: currency,
  ...(status === 'refused' && { statusMessage: 'Cancelled by the subscriber' }),
})

const cardResults = {
  pending: { result: 'PENDING', response: { gatewayCode: 'PENDING' } },
  authorised: { result: 'SUCCESS', response: { gatewayCode: 'APPROVED' } },
  paid: { result: 'SUCCESS', response: { gatewayCode: 'APPROVED' } },
  refused: { result: 'FAILURE', response: { gatewayCode: 'DECLINED' } },
} as const

const typeOf = ({ kind, isVoid }: Entry): string =>
  kind === 'charge' ? 'PAYMENT' : isVoid ? 'VOID_PAYMENT' : 'REFUND'

/** The entry as a transaction of the Mastercard Gateway. */
export const inTransaction = (entry: Entry) => ({
  ...cardResults[entry.status],
  order: { id: entry.original ?? entry.key, amount: entry.amount, currency: entry.currency },
  transaction: {
    id: entry.isVoid ? `${entry.key}-void` : entry.key,
    type: typeOf(entry),
    amount: entry.amount,
    currency: entry.currency,
    receipt: entry.reference.slice(-12),
  },
})

/** The charge as an order of the Mastercard Gateway, with its refunds. */
export function inOrder(charge: Entry, entries: readonly Entry[]): object {
  const refunded = entries
    .filter(({ original, status, isVoid }) => original === charge.key && status === 'paid' && !isVoid)
    .reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)
  const isCancelled = entries.some(
    (each) => each.original === charge.key && each.isVoid && each.status === 'paid',
  )
  const { authorisation, status } = charge
  const captured = status === 'paid' && !isCancelled ? movedOf(charge) : 0
  const endings = {
    pending: 'FAILED',
    authorised: 'AUTHORIZED',
    paid: 'CAPTURED',
    refused: 'FAILED',
  } as const
  return {
    id: charge.key,
    currency: charge.currency,
    status: isCancelled ? 'CANCELLED' : endings[status],
    totalAuthorizedAmount: authorisation ? charge.amount : captured,
    totalCapturedAmount: captured,
    totalRefundedAmount: refunded / 100,
    transaction: authorisation ? transactionsOf(charge, authorisation) : [inTransaction(charge)],
  }
}
