import { type Money, money } from '@muripo/contract/money'
import { readAmount } from '../amounts.ts'
import {
  type ChargeRequest,
  type NextAction,
  type NotFound,
  type Outcome,
  ProviderError,
  type ProviderState,
  type Reply,
} from '../connector.ts'
import { showInnbucksCode } from '../innbucks-app.ts'
import { isPayerPage } from '../provider-address.ts'
import { methodNamed, outcomeOf, redact, statusName } from '../texts.ts'
import { wallets } from './bodies.ts'
import type { Owner } from './config.ts'
import { lookupRefusalOf, refusalOf } from './refusals.ts'
import { hasValidHash, type Message, readMessage } from './wire.ts'

const outcomes: Readonly<Record<string, Outcome>> = {
  OK: 'pending',
  CREATED: 'pending',
  SENT: 'pending',
  PAID: 'completed',
  // The merchant's delivery is of no concern to the payer's money: both mean that the charge is paid.
  'AWAITING DELIVERY': 'completed',
  AWAITINGDELIVERY: 'completed',
  DELIVERED: 'completed',
  CANCELLED: 'failed',
  FAILED: 'failed',
  DISPUTED: 'reversed',
  REFUNDED: 'refunded',
}

export const toOutcome = (status: string): Outcome => outcomeOf(outcomes, status)

const untrusted = (why: string): ProviderError => new ProviderError('unknown', `Paynow answered ${why}`)

/** @throws ProviderError unknown: a message without the right hash can be anybody's */
function trusted(text: string, { key }: Owner): Message {
  const message = readMessage(text)
  if (message === null) throw untrusted('without a message')
  if (!hasValidHash(message, key)) throw untrusted('without the right hash')
  return message
}

/** @throws ProviderError declined, invalid, unknown */
export function toChargeReply(text: string, owner: Owner, request: ChargeRequest): Reply {
  const unsigned = readMessage(text)
  if (unsigned !== null && statusName(unsigned.get('status')) === 'ERROR') throw refusalOf(unsigned)
  const message = trusted(text, owner)
  return {
    kind: 'reply',
    // The reply reports the start of the charge; its outcome comes from a look-up.
    outcome: 'pending',
    providerStatus: redact(message.get('status') ?? ''),
    providerReference: nonEmpty(message.get('paynowreference')),
    state: stateOf(message, owner),
    echo: null,
    reason: null,
    next: nextOf(message, request),
  }
}

function nextOf(message: Message, { method }: ChargeRequest): NextAction {
  if (!wallets[method]) {
    const url = nonEmpty(message.get('browserurl'))
    if (url === null || !isPayerPage(url)) throw untrusted('without a page for the payer')
    return { type: 'redirect', url, expiresAt: null }
  }
  if (method !== 'innbucks') return { type: 'wait_for_push' }
  const code = nonEmpty(message.get('authorizationcode'))
  if (code === null) throw untrusted('without a code for the payer')
  // `authorizationexpires` names no time zone, so that it is no point in time.
  return showInnbucksCode({ code, expiresAt: null })
}

/** @throws ProviderError unknown: an error of a look-up does not reveal the outcome, and does not prove that there is no charge */
export function toLookupReply(
  text: string,
  owner: Owner,
  expected: { key: string; state: ProviderState | null },
): Reply | NotFound {
  const unsigned = readMessage(text)
  const word = statusName(unsigned?.get('status') ?? null)
  if (word === 'ERROR') throw lookupRefusalOf(unsigned)
  if (word === 'NOTFOUND' && unsigned?.get('hash') === null) return { kind: 'not_found' }
  const message = trusted(text, owner)
  if (word === 'NOTFOUND') return { kind: 'not_found' }
  if (message.get('reference') !== expected.key)
    throw untrusted('about another charge than the one asked for')
  const status = message.get('status') ?? ''
  const outcome = toOutcome(status)
  const echo = readEcho(message, owner)
  if (outcome !== 'pending' && outcome !== 'failed' && echo === null)
    throw untrusted('without a readable amount')
  const method = methodNamed(message.get('paymentchannel'))
  return {
    kind: 'reply',
    outcome,
    ...(method !== null && { method }),
    providerStatus: redact(status),
    providerReference: nonEmpty(message.get('paynowreference')),
    state: { ...expected.state, ...stateOf(message, owner) },
    echo,
    reason: outcome !== 'failed' ? null : statusName(status) === 'CANCELLED' ? 'user_cancelled' : 'declined',
  }
}

function readEcho(message: Message, { currency }: Owner): Money | null {
  const amount = readAmount(message.get('amount') ?? '', currency)
  return amount && money(amount.minor, currency)
}

function stateOf(message: Message, { currency }: Owner): ProviderState {
  const pollUrl = nonEmpty(message.get('pollurl'))
  return { currency, ...(pollUrl !== null && { pollUrl }) }
}

const nonEmpty = (value: string | null): string | null => (value?.trim() ? value.trim() : null)
