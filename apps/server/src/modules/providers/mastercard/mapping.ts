import { type Currency, currencies, type Money } from '@muripo/contract/money'
import { readAmount } from '../amounts.ts'
import {
  type CaptureOrder,
  type DeclineReason,
  type NextAction,
  type Outcome,
  ProviderError,
  type ProviderState,
  type Reply,
} from '../connector.ts'
import { type Meaning, meaningOf } from './results.ts'
import type { Order, Transaction } from './wire.ts'

const unreadable = () =>
  new ProviderError(
    'unknown',
    'The Mastercard Gateway answered with an amount or a currency that cannot be read',
  )

const currencyOf = (code: string | null): Currency | null =>
  currencies.find((currency) => currency === code) ?? null

/** @throws ProviderError unknown: without this check an unreadable amount would pass for a missing one. */
function amountOf(text: string | null, code: string | null): Money {
  const currency = currencyOf(code)
  const amount = text === null || currency === null ? null : readAmount(text, currency)
  if (amount === null) throw unreadable()
  return amount
}

/** A word of the gateway, such as NOT_ENROLLED_3D_SECURE; any other text is not stored. */
const wordOf = (text: string | null): string =>
  text !== null && /^[A-Z_]{1,60}(?:\d[A-Z_]{1,40}){0,2}$/.test(text) ? text : 'no status'

/** A reference of the acquirer has at most twelve characters, and is therefore never the number of a card. */
const referenceOf = ({ transaction }: Transaction, otherwise: string): string => {
  const receipt = transaction?.receipt ?? ''
  return /^[\w.-]{1,12}$/.test(receipt) ? receipt : otherwise
}

interface Fields {
  readonly outcome: Outcome
  readonly providerStatus: string
  readonly reference?: string
  readonly echo?: Money
  readonly charged?: Money
  readonly eventReference?: string
  readonly reason?: DeclineReason
  readonly next?: NextAction
}

const replyOf = (state: ProviderState, fields: Fields): Reply => ({
  kind: 'reply',
  outcome: fields.outcome,
  providerStatus: fields.providerStatus,
  providerReference: fields.reference ?? null,
  state,
  echo: fields.echo ?? null,
  reason: fields.reason ?? null,
  ...(fields.charged && { charged: fields.charged }),
  ...(fields.eventReference && { eventReference: fields.eventReference }),
  ...(fields.next && { next: fields.next }),
})

/** The time after the end of a session in which a payment that the payer has begun still ends. */
const GRACE_MS = 10 * 60_000

/** An order without a payment: the payer may still enter a card until the session has ended. */
export function unpaidReply(state: ProviderState, providerStatus: string, now: Date): Reply {
  const { expiresAt } = state
  const isOver = typeof expiresAt === 'number' && now.getTime() > expiresAt + GRACE_MS
  return isOver
    ? replyOf(state, { outcome: 'failed', providerStatus, reason: 'expired' })
    : replyOf(state, { outcome: 'pending', providerStatus })
}

interface Payment {
  readonly transaction: Transaction
  readonly meaning: Meaning
}

/** The transaction of these types that decides: the payer may have tried several cards on one page. */
export function decisive({ transaction }: Order, types: RegExp): Payment | null {
  const payments = transaction
    .filter((each) => types.test(each.transaction?.type ?? ''))
    .map((each) => ({
      transaction: each,
      meaning: meaningOf(each.result, each.response?.gatewayCode ?? null),
    }))
  const last = (kind: Meaning['kind']) => payments.findLast(({ meaning }) => meaning.kind === kind)
  return last('approved') ?? last('held') ?? last('open') ?? last('declined') ?? null
}

export const AUTHORISATION = /^AUTHORIZATION$/
export const CAPTURE = /^CAPTURE$/
export const VOID = /^VOID_/
const PAYMENT = /^(PAYMENT|CAPTURE)$/
const RETURN = /^(REFUND|VOID_REFUND)$/
export const INITIAL = /^(PAYMENT|AUTHORIZATION)$/

/** The bank of the card refused the payer, so that no payment was made. */
const refusedAuthentications = [
  'AUTHENTICATION_FAILED',
  'AUTHENTICATION_REJECTED',
  'AUTHENTICATION_UNSUCCESSFUL',
]

/** Results with which a payment may follow, if the gateway recommends it. */
const passedAuthentications = [
  'AUTHENTICATION_SUCCESSFUL',
  'AUTHENTICATION_ATTEMPTED',
  'AUTHENTICATION_NOT_SUPPORTED',
]

/** The last authentication of the payer. open: not begun, or the bank has not answered. */
export function authenticationOf({ transaction }: Order): 'open' | 'passed' | 'refused' {
  const last = transaction.findLast((each) => each.transaction?.authenticationStatus)
  const status = last?.transaction?.authenticationStatus ?? ''
  const recommendation = last?.response?.gatewayRecommendation ?? ''
  if (refusedAuthentications.includes(status) || /^DO_NOT_PROCEED/.test(recommendation)) return 'refused'
  return passedAuthentications.includes(status) && recommendation === 'PROCEED' ? 'passed' : 'open'
}

/** The state of a charge in the answer to a look-up of its order. */
export function chargeReply(
  order: Order,
  expected: { key: string; state: ProviderState; now: Date; capture?: CaptureOrder | undefined },
): Reply {
  const { key, state, now, capture } = expected
  if (order.id !== key)
    throw new ProviderError(
      'unknown',
      'The Mastercard Gateway answered about another order than the one asked for',
    )
  const authorisation = decisive(order, AUTHORISATION)
  const paid = decisive(order, PAYMENT)
  const isCaptured = paid !== null && paid.meaning.kind !== 'declined'
  if (authorisation?.meaning.kind === 'approved' && !isCaptured)
    return authorisedReply(order, { state, capture, reference: referenceOf(authorisation.transaction, key) })
  const payment = paid ?? authorisation
  if (payment === null) {
    const providerStatus = wordOf(order.transaction.at(-1)?.transaction?.authenticationStatus ?? null)
    return authenticationOf(order) === 'refused'
      ? replyOf(state, { outcome: 'failed', providerStatus, reason: 'declined' })
      : unpaidReply(state, wordOf(order.status), now)
  }
  const { transaction, meaning } = payment
  const providerStatus = wordOf(transaction.response?.gatewayCode ?? null)
  const reference = referenceOf(transaction, key)
  switch (meaning.kind) {
    case 'declined':
      return replyOf(state, { outcome: 'failed', providerStatus, reason: meaning.reason })
    case 'open':
      // The payer does not get the link to the card page again: a second payment could follow one whose result is not known.
      return replyOf(state, { outcome: 'pending', providerStatus, next: { type: 'wait_for_push' } })
    case 'held':
      return replyOf(state, {
        outcome: 'held',
        providerStatus,
        reference,
        echo: amountOf(order.totalAuthorizedAmount, order.currency),
      })
    case 'approved':
      return paidReply(order, transaction, { state, providerStatus, reference, now })
  }
}

/** An authorisation without a capture has moved no money: a void ends it, and without one a capture follows, at once or on instruction. */
function authorisedReply(
  order: Order,
  common: { state: ProviderState; capture: CaptureOrder | undefined; reference: string },
): Reply {
  const { state, capture, reference } = common
  const providerStatus = wordOf(order.status)
  const voided = decisive(order, VOID)
  if (voided === null && capture?.kind === 'await') {
    const echo = amountOf(order.totalAuthorizedAmount, order.currency)
    return replyOf(state, { outcome: 'authorized', providerStatus, reference, echo })
  }
  // An authorisation whose void is refused expires, because nothing captures it any more.
  return voided === null || voided.meaning.kind === 'open'
    ? replyOf(state, { outcome: 'pending', providerStatus, next: { type: 'wait_for_push' } })
    : replyOf(state, { outcome: 'failed', providerStatus, reason: 'declined' })
}

function paidReply(
  order: Order,
  { transaction }: Transaction,
  common: { state: ProviderState; providerStatus: string; reference: string; now: Date },
): Reply {
  const { state, now, ...fields } = common
  const captured = amountOf(order.totalCapturedAmount, order.currency)
  if (captured.minor === 0n) {
    // A payment that was voided before its settlement is no longer captured.
    if (order.status !== 'CANCELLED' && decisive(order, VOID)?.meaning.kind !== 'approved') throw unreadable()
    const echo = amountOf(transaction?.amount ?? null, transaction?.currency ?? null)
    return replyOf(state, { ...fields, providerStatus: 'CANCELLED', outcome: 'reversed', echo })
  }
  const refunded = amountOf(order.totalRefundedAmount ?? '0', order.currency)
  const chargedBack = amountOf(order.chargeback?.amount ?? '0', order.currency)
  const returned = refunded.minor + chargedBack.minor
  if (returned === 0n)
    return replyOf(
      { ...state, ...voidableOf(transaction, captured, state, now) },
      { ...fields, outcome: 'completed', echo: captured },
    )
  const echo = { minor: returned, currency: captured.currency }
  const providerStatus = wordOf(order.status)
  // The engine subtracts its own refunds from the amount.
  const isRefunded = chargedBack.minor === 0n && returned === captured.minor
  const event = order.transaction.findLast((each) => RETURN.test(each.transaction?.type ?? ''))?.transaction
    ?.id
  return replyOf(state, {
    ...fields,
    providerStatus,
    outcome: isRefunded ? 'refunded' : 'reversed',
    echo,
    charged: captured,
    // The order names no transaction of a chargeback.
    ...(chargedBack.minor === 0n && event && { eventReference: event }),
  })
}

/** The facts by which a refund can void the payment instead. The void of a capture would only bring its authorisation back. */
const voidableOf = (
  transaction: Transaction['transaction'],
  { minor }: Money,
  { paidAt }: ProviderState,
  now: Date,
): ProviderState =>
  transaction?.type === 'PAYMENT' && transaction.id !== null
    ? { payment: transaction.id, paidMinor: String(minor), paidAt: paidAt ?? now.getTime() }
    : {}

/** The state of a refund, or of a void in its place, in the answer to it or to its look-up. */
export function refundReply(
  body: Transaction,
  expected: { readonly originalKey: string; readonly id: string; readonly type: RegExp },
): Reply {
  const { transaction, order } = body
  const isOurs = transaction?.id === expected.id && order?.id === expected.originalKey
  if (!isOurs || !expected.type.test(transaction.type ?? ''))
    throw new ProviderError(
      'unknown',
      'The Mastercard Gateway answered about another refund than the one asked for',
    )
  const gatewayCode = body.response?.gatewayCode ?? null
  const meaning = meaningOf(body.result, gatewayCode)
  const fields = { providerStatus: wordOf(gatewayCode), reference: referenceOf(body, expected.id) }
  switch (meaning.kind) {
    case 'declined':
      return replyOf({}, { ...fields, outcome: 'failed', reason: meaning.reason })
    case 'open':
      return replyOf({}, { ...fields, outcome: 'pending' })
    case 'held':
    case 'approved': {
      const outcome = meaning.kind === 'held' ? 'held' : 'completed'
      // A void returns the order as a whole.
      const { amount, currency } = expected.type === VOID ? order : transaction
      return replyOf({}, { ...fields, outcome, echo: amountOf(amount, currency) })
    }
  }
}
