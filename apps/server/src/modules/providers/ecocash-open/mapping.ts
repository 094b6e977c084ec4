import { readAmount } from '../amounts.ts'
import { type DeclineReason, type Outcome, ProviderError, type Reply } from '../connector.ts'
import { namedReason, outcomeOf, redact, statusName } from '../texts.ts'
import { readCurrency } from './config.ts'
import type { Transaction } from './wire.ts'

const outcomes: Readonly<Record<string, Outcome>> = {
  'PENDING VALIDATION': 'pending',
  SUCCESS: 'completed',
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELLED: 'failed',
  REJECTED: 'failed',
}

export const toOutcome = (status: string | null): Outcome => outcomeOf(outcomes, status)

/** EcoCash names no reason with a failure; a sentence may contain one. */
function reasonOf(status: string | null, sentence: string | null): DeclineReason {
  return namedReason(sentence) ?? (statusName(status) === 'CANCELLED' ? 'user_cancelled' : 'declined')
}

/** The reply to a payment or a refund without a body: EcoCash has accepted it, and its outcome is open. */
export const accepted: Reply = {
  kind: 'reply',
  outcome: 'pending',
  providerStatus: 'accepted',
  providerReference: null,
  state: {},
  echo: null,
  reason: null,
}

/** @param references the `sourceReference` of the payment, or those that a reply to its refund may name */
export function toReply(body: Transaction, ...references: readonly string[]): Reply {
  const named = body.reference ?? body.sourceReference
  if (named !== null && !references.includes(named.toLowerCase()))
    throw new ProviderError('unknown', 'EcoCash Open answered about another payment than the one asked for')
  const status = body.status ?? body.transactionStatus
  const outcome = toOutcome(status)
  const { amount } = body.amount
  const currency = readCurrency(body.amount.currency ?? body.currency ?? '')
  const echo = amount === null || currency === null ? null : readAmount(amount, currency)
  // A paid answer with an unreadable amount is not trustworthy: without this check it would pass for one without an amount.
  if (outcome === 'completed' && amount !== null && echo === null)
    throw new ProviderError(
      'unknown',
      'EcoCash Open answered with an amount or a currency that cannot be read',
    )
  const sentence = body.responseMessage ?? body.message
  return {
    kind: 'reply',
    outcome,
    providerStatus: redact([status ?? 'no status', sentence].filter((part) => part !== null).join(': ')),
    providerReference: body.ecocashReference || null,
    state: {},
    echo,
    reason: outcome === 'failed' ? reasonOf(status, sentence) : null,
  }
}

/**
 * The reply to a refund, whose only documented status is the completed one. A failure may not be final, and no look-up would find a late
 * success, so that an operator has to ask.
 */
export function toRefundReply(body: Transaction, ...references: readonly string[]): Reply {
  const reply = toReply(body, ...references)
  return reply.outcome === 'failed' ? { ...reply, outcome: 'held', reason: null } : reply
}
