import type { Money } from '@muripo/contract/money'
import { paid, pending, refused } from '../src/modules/payments/factory.ts'
import type { CallOutcome } from '../src/modules/payments/payment/outcome.ts'
import type { Reply } from '../src/modules/providers/index.ts'

export const replied = (reply: Reply): CallOutcome => ({ kind: 'reply', reply })

/**
 * The outcomes of a call to a provider about an amount.
 * @param part another amount than the requested one
 */
export const callOutcomes = (amount: Money, part: Money) =>
  ({
    paid: replied(paid(amount)),
    'paid, no amount': replied(paid(null)),
    'paid a part': replied(paid(part)),
    refused: replied(refused()),
    pending: replied(pending()),
    reversed: replied({ ...paid(amount), outcome: 'reversed' }),
    held: replied({ ...paid(amount), outcome: 'held' }),
    'no answer': { kind: 'unknown', providerStatus: 'time-out' },
    'never sent': {
      kind: 'failed',
      reason: 'provider_unavailable',
      providerStatus: 'circuit_open',
      neverSent: true,
    },
    'not found': { kind: 'missing', missedBefore: 0, attemptTtlMs: 10 * 60_000, isProof: true },
  }) as const satisfies Record<string, CallOutcome>
