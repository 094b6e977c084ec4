import { type Money, toDecimal } from '@muripo/contract/money'
import { readAmount } from '../amounts.ts'
import {
  type DeclineReason,
  type LookupRequest,
  type NextAction,
  type Outcome,
  ProviderError,
  type ProviderState,
  type Reply,
} from '../connector.ts'
import { showInnbucksCode } from '../innbucks-app.ts'
import { isPayerPage, pathBelow } from '../provider-address.ts'
import { entryOf, methodNamed, redact } from '../texts.ts'
import { currencyOf, type Wallet } from './config.ts'
import type { Payment } from './wire.ts'

interface Meaning {
  readonly outcome: Outcome
  readonly reason: DeclineReason | null
}

const pending: Meaning = { outcome: 'pending', reason: null }
const failed = (reason: DeclineReason = 'declined'): Meaning => ({ outcome: 'failed', reason })

/** Branches on the names: Pesepay's numbers for them are not unique. */
const meanings: Readonly<Record<string, Meaning>> = {
  INITIATED: pending,
  PROCESSING: pending,
  PENDING: pending,

  // A part of the amount has moved, which the core has no state for.
  PARTIALLY_PAID: { outcome: 'held', reason: null },

  SUCCESS: { outcome: 'completed', reason: null },
  REVERSED: { outcome: 'reversed', reason: null },

  AUTHORIZATION_FAILED: failed(),
  CANCELLED: failed('user_cancelled'),
  CLOSED: failed(),
  CLOSED_PERIOD_ELAPSED: failed('expired'),
  DECLINED: failed(),
  ERROR: failed(),
  FAILED: failed(),
  INSUFFICIENT_FUNDS: failed('insufficient_funds'),
  SERVICE_UNAVAILABLE: failed(),
  TERMINATED: failed(),
  TIME_OUT: failed('expired'),
}

export function meaningOf(status: string | null): Meaning {
  return entryOf(meanings, status?.trim().toUpperCase() ?? '') ?? pending
}

/** A text that can be part of an address. */
const plain = (text: string | null | undefined): string | null =>
  text !== null && text !== undefined && /^[\w-]{1,100}$/.test(text.trim()) ? text.trim() : null

/** The reference may be absent from its field and present in the address of the status. */
function referenceOf({
  referenceNumber,
  pollUrl,
}: Pick<Payment, 'referenceNumber' | 'pollUrl'>): string | null {
  const own = plain(referenceNumber)
  if (own !== null || pollUrl === null || !URL.canParse(pollUrl)) return own
  return plain(new URL(pollUrl).searchParams.get('referenceNumber'))
}

/** The path of the status of a charge; null without a reference or an address that finds it. */
export function statusPath(state: ProviderState | null, baseUrl: string): string | null {
  const { reference, pollUrl } = state ?? {}
  return typeof reference === 'string'
    ? `/v1/payments/check-payment?referenceNumber=${encodeURIComponent(reference)}`
    : pathBelow(baseUrl, pollUrl)
}

/** The reply to an initiated payment; null without a page for the payer, or without a way to look the payment up. */
export function toInitiated({ redirectUrl, ...payment }: Payment, baseUrl: string): Reply | null {
  if (redirectUrl === null || !isPayerPage(redirectUrl)) return null
  return startedBy(payment, baseUrl, { type: 'redirect', url: redirectUrl, expiresAt: null })
}

/** The reply to a wallet's payment; null without a way to look the payment up, or without its code. */
export function toStarted(payment: Payment, wallet: Wallet, baseUrl: string): Reply | null {
  if (wallet === 'ecocash') return startedBy(payment, baseUrl, { type: 'wait_for_push' })
  const code = plain(payment.transactionMetadata?.code)
  return code === null ? null : startedBy(payment, baseUrl, showInnbucksCode({ code, expiresAt: null }))
}

/** The payer has done nothing yet; the outcome comes from a look-up. */
function startedBy(payment: Omit<Payment, 'redirectUrl'>, baseUrl: string, next: NextAction): Reply | null {
  const reference = referenceOf(payment)
  const state: ProviderState = reference === null ? { pollUrl: payment.pollUrl } : { reference }
  if (statusPath(state, baseUrl) === null) return null
  return {
    kind: 'reply',
    outcome: 'pending',
    providerStatus: redact(payment.transactionStatus ?? 'started'),
    providerReference: reference,
    state,
    echo: null,
    reason: null,
    next,
  }
}

const untrusted = (why: string): ProviderError => new ProviderError('unknown', `Pesepay answered ${why}`)

/** @throws ProviderError unknown */
export function toLookupReply(payment: Payment, { key, state }: Pick<LookupRequest, 'key' | 'state'>): Reply {
  const reference = referenceOf(payment)
  const expected = state?.reference
  const isOther = typeof expected === 'string' && reference !== null && reference !== expected
  if (isOther || (payment.merchantReference !== null && payment.merchantReference !== key))
    throw untrusted('about another charge than the one asked for')
  if (payment.transactionStatus === null) throw untrusted('without a status')
  const { outcome, reason } = meaningOf(payment.transactionStatus)
  const echo = readEcho(payment)
  if ((outcome === 'completed' || outcome === 'reversed') && echo === null)
    throw untrusted('without a readable amount')
  const serviceFee = outcome === 'completed' ? readFee(payment) : null
  const method = methodNamed(payment.paymentMethodDetails?.paymentMethodName)
  return {
    kind: 'reply',
    outcome,
    ...(method !== null && { method }),
    providerStatus: redact(payment.transactionStatus),
    providerReference: reference ?? (typeof expected === 'string' ? expected : null),
    state: { ...state, ...(reference !== null && { reference }), ...(serviceFee !== null && { serviceFee }) },
    echo,
    reason,
  }
}

/**
 * The requested amount, which is the same for every type of charge. Depending on who bears Pesepay's fee, it is added to the payer's amount,
 * taken from `merchantAmount`, or both. A reply without the requested amount is read by the merchant's.
 */
function readEcho({ amountDetails }: Payment): Money | null {
  const currency = currencyOf(amountDetails?.currencyCode ?? null)
  return currency && readAmount(amountDetails?.amount ?? amountDetails?.merchantAmount ?? '', currency)
}

/** Pesepay's own fee, for a comparison with its statement: its clearing account is gross. */
function readFee({ amountDetails }: Payment): string | null {
  const currency = currencyOf(amountDetails?.currencyCode ?? null)
  const fee = currency && readAmount(amountDetails?.transactionServiceFee ?? '', currency)
  return fee && toDecimal(fee)
}
