import type { Lane } from './lane.ts'
import type { Records } from './records.ts'

/** What must be true of a payment, by what it is called when it is not. */
type Truths = Readonly<Record<string, boolean>>

export interface Invariant {
  /** Its number and what it says. */
  readonly title: string
  /** always: between any two rounds. end: when everybody has told the truth and everything has had its time. */
  readonly when: 'always' | 'end'
  readonly truths: (now: Records, lane: Lane) => Truths
}
