import { money } from '@muripo/contract/money'
import { z } from 'zod'
import { type Outcome, ProviderError, type Reply } from '../../src/modules/providers/connector.ts'
import { word } from '../../src/modules/providers/json.ts'
import { redact, statusName } from '../../src/modules/providers/texts.ts'

export const SampleCharge = z.object({ id: word, key: word, status: word, amount: word, currency: word })
export type SampleCharge = z.infer<typeof SampleCharge>

const outcomes: Readonly<Record<string, Outcome>> = {
  OPEN: 'pending',
  PAID: 'completed',
  REFUSED: 'failed',
}

/** An unknown word is pending: nothing that is not known is a failure. */
function toOutcome(status: string | null): Outcome {
  const name = statusName(status)
  return (Object.hasOwn(outcomes, name) ? outcomes[name] : undefined) ?? 'pending'
}

function readAmount({ amount, currency }: SampleCharge) {
  const known = (['USD', 'ZWG'] as const).find((each) => each === currency)
  return known && amount !== null && /^\d{1,15}$/.test(amount) ? money(BigInt(amount), known) : null
}

export function toReply(charge: SampleCharge, key: string): Reply {
  if (charge.key !== key) throw new ProviderError('unknown', 'Sample answered about another charge')
  const outcome = toOutcome(charge.status)
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
