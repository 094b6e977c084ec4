import type { DeclineReason, Outcome } from '../connector.ts'

interface Meaning {
  readonly outcome: Outcome
  readonly reason: DeclineReason | null
}

const pending: Meaning = { outcome: 'pending', reason: null }
const failed = (reason: DeclineReason = 'declined'): Meaning => ({ outcome: 'failed', reason })

/** Branches on the names: Pesepay's numbers for them are not unique. */
const meanings: Readonly<Record<string, Meaning>> = {
  INITIATED: pending,
  PROCESSING: pending,
  PENDING: pending,

  // A part of the amount has moved, which the core has no state for.
  PARTIALLY_PAID: { outcome: 'held', reason: null },

  SUCCESS: { outcome: 'completed', reason: null },
  REVERSED: { outcome: 'reversed', reason: null },

  AUTHORIZATION_FAILED: failed(),
  CANCELLED: failed('user_cancelled'),
  CLOSED: failed(),
  CLOSED_PERIOD_ELAPSED: failed('expired'),
  DECLINED: failed(),
  ERROR: failed(),
  FAILED: failed(),
  INSUFFICIENT_FUNDS: failed('insufficient_funds'),
  SERVICE_UNAVAILABLE: failed(),
  TERMINATED: failed(),
  TIME_OUT: failed('expired'),
}

export function meaningOf(status: string | null): Meaning {
  const name = status?.trim().toUpperCase() ?? ''
  return (Object.hasOwn(meanings, name) ? meanings[name] : undefined) ?? pending
}
