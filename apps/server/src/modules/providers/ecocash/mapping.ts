import type { Money } from '@muripo/contract/money'
import { readAmount } from '../amounts.ts'
import {
  type DeclineReason,
  type Outcome,
  ProviderError,
  type ProviderState,
  type Reply,
} from '../connector.ts'
import { type EcocashConfig, readCurrency } from './config.ts'
import type { AmountTransaction } from './wire.ts'

const outcomes: Readonly<Record<string, Outcome>> = {
  'PENDING SUBSCRIBER VALIDATION': 'pending',
  'PROCESSING CHARGE': 'pending',
  // The request itself contains this status; the gateway may echo it before the payer has paid.
  CHARGED: 'pending',
  PENDING: 'pending',
  COMPLETED: 'completed',
  SUCCESS: 'completed',
  FAILED: 'failed',
  REFUNDED: 'refunded',
  // Neither documentation has this status; the operation that the request calls REV would lead to it.
  REVERSED: 'reversed',
}

export function toOutcome(status: string | null): Outcome {
  const name =
    status
      ?.trim()
      .replaceAll(/[\s_]+/g, ' ')
      .toUpperCase() ?? ''
  return (Object.hasOwn(outcomes, name) ? outcomes[name] : undefined) ?? 'pending'
}

/** The order matters: the words for a wrong PIN and for a limit also occur in sentences about cancelling and blocking. */
const reasons: readonly (readonly [RegExp, DeclineReason])[] = [
  [/insufficient|not enough|low balance/i, 'insufficient_funds'],
  [
    /(wrong|invalid|incorrect|bad)[\s\w]*\bpin\b|\bpin\b[\s\w]*(wrong|invalid|incorrect|mismatch)/i,
    'wrong_pin',
  ],
  [/limit/i, 'limit_exceeded'],
  [/barred|suspended|blocked/i, 'barred'],
  [/expired|timed?[\s-]?out|no response|not respond/i, 'expired'],
  [/cancel|(declined|rejected) by (the )?(subscriber|customer|user|payer)/i, 'user_cancelled'],
]

/** Replies have up to 256 KiB, and the time of the patterns grows with the square of the length. */
const SENTENCE_MAX_LENGTH = 500

/** The reason in a provider's sentence; null when it contains no known reason. */
export function namedReason(sentence: string | null): DeclineReason | null {
  const start = sentence?.slice(0, SENTENCE_MAX_LENGTH) ?? ''
  return reasons.find(([pattern]) => pattern.test(start))?.[1] ?? null
}

interface Said {
  readonly amount: string | null
  readonly currency: string | null
}

function saidAmount(body: AmountTransaction): Said {
  const inner = body.paymentAmount
  return {
    amount: inner?.amount ?? body.amount,
    currency: inner?.currency ?? body.currency ?? body.currencyCode,
  }
}

function readEcho(config: EcocashConfig, { amount, currency }: Said): Money | null {
  const known = currency === null ? null : readCurrency(config, currency)
  return amount === null || known === null ? null : readAmount(amount, known)
}

/** A long run of digits can be a phone number or a PIN; the stored status needs neither. */
export const redact = (text: string): string =>
  text
    .slice(0, SENTENCE_MAX_LENGTH)
    .replaceAll(/\d{4,}/g, '****')
    .slice(0, 160)

const nonEmpty = (value: string | null): string | null => (value === null || value === '' ? null : value)

export function toReply(
  config: EcocashConfig,
  body: AmountTransaction,
  asked: { key: string; state: ProviderState },
): Reply {
  if (body.clientCorrelator !== null && body.clientCorrelator !== asked.key) {
    throw new ProviderError('unknown', 'EcoCash answered about another transaction than the one asked for')
  }
  const status = body.transactionOperationStatus ?? body.status
  const outcome = toOutcome(status)
  const said = saidAmount(body)
  const echo = readEcho(config, said)
  // A paid answer with an unreadable amount is not trustworthy: without this check it would pass for one without an amount.
  if (
    (outcome === 'completed' || outcome === 'refunded' || outcome === 'reversed') &&
    said.amount !== null &&
    echo === null
  ) {
    throw new ProviderError('unknown', 'EcoCash answered with an amount or a currency that cannot be read')
  }
  const sentence = body.statusMessage ?? body.responseMessage ?? body.message
  const reference = nonEmpty(body.ecocashReference) ?? nonEmpty(body.transactionId)
  return {
    kind: 'reply',
    outcome,
    providerStatus: redact([status ?? 'no status', sentence].filter((part) => part !== null).join(': ')),
    providerReference: reference,
    state: reference === null ? asked.state : { ...asked.state, reference },
    echo,
    reason: outcome === 'failed' ? (namedReason(sentence) ?? 'declined') : null,
  }
}
