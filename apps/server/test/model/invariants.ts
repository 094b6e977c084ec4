import { captureInvariants } from './capture-invariants.ts'
import type { Invariant } from './invariant.ts'
import { moneyInvariants } from './money-invariants.ts'
import type { Scenario } from './scenario.ts'
import { stateInvariants } from './state-invariants.ts'

export const invariants: readonly Invariant[] = [...stateInvariants, ...moneyInvariants, ...captureInvariants]

/** The first violated invariant; null when all hold. */
export function violationIn(
  scenario: Scenario,
  when: Invariant['when'],
): { invariant: Invariant; what: string } | null {
  const { now } = scenario
  for (const invariant of invariants) {
    if (invariant.when !== when) continue
    if (now === null) return { invariant, what: 'the payment is gone' }
    const wrong = Object.entries(invariant.truths(now, scenario)).find(([, isTrue]) => !isTrue)
    if (wrong) return { invariant, what: wrong[0] }
  }
  return null
}
