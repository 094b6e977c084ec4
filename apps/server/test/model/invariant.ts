import type { Records } from './records.ts'
import type { Scenario } from './scenario.ts'

/** Conditions on a payment. The key describes the violation. */
type Truths = Readonly<Record<string, boolean>>

export interface Invariant {
  /** The number of the invariant and its text. */
  readonly title: string
  /** always: between any two rounds. end: after the provider has answered honestly and all tasks have run. */
  readonly when: 'always' | 'end'
  readonly truths: (now: Records, scenario: Scenario) => Truths
}
