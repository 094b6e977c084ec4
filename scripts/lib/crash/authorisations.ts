import type { Chance } from './chance.ts'
import type { Entry } from './wallet.ts'

/** The authorisation of a card, which the wallet captures or voids on request, once. */
export interface Authorisation {
  isApproved: boolean
  /** The capture was refused: a void has to follow. */
  isCaptureRefused: boolean
  captured: number | null
}

/** The amount that a paid charge has taken, or that a refund has returned. */
export const movedOf = ({ amount, authorisation }: Entry): number => authorisation?.captured ?? amount

/**
 * Captures an amount or voids the authorisation; null is a void. A second instruction that contradicts the first counts as a second request.
 * @returns whether the response is sent; null for a request that is refused
 */
export function instruct(entry: Entry, amount: number | null, chance: Chance): 'answer' | 'drop' | null {
  const { authorisation } = entry
  if (!authorisation) return null
  if (entry.status !== 'authorised') {
    if (authorisation.captured !== amount) entry.requested += 1
    return null
  }
  const lot = chance.next()
  // Nothing is carried out, and the gateway does not learn this.
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
export function transactionsOf(entry: Entry, { isApproved, isCaptureRefused, captured }: Authorisation) {
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
