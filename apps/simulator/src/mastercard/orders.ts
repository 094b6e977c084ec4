import { randomBytes } from 'node:crypto'
import type { Currency } from '@muripo/contract/money'
import type { CardBehaviour } from './behaviour.ts'
import type { CardEntry, GatewayCode } from './cards.ts'

const voidable = ['AUTHORIZATION', 'CAPTURE', 'PAYMENT', 'REFUND'] as const
type Voidable = (typeof voidable)[number]
export type VoidableTransaction = CardTransaction & { readonly type: Voidable }
export const isVoidable = (each: CardTransaction): each is VoidableTransaction =>
  (voidable as readonly string[]).includes(each.type)

export interface CardTransaction {
  readonly id: string
  readonly type:
    | 'AUTHENTICATION'
    | 'AUTHORIZATION'
    | 'CAPTURE'
    | 'CHARGEBACK'
    | 'PAYMENT'
    | 'REFUND'
    | `VOID_${Voidable}`
  /** The id of the transaction that a void cancels. */
  readonly target: string | null
  readonly minor: number
  masked: string | null
  readonly csc: CardEntry['csc'] | null
  readonly receipt: string
  readonly at: number
  result: 'SUCCESS' | 'FAILURE' | 'PENDING' | 'UNKNOWN'
  gatewayCode: string
  /** Of an authentication. */
  authenticationStatus: string | null
  /** The number of times that the merchant has sent it; the first alone is processed. */
  requests: number
}

export interface Order {
  readonly id: string
  readonly session: string
  readonly successIndicator: string
  operation: 'AUTHORIZE' | 'PURCHASE'
  /** The card is in the session's fields, and the merchant makes each call. */
  readonly isHosted: boolean
  minor: number
  readonly currency: Currency
  readonly description: string
  readonly shopName: string
  returnUrl: string
  /** The page after a failed payment; null: the payer tries again on the card page. */
  readonly failureUrl: string | null
  readonly cancelUrl: string | null
  notificationUrl: string | null
  readonly createdAt: number
  readonly expiresAt: number
  readonly transactions: CardTransaction[]
  /** The card whose bank asks the payer. */
  challenged: CardEntry | null
  planned: { readonly code: GatewayCode; readonly at: number; readonly refund?: string } | null
  behaviour: CardBehaviour
  lookups: number
  /** The number of sessions that the merchant has requested for it; the first alone is opened. */
  requests: number
}

export type OrderInput = Pick<
  Order,
  | 'id'
  | 'isHosted'
  | 'operation'
  | 'minor'
  | 'currency'
  | 'description'
  | 'shopName'
  | 'returnUrl'
  | 'failureUrl'
  | 'cancelUrl'
  | 'notificationUrl'
>

export const newSession = (): string => `SESSION${randomBytes(12).toString('hex').toUpperCase()}`

export const isVoided = ({ transactions }: Order, id: string): boolean =>
  transactions.some(({ target, result }) => target === id && result === 'SUCCESS')

const sum = (order: Order, ...types: CardTransaction['type'][]): number =>
  order.transactions
    .filter(({ id, type, result }) => types.includes(type) && result === 'SUCCESS' && !isVoided(order, id))
    .reduce((total, { minor }) => total + minor, 0)

/** A partial approval approves half of the amount. */
const approved = (order: Order, minor: number): number =>
  order.transactions.some(({ gatewayCode }) => gatewayCode === 'PARTIALLY_APPROVED')
    ? Math.floor(minor / 2)
    : minor

export const capturedOf = (order: Order): number => approved(order, sum(order, 'PAYMENT', 'CAPTURE'))
export const authorisedOf = (order: Order): number => approved(order, sum(order, 'PAYMENT', 'AUTHORIZATION'))
export const isCancelled = (order: Order): boolean =>
  authorisedOf(order) === 0 && order.transactions.some(({ id }) => isVoided(order, id))
export const refundedOf = (order: Order): number => sum(order, 'REFUND')
/** The remaining refundable amount; pending refunds hold their amount. */
export const remainingOf = (order: Order): number =>
  capturedOf(order) -
  order.transactions
    .filter(({ id, type, result }) => type === 'REFUND' && result !== 'FAILURE' && !isVoided(order, id))
    .reduce((total, { minor }) => total + minor, 0)
export const chargedBackOf = (order: Order): number => sum(order, 'CHARGEBACK')
export const isPaid = (order: Order): boolean => capturedOf(order) > 0
/** The payer has nothing more to do. */
export const isApproved = (order: Order): boolean => authorisedOf(order) > 0 || isCancelled(order)
