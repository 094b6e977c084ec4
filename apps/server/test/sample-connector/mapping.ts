import { money } from '@muripo/contract/money'
import { type Outcome, ProviderError, type Reply } from '../../src/modules/providers/connector.ts'
import { outcomeOf, redact } from '../../src/modules/providers/texts.ts'
import { sampleCurrencies } from './config.ts'
import type { SampleCharge } from './wire.ts'

const outcomes: Readonly<Record<string, Outcome>> = {
  OPEN: 'pending',
  PAID: 'completed',
  REFUSED: 'failed',
}

function readAmount({ amount, currency }: SampleCharge) {
  const known = sampleCurrencies.find((each) => each === currency)
  return known && amount !== null && /^\d{1,15}$/.test(amount) ? money(BigInt(amount), known) : null
}

export function toReply(charge: SampleCharge, key: string): Reply {
  if (charge.key !== key) throw new ProviderError('unknown', 'Sample answered about another charge')
  const outcome = outcomeOf(outcomes, charge.status)
  const echo = readAmount(charge)
  if (outcome === 'completed' && charge.amount !== null && echo === null)
    throw new ProviderError('unknown', 'Sample answered with an amount that cannot be read')
  return {
    kind: 'reply',
    outcome,
    providerStatus: redact(charge.status ?? 'no status'),
    providerReference: charge.id,
    state: {},
    echo,
    reason: outcome === 'failed' ? 'declined' : null,
  }
}
