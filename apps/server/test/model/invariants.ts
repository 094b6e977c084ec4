import type { Invariant } from './invariant.ts'
import type { Lane } from './lane.ts'
import { moneyInvariants } from './money-invariants.ts'
import { stateInvariants } from './state-invariants.ts'

export const invariants: readonly Invariant[] = [...stateInvariants, ...moneyInvariants]

/** What is not true of a payment that should be; null when all is well. */
export function brokenIn(lane: Lane, when: Invariant['when']): { invariant: Invariant; what: string } | null {
  const { now } = lane
  for (const invariant of invariants) {
    if (invariant.when !== when) continue
    if (now === null) return { invariant, what: 'the payment is gone' }
    const wrong = Object.entries(invariant.truths(now, lane)).find(([, isTrue]) => !isTrue)
    if (wrong) return { invariant, what: wrong[0] }
  }
  return null
}
