import type { Money } from '@muripo/contract/money'
import { readAmount } from '../amounts.ts'
import { type LookupRequest, ProviderError, type ProviderState, type Reply } from '../connector.ts'
import { isPayerPage, pathBelow } from '../provider-address.ts'
import { redact } from '../texts.ts'
import { currencyOf } from './config.ts'
import { meaningOf } from './statuses.ts'
import type { Payment } from './wire.ts'

/** A text that can be part of an address. */
const plain = (text: string | null | undefined): string | null =>
  text !== null && text !== undefined && /^[\w-]{1,100}$/.test(text.trim()) ? text.trim() : null

/** The reference may be absent from its field and present in the address of the status. */
function referenceOf({ referenceNumber, pollUrl }: Payment): string | null {
  const own = plain(referenceNumber)
  if (own !== null || pollUrl === null || !URL.canParse(pollUrl)) return own
  return plain(new URL(pollUrl).searchParams.get('referenceNumber'))
}

/** The path of the status of a charge; null when nothing is known that finds it. */
export function statusPath(state: ProviderState | null, baseUrl: string): string | null {
  const { reference, pollUrl } = state ?? {}
  return typeof reference === 'string'
    ? `/v1/payments/check-payment?referenceNumber=${encodeURIComponent(reference)}`
    : pathBelow(baseUrl, pollUrl)
}

/** The reply to an initiated payment; null without a page for the payer, or without a way to look the payment up. */
export function toInitiated(payment: Payment, baseUrl: string): Reply | null {
  const { redirectUrl, pollUrl } = payment
  const reference = referenceOf(payment)
  const state: ProviderState = reference === null ? { pollUrl } : { reference }
  if (redirectUrl === null || !isPayerPage(redirectUrl) || statusPath(state, baseUrl) === null) return null
  return {
    kind: 'reply',
    // The payer has not seen the page yet; the outcome comes from a look-up.
    outcome: 'pending',
    providerStatus: redact(payment.transactionStatus ?? 'page opened'),
    providerReference: reference,
    state,
    echo: null,
    reason: null,
    next: { type: 'redirect', url: redirectUrl, expiresAt: null },
  }
}

const untrusted = (why: string): ProviderError => new ProviderError('unknown', `Pesepay answered ${why}`)

/** @throws ProviderError unknown */
export function toLookupReply(payment: Payment, { key, state }: Pick<LookupRequest, 'key' | 'state'>): Reply {
  const reference = referenceOf(payment)
  const asked = state?.reference
  const isOther = typeof asked === 'string' && reference !== null && reference !== asked
  if (isOther || (payment.merchantReference !== null && payment.merchantReference !== key))
    throw untrusted('about another charge than the one asked for')
  if (payment.transactionStatus === null) throw untrusted('without a status')
  const { outcome, reason } = meaningOf(payment.transactionStatus)
  const echo = readEcho(payment)
  if ((outcome === 'completed' || outcome === 'reversed') && echo === null)
    throw untrusted('without a readable amount')
  return {
    kind: 'reply',
    outcome,
    providerStatus: redact(payment.transactionStatus),
    providerReference: reference ?? (typeof asked === 'string' ? asked : null),
    state: { ...state, ...(reference !== null && { reference }) },
    echo,
    reason,
  }
}

/** The amount of the merchant: fees change the other amounts. */
function readEcho({ amountDetails }: Payment): Money | null {
  const currency = currencyOf(amountDetails?.currencyCode ?? null)
  return currency && readAmount(amountDetails?.merchantAmount ?? '', currency)
}
