import type { Money } from '@muripo/contract/money'
import { readAmount } from '../amounts.ts'
import { type Outcome, ProviderError, type ProviderState, type Reply } from '../connector.ts'
import { namedReason, outcomeOf, redact } from '../texts.ts'
import { readCurrency } from './config.ts'
import type { EcocashConfig } from './settings.ts'
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

export const toOutcome = (status: string | null): Outcome => outcomeOf(outcomes, status)

interface Reported {
  readonly amount: string | null
  readonly currency: string | null
}

function reportedAmount(body: AmountTransaction): Reported {
  const inner = body.paymentAmount
  return {
    amount: inner?.amount ?? body.amount,
    currency: inner?.currency ?? body.currency ?? body.currencyCode,
  }
}

function readEcho(config: EcocashConfig, { amount, currency }: Reported): Money | null {
  const known = currency === null ? null : readCurrency(config, currency)
  return amount === null || known === null ? null : readAmount(amount, known)
}

const nonEmpty = (value: string | null): string | null => (value === null || value === '' ? null : value)

export function toReply(
  config: EcocashConfig,
  body: AmountTransaction,
  expected: { key: string; state: ProviderState },
): Reply {
  if (body.clientCorrelator !== null && body.clientCorrelator !== expected.key) {
    throw new ProviderError('unknown', 'EcoCash answered about another transaction than the one asked for')
  }
  const status = body.transactionOperationStatus ?? body.status
  const outcome = toOutcome(status)
  const reported = reportedAmount(body)
  const echo = readEcho(config, reported)
  // A paid answer with an unreadable amount is not trustworthy: without this check it would pass for one without an amount.
  if (
    (outcome === 'completed' || outcome === 'refunded' || outcome === 'reversed') &&
    reported.amount !== null &&
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
    state: reference === null ? expected.state : { ...expected.state, reference },
    echo,
    reason: outcome === 'failed' ? (namedReason(sentence) ?? 'declined') : null,
  }
}
